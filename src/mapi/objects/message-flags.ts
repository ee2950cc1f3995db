import { formatInstant, nearestMidnight } from "../../mail/dates/instant.ts";
import { ByteReader } from "../../properties/byte-reader.ts";
import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { categoriesOf } from "./categories.ts";

/** Bits of `PidTagMessageFlags`. */
const READ_FLAG = 1;
const UNSENT_FLAG = 8;
/** Values of `PidTagLastVerbExecuted` and `PidTagFlagStatus`. */
const REPLIED_VERBS: ReadonlySet<number> = new Set([102, 103]);
const FORWARDED_VERB = 104;
/** `PidTagIconIndex` of mail that was answered or forwarded ([MS-OXOMSG] 2.2.1.10). */
const VERB_OF_ICON: ReadonlyMap<number, number> = new Map([
  [0x105, 102],
  [0x106, FORWARDED_VERB],
]);
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
  rssItemLink: { set: PROPERTY_SET.rss, name: 0x8901 },
} as const;
/** The default has no flag. */
const IMPORTANCE: readonly string[] = ["low", "", "high"];
const SENSITIVITY: readonly string[] = ["", "personal", "private", "confidential"];
/** Maximum UTF-16 units of a value: it is a flag, not a text. */
const MAX_VALUE = 200;
/** Maximum UTF-16 units of a URL. */
const MAX_URL = 2000;

function addWord(flags: string[], name: string, value: string | null | undefined, most = MAX_VALUE): void {
  const text = value?.replace(/\s+/g, " ").trim().slice(0, most).toWellFormed() ?? "";
  if (text !== "") flags.push(`${name}:${text}`);
}

/** State and categories of a message as archive flags. */
export function messageFlags(properties: Properties): readonly string[] {
  const flags: string[] = [];
  const bits = properties.integer(PID.messageFlags) ?? 0;
  const verb =
    properties.integer(PID.lastVerbExecuted) ?? VERB_OF_ICON.get(properties.integer(PID.iconIndex) ?? 0) ?? 0;
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
  addWord(flags, "link", properties.text(properties.named(LID.rssItemLink)), MAX_URL);
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

/** Maximum verbs read per message; Outlook offers about ten. */
const MAX_VERBS = 100;
/** A verb that is a voting option; reply and forward are verbs as well. */
const VOTE = 4;
const VERSION = { verbs: 0x0102, names: 0x0104 } as const;

/**
 * The voting options of a message: `PidLidVerbStream` ([MS-OXOMSG] 2.2.1.74). Names in a code page are repeated in
 * Unicode after all verbs.
 * @param decodeAnsi decodes its 8-bit texts.
 */
function readVotingOptions(bytes: Buffer, decodeAnsi: (text: Buffer) => string): readonly string[] {
  const reader = new ByteReader(bytes);
  if (reader.uint16() !== VERSION.verbs) return [];
  const count = Math.min(reader.uint32(), MAX_VERBS);
  const verbs: { readonly isVote: boolean; readonly name: string }[] = [];
  for (let index = 0; index < count; index++) {
    const isVote = reader.uint32() === VOTE;
    const name = decodeAnsi(ansiText(reader));
    // Message class, prefix of the subject, and the name again.
    for (let text = 0; text < 3; text++) ansiText(reader);
    reader.skip(4 + 1 + 6 * 4);
    if (reader.isCut) break;
    verbs.push({ isVote, name });
  }
  const hasNames = reader.uint16() === VERSION.names;
  const names = verbs.map(({ name }) => {
    const wide = hasNames ? wideText(reader) : "";
    if (hasNames) wideText(reader);
    return reader.isCut || wide === "" ? name : wide;
  });
  return names.filter((name, index) => verbs[index]!.isVote && name !== "");
}

/** Texts with a length byte. */
function ansiText(reader: ByteReader): Buffer {
  return reader.view(reader.uint8());
}

function wideText(reader: ByteReader): string {
  return reader.view(reader.uint8() * 2).toString("utf16le");
}
