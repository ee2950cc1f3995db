import { PROPERTY_SET } from "../properties/named-properties.ts";
import type { Properties } from "../properties/properties.ts";
import { PID } from "../properties/property-ids.ts";

/** Bits of `PidTagMessageFlags`. */
const READ_FLAG = 1;
const UNSENT_FLAG = 8;
/** Values of `PidTagLastVerbExecuted` and `PidTagFlagStatus`. */
const REPLIED_VERBS: ReadonlySet<number> = new Set([102, 103]);
const FORWARDED_VERB = 104;
const FOLLOW_UP = 2;
const KEYWORDS = { set: PROPERTY_SET.publicStrings, name: "Keywords" } as const;

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
  for (const category of properties.texts(properties.named(KEYWORDS))) flags.push(`label:${category}`);
  return flags;
}
