import { formatInstant, nearestMidnight } from "../../mail/dates/instant.ts";
import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { categoriesOf } from "./categories.ts";
import { readVotingOptions } from "./verb-stream.ts";

/** Bits of `PidTagMessageFlags`. */
const READ_FLAG = 1;
const UNSENT_FLAG = 8;
/** Values of `PidTagLastVerbExecuted` and `PidTagFlagStatus`. */
const REPLIED_VERBS: ReadonlySet<number> = new Set([102, 103]);
const FORWARDED_VERB = 104;
const FOLLOW_UP = 2;

/** Named properties of [MS-OXOFLAG] and [MS-OXOMSG], without `PidLid`. */
const LID = {
  flagRequest: { set: PROPERTY_SET.common, name: 0x8530 },
  taskStartDate: { set: PROPERTY_SET.task, name: 0x8104 },
  taskDueDate: { set: PROPERTY_SET.task, name: 0x8105 },
  taskDateCompleted: { set: PROPERTY_SET.task, name: 0x810f },
  verbStream: { set: PROPERTY_SET.common, name: 0x8520 },
  verbResponse: { set: PROPERTY_SET.common, name: 0x8524 },
  classification: { set: PROPERTY_SET.common, name: 0x85b6 },
} as const;
/** The default has no flag. */
const IMPORTANCE: readonly string[] = ["low", "", "high"];
const SENSITIVITY: readonly string[] = ["", "personal", "private", "confidential"];
/** Maximum UTF-16 units of a value: it is a flag, not a text. */
const MAX_VALUE = 200;

function addWord(flags: string[], name: string, value: string | null | undefined): void {
  const text = value?.replace(/\s+/g, " ").trim().slice(0, MAX_VALUE).toWellFormed() ?? "";
  if (text !== "") flags.push(`${name}:${text}`);
}

/** State and categories of a message as archive flags. */
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
  addWord(flags, "classification", properties.text(properties.named(LID.classification)));
  addFollowUp(properties, flags);
  addWord(flags, "expires", formatInstant(properties.time(PID.expiryTime)));
  for (const option of votingOptions(properties)) addWord(flags, "vote-option", option);
  addWord(flags, "vote", properties.text(properties.named(LID.verbResponse)));
  for (const category of categoriesOf(properties)) flags.push(`label:${category}`);
  return flags;
}

/** Up to Outlook 2003, a flag had a reply-by time and no due date ([MS-OXOFLAG] 2.2.2.3). */
function addFollowUp(properties: Properties, flags: string[]): void {
  const day = (name: PropertyName): string | undefined => {
    const at = properties.time(properties.named(name));
    return at === null ? undefined : formatInstant(nearestMidnight(at)).slice(0, 10);
  };
  addWord(flags, "follow-up", properties.text(properties.named(LID.flagRequest)));
  addWord(flags, "follow-up-start", day(LID.taskStartDate));
  addWord(flags, "due", day(LID.taskDueDate) ?? formatInstant(properties.time(PID.replyTime)));
  addWord(flags, "completed", formatInstant(properties.time(PID.flagCompleteTime)) ?? day(LID.taskDateCompleted));
}

function votingOptions(properties: Properties): readonly string[] {
  const bytes = properties.binary(properties.named(LID.verbStream));
  return bytes === null ? [] : readVotingOptions(bytes, (text) => properties.decodeAnsi(text));
}
