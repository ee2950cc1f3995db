import { decodeCharset } from "../../charset/decode-charset.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import { ByteReader } from "../../properties/byte-reader.ts";
import { instantOfFiletime } from "../../properties/properties.ts";
import { MULTIPLE, TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";

/**
 * Maximum conditions of a rule: Outlook's largest have a few hundred; a blob of 32 KB cannot contain more than this.
 */
const MAX_CONDITIONS = 2_000;
/** Maximum nesting of conditions; Exchange itself rejects more than 256 levels. */
const MAX_LEVELS = 256;
/** Maximum recipients of one action, and values of one property. */
const MAX_VALUES = 1_000;
/** Maximum bytes of a text in a condition; search words are short. */
const MAX_TEXT_BYTES = 32 * 1024;
/** Bytes shown of a binary value, as hex digits: the start of a search key identifies its owner. */
const SHOWN_BYTES = 64;

/** Conditions and actions of a rule in words; null if the blob is invalid. */
interface RuleText {
  readonly actions: readonly string[] | null;
  readonly conditions: string | null;
}

/**
 * Actions and conditions of an extended rule ([MS-OXORULE] 2.2.4.1.9 and 2.2.4.1.10), the form in which stores keep
 * rules of all kinds.
 */
export function readRule(actions: Buffer | null, conditions: Buffer | null): RuleText {
  return {
    actions: actions === null ? null : readActions(actions),
    conditions: conditions === null ? null : readConditions(conditions),
  };
}

/** Named properties come first ([MS-OXORULE] 2.2.4.2); rules refer to them by number. */
function skipNames(reader: ByteReader): void {
  const count = reader.uint16();
  if (count === 0) return;
  reader.skip(2 * count);
  reader.skip(reader.uint32());
}

const FORWARD = 7;
const DELEGATE = 8;
/** [MS-OXORULE] 2.2.5.1.1, by the number of the action. */
const ACTION_WORDS: readonly (string | undefined)[] = [
  undefined,
  "move to a folder",
  "copy to a folder",
  "reply",
  "reply that one is out of office",
  "leave to the mail program",
  "send back",
  "forward",
  "forward as delegate",
  "set a property",
  "delete",
  "mark as read",
];

function readActions(blob: Buffer): readonly string[] | null {
  const reader = new ByteReader(blob);
  skipNames(reader);
  reader.skip(4);
  const count = reader.uint32();
  const actions: string[] = [];
  for (let index = 0; index < count && actions.length < MAX_CONDITIONS; index++) {
    const block = new ByteReader(reader.view(reader.uint32()));
    if (reader.isCut) return null;
    const type = block.view(1)[0] ?? 0;
    block.skip(8);
    const words = ACTION_WORDS[type] ?? `action ${type}`;
    const isSent = type === FORWARD || type === DELEGATE;
    const to = isSent ? readRecipients(block) : [];
    if (to === null) return null;
    actions.push(to.length === 0 ? words : `${words} to ${to.join(", ")}`);
  }
  return reader.isCut ? null : actions;
}

/** [MS-OXORULE] 2.2.5.1.2.4: each recipient is a row of properties. */
function readRecipients(reader: ByteReader): readonly string[] | null {
  const recipients: string[] = [];
  const count = reader.uint32();
  for (let index = 0; index < count && index < MAX_VALUES; index++) {
    reader.skip(1);
    const values = new Map<number, string>();
    for (let left = Math.min(reader.uint32(), MAX_VALUES); left > 0; left--) {
      const value = readTagged(reader);
      if (value === null) return null;
      values.set(value.id, value.text);
    }
    const email = values.get(PID.smtpAddress) ?? values.get(PID.emailAddress) ?? "";
    const name = values.get(PID.displayName) ?? "";
    recipients.push(email === "" ? name : `${name} <${email}>`.trim());
  }
  return reader.isCut ? null : recipients;
}

const COMPARISONS = ["<", "<=", ">", ">=", "=", "is not", "matches"] as const;
const IS_PREFIX = 2;

/** A compound condition with unread children. */
interface OpenCondition {
  left: number;
  readonly parts: string[];
  readonly say: (parts: readonly string[]) => string;
}

/** A simple condition, or how the children of a compound one are joined. */
type Condition = string | { readonly count: number; readonly say: OpenCondition["say"] };

/** Iterative: the file determines how deeply conditions nest. */
function readConditions(blob: Buffer): string | null {
  const reader = new ByteReader(blob);
  skipNames(reader);
  const open: OpenCondition[] = [];
  for (let read = 0; read < MAX_CONDITIONS && open.length <= MAX_LEVELS; read++) {
    const condition = readCondition(reader);
    if (condition === null || reader.isCut) return null;
    if (typeof condition !== "string" && condition.count > 0) {
      open.push({ left: condition.count, parts: [], say: condition.say });
      continue;
    }
    const whole = close(open, typeof condition === "string" ? condition : condition.say([]));
    if (whole !== null) return whole;
  }
  return null;
}

/** Completes a condition and all enclosing ones that end with it; returns the outermost if it is complete. */
function close(open: OpenCondition[], condition: string): string | null {
  let text = condition;
  for (let around = open.at(-1); around !== undefined; around = open.at(-1)) {
    around.parts.push(text);
    around.left--;
    if (around.left > 0) return null;
    text = around.say(around.parts);
    open.pop();
  }
  return text;
}

const joined =
  (word: string, none: string) =>
  (parts: readonly string[]): string => {
    const conditions = parts.filter((part) => part !== none);
    if (conditions.length === 0) return none;
    return conditions.length === 1 ? conditions[0]! : `(${conditions.join(` ${word} `)})`;
  };

const compared = (reader: ByteReader): string => COMPARISONS[reader.view(1)[0] ?? 0] ?? "is near";
const named = (reader: ByteReader): string => propertyName(reader.uint32());
const negated = (part: string): string => {
  if (part === "never") return "always";
  return part === "always" ? "never" : `not ${part}`;
};

/** Kinds of conditions by their number ([MS-OXCDATA] 2.12). */
const CONDITIONS: readonly ((reader: ByteReader) => Condition | null)[] = [
  (reader) => ({ count: reader.uint32(), say: joined("and", "always") }),
  (reader) => ({ count: reader.uint32(), say: joined("or", "never") }),
  () => ({ count: 1, say: ([part]) => negated(part!) }),
  readContent,
  (reader) => ofTagged(reader, compared(reader)),
  (reader) => {
    const word = compared(reader);
    return `${named(reader)} ${word} ${named(reader)}`;
  },
  (reader) => {
    const word = reader.view(1)[0] === 0 ? "none" : "some";
    return `${named(reader)} has ${word} of bits 0x${reader.uint32().toString(16)}`;
  },
  (reader) => {
    const word = compared(reader);
    return `size of ${named(reader)} ${word} ${reader.uint32()}`;
  },
  (reader) => `${named(reader)} is there`,
  (reader) => {
    const what = reader.uint32() >>> 16 === PID.messageRecipients ? "a recipient" : "an attachment";
    return { count: 1, say: ([part]) => (part === "never" ? "never" : `${what} has ${part}`) };
  },
  readComment,
  (reader) => {
    reader.skip(4);
    return { count: 1, say: ([part]) => part! };
  },
];

function readCondition(reader: ByteReader): Condition | null {
  const type = reader.view(1)[0] ?? CONDITIONS.length;
  return CONDITIONS[type]?.(reader) ?? null;
}

function readContent(reader: ByteReader): string | null {
  const precision = reader.uint16();
  reader.skip(2);
  return ofTagged(reader, precision === 0 ? "is" : precision === IS_PREFIX ? "begins with" : "contains");
}

/** Values that are only recorded, and the condition they belong to, if there is one. */
function readComment(reader: ByteReader): Condition | null {
  for (let left = reader.view(1)[0] ?? 0; left > 0; left--) if (readTagged(reader) === null) return null;
  return { count: reader.view(1)[0] === 1 ? 1 : 0, say: joined("and", "always") };
}

/** The requested tag, then a value with its own tag. */
function ofTagged(reader: ByteReader, word: string): string | null {
  const tag = reader.uint32();
  const value = readTagged(reader);
  if (value === null) return null;
  return `${propertyName(tag)} ${word} ${isNumber(value.text) ? value.text : `"${value.text}"`}`;
}

const isNumber = (text: string): boolean => /^-?\d{1,20}$/.test(text);

/** Names of properties in conditions, by id. */
const PROPERTY_NAMES: Readonly<Record<number, string>> = {
  [PID.importance]: "importance",
  [PID.messageClass]: "class",
  [PID.sensitivity]: "sensitivity",
  [PID.subject]: "subject",
  [PID.normalizedSubject]: "subject without prefix",
  [PID.body]: "text",
  [PID.transportHeaders]: "header",
  [PID.senderName]: "sender",
  [PID.senderEmail]: "sender address",
  [PID.senderSearchKey]: "sender",
  [PID.sentRepresentingName]: "from",
  [PID.sentRepresentingEmail]: "from address",
  [PID.sentRepresentingSearchKey]: "from",
  [PID.displayTo]: "to",
  [PID.displayCc]: "cc",
  [PID.searchKey]: "address",
  [PID.hasAttachments]: "attachments",
  [PID.messageSize]: "size",
  [PID.displayName]: "name",
  [PID.spamConfidenceLevel]: "spam confidence level",
  [PID.messageToMe]: "sent to me",
  [PID.messageCcMe]: "copied to me",
  [PID.messageRecipientMe]: "sent or copied to me",
};

function propertyName(tag: number): string {
  const id = tag >>> 16;
  return PROPERTY_NAMES[id] ?? `property 0x${id.toString(16).padStart(4, "0")}`;
}

interface TaggedValue {
  readonly id: number;
  readonly text: string;
}

/** A value after its tag ([MS-OXCDATA] 2.11.4), with four-byte counts; null if the rest cannot be read. */
function readTagged(reader: ByteReader): TaggedValue | null {
  const tag = reader.uint32();
  const id = tag >>> 16;
  const type = tag & 0xffff;
  if ((type & MULTIPLE) === 0) {
    const text = readValue(reader, type);
    return text === null ? null : { id, text };
  }
  const texts: string[] = [];
  for (let left = reader.uint32(); left > 0; left--) {
    const text = texts.length < MAX_VALUES ? readValue(reader, type - MULTIPLE) : null;
    if (text === null) return null;
    texts.push(text);
  }
  return { id, text: texts.join(", ") };
}

function readValue(reader: ByteReader, type: number): string | null {
  switch (type) {
    case TYPE.integer16:
      return String(reader.uint16());
    case TYPE.integer32:
    case TYPE.error:
      return String(reader.int32());
    case TYPE.boolean:
      return (reader.view(1)[0] ?? 0) === 0 ? "no" : "yes";
    case TYPE.integer64:
    case TYPE.currency:
    case TYPE.floating64: {
      const bytes = reader.view(8);
      return bytes.length < 8
        ? null
        : String(type === TYPE.floating64 ? bytes.readDoubleLE(0) : bytes.readBigInt64LE(0));
    }
    case TYPE.time: {
      const bytes = reader.view(8);
      return bytes.length < 8
        ? null
        : (formatInstant(instantOfFiletime(new DataView(bytes.buffer, bytes.byteOffset, 8), 0)) ?? "no time");
    }
    case TYPE.string:
      return readText(reader, 2);
    case TYPE.string8:
      return readText(reader, 1);
    case TYPE.guid:
      return reader.view(16).toString("hex");
    case TYPE.binary:
      return shownBytes(reader.view(reader.uint32()));
    default:
      return null;
  }
}

/** A text up to its NUL, with one or two bytes per character. */
function readText(reader: ByteReader, width: 1 | 2): string | null {
  const bytes: Buffer[] = [];
  for (let read = 0; read <= MAX_TEXT_BYTES; read += width) {
    const character = reader.view(width);
    if (character.length < width) return null;
    if (character.every((byte) => byte === 0)) {
      const whole = Buffer.concat(bytes);
      return width === 2 ? whole.toString("utf16le").toWellFormed() : decodeCharset(whole, null);
    }
    bytes.push(character);
  }
  return null;
}

/** Search keys are texts with a trailing NUL (`SMTP:ANN@SITE.EXAMPLE`); other bytes are shown as hex digits. */
function shownBytes(bytes: Buffer): string {
  const end = bytes.at(-1) === 0 ? bytes.length - 1 : bytes.length;
  const text = bytes.toString("latin1", 0, Math.min(end, MAX_TEXT_BYTES));
  return /^[\x20-\x7e]{1,32768}$/.test(text) ? text : bytes.subarray(0, SHOWN_BYTES).toString("hex");
}
