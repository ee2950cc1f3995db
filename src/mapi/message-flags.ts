import { formatInstant, nearestMidnight } from "../mail/instant.ts";
import { PROPERTY_SET } from "../properties/named-properties.ts";
import type { Properties } from "../properties/properties.ts";
import { PID } from "../properties/property-ids.ts";
import { categoriesOf } from "./categories.ts";

/** Bits of `PidTagMessageFlags`. */
const READ_FLAG = 1;
const UNSENT_FLAG = 8;
/** Values of `PidTagLastVerbExecuted` and `PidTagFlagStatus`. */
const REPLIED_VERBS: ReadonlySet<number> = new Set([102, 103]);
const FORWARDED_VERB = 104;
const FOLLOW_UP = 2;

/** `PidLidFlagRequest`, `PidLidTaskDueDate` and `PidLidVerbResponse` ([MS-OXOFLAG], [MS-OXOMSG]). */
const FOLLOW_UP_TEXT = { set: PROPERTY_SET.common, name: 0x8530 } as const;
const DUE = { set: PROPERTY_SET.task, name: 0x8105 } as const;
const VOTE = { set: PROPERTY_SET.common, name: 0x8524 } as const;
/** What is usual has no word. */
const IMPORTANCE: readonly string[] = ["low", "", "high"];
const SENSITIVITY: readonly string[] = ["", "personal", "private", "confidential"];
/** UTF-16 units of a value: it is a flag, not a text. */
const MAX_VALUE = 200;

function addWord(flags: string[], name: string, value: string | null | undefined): void {
  const text = value?.replace(/\s+/g, " ").trim().slice(0, MAX_VALUE).toWellFormed() ?? "";
  if (text !== "") flags.push(`${name}:${text}`);
}

/** What was done with a message, and its categories, as the words of the archive. */
export function messageFlags(properties: Properties): readonly string[] {
  const flags: string[] = [];
  const bits = properties.integer(PID.messageFlags) ?? 0;
  const verb = properties.integer(PID.lastVerbExecuted) ?? 0;
  if ((bits & READ_FLAG) !== 0) flags.push("seen");
  if (REPLIED_VERBS.has(verb)) flags.push("replied");
  if (properties.integer(PID.flagStatus) === FOLLOW_UP) flags.push("flagged");
  if ((bits & UNSENT_FLAG) !== 0) flags.push("draft");
  if (verb === FORWARDED_VERB) flags.push("forwarded");
  addWord(flags, "importance", IMPORTANCE[properties.integer(PID.importance) ?? 1]);
  addWord(flags, "sensitivity", SENSITIVITY[properties.integer(PID.sensitivity) ?? 0]);
  const due = properties.time(properties.named(DUE));
  addWord(flags, "follow-up", properties.text(properties.named(FOLLOW_UP_TEXT)));
  if (due !== null) addWord(flags, "due", formatInstant(nearestMidnight(due))?.slice(0, 10));
  addWord(flags, "completed", formatInstant(properties.time(PID.flagCompleteTime)));
  addWord(flags, "expires", formatInstant(properties.time(PID.expiryTime)));
  addWord(flags, "vote", properties.text(properties.named(VOTE)));
  for (const category of categoriesOf(properties)) flags.push(`label:${category}`);
  return flags;
}
