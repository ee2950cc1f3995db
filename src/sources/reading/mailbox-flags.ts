/** Flags of a message as words, in the order they are recorded. */
const FLAG_ORDER = ["seen", "replied", "flagged", "draft", "deleted", "forwarded"] as const;
type Flag = (typeof FLAG_ORDER)[number];

/** Letters after `:2,` in a Maildir file name (https://cr.yp.to/proto/maildir.html). */
const MAILDIR_LETTERS: Readonly<Record<string, Flag>> = {
  P: "forwarded",
  R: "replied",
  S: "seen",
  T: "deleted",
  D: "draft",
  F: "flagged",
};

/** Letters of `Status` and `X-Status` (mutt, pine, dovecot). `O` (old) says nothing a reader needs. */
const STATUS_LETTERS: Readonly<Record<string, Flag>> = {
  R: "seen",
  A: "replied",
  F: "flagged",
  D: "deleted",
  T: "draft",
};

/** Bits of `X-Mozilla-Status` (nsMsgMessageFlags). 0x0008 marks a message deleted but not yet compacted away. */
const MOZILLA_BITS: readonly (readonly [number, Flag])[] = [
  [0x0001, "seen"],
  [0x0002, "replied"],
  [0x0004, "flagged"],
  [0x0008, "deleted"],
  [0x1000, "forwarded"],
];

/** Bits of the second number of `X-Evolution` (CamelMessageFlags). */
const EVOLUTION_BITS: readonly (readonly [number, Flag])[] = [
  [0x01, "replied"],
  [0x02, "deleted"],
  [0x04, "draft"],
  [0x08, "flagged"],
  [0x10, "seen"],
];

/**
 * Between unique name and flags: `:`, and what file systems without colons write for it (isync, offlineimap, Samba).
 */
const INFO_SEPARATORS = ":;!\uf03a\uf022";

const STATUS = Buffer.from("Status:");
const EVOLUTION = Buffer.from("X-Evolution:");

const NO_FLAGS: readonly string[] = [];

const LF = 10;
const CR = 13;

/** Flags in the name of a Maildir file: the capital letters after `:2,`. */
export function maildirFlags(fileName: string): readonly string[] {
  return ordered(lettersOf(maildirInfo(fileName), MAILDIR_LETTERS));
}

/** The letters after `:2,` in the name of a Maildir file, or "". */
export function maildirInfo(fileName: string): string {
  const start = infoStart(fileName);
  return start < 0 ? "" : fileName.slice(start);
}

function infoStart(fileName: string): number {
  const comma = fileName.lastIndexOf("2,");
  return comma < 1 || !INFO_SEPARATORS.includes(fileName[comma - 1]!) ? -1 : comma + 2;
}

/** Flags of a message whose file name has no `:2,`: Thunderbird writes them into its header. */
export function unnamedFlags(fileName: string, message: Buffer): readonly string[] {
  return infoStart(fileName) < 0 ? headerFlags(message) : NO_FLAGS;
}

/** Flags in the header of an mbox message: `Status`, `X-Status`, `X-Mozilla-Status`, `X-Evolution`. */
export function headerFlags(message: Buffer): readonly string[] {
  // The status fields have this suffix, which most mail lacks: one search instead of scanning the lines of the header.
  const searched = message.length > LONG_MESSAGE_BYTES ? message.subarray(0, headerEnd(message)) : message;
  if (!searched.includes(STATUS) && !searched.includes(EVOLUTION)) return NO_FLAGS;
  const flags = new Set<Flag>();
  let line = 0;
  while (line < message.length) {
    const first = message[line]!;
    if (first === LF || first === CR) break;
    let end = message.indexOf(LF, line);
    if (end < 0) end = message.length;
    // Only lines that begin with S or X, in either case, can match: most lines cost one comparison.
    const letter = first | 0x20;
    if (letter === 0x73 || letter === 0x78) readStatusLine(message, line, { end, flags });
    line = end + 1;
  }
  return ordered(flags);
}

/** Bytes from which finding the end of the header costs less than searching the body. */
const LONG_MESSAGE_BYTES = 8 * 1024;

/** Where the first blank line begins, if all lines end like the first. */
function headerEnd(message: Buffer): number {
  const end = message.indexOf(message[message.indexOf(LF) - 1] === CR ? "\n\r\n" : "\n\n");
  return end < 0 ? message.length : end;
}

/** Maximum bytes of a status field: `X-Mozilla-Status: 0001` and some blanks. */
const STATUS_LINE_BYTES_MAX = 64;

function readStatusLine(
  message: Buffer,
  start: number,
  target: { readonly end: number; readonly flags: Set<Flag> },
): void {
  const text = message.toString("latin1", start, Math.min(target.end, start + STATUS_LINE_BYTES_MAX));
  const colon = text.indexOf(":");
  if (colon < 0) return;
  const name = text.slice(0, colon).toLowerCase();
  const value = text.slice(colon + 1).trim();
  if (name === "status" || name === "x-status")
    for (const flag of lettersOf(value, STATUS_LETTERS)) target.flags.add(flag);
  const [table, digits] = bitsOfField(name, value);
  const bits = Number.parseInt(digits, 16);
  for (const [bit, flag] of table) if ((bits & bit) !== 0) target.flags.add(flag);
}

/** The flags of a field in hexadecimal digits; no flags for other fields and values. */
function bitsOfField(name: string, value: string): readonly [readonly (readonly [number, Flag])[], string] {
  if (name === "x-mozilla-status" && /^[0-9a-f]{1,8}$/i.test(value)) return [MOZILLA_BITS, value];
  const written = name === "x-evolution" ? /^[0-9a-f]{8}-([0-9a-f]{4})/i.exec(value)?.[1] : undefined;
  return written === undefined ? [[], "0"] : [EVOLUTION_BITS, written];
}

function lettersOf(text: string, table: Readonly<Record<string, Flag>>): ReadonlySet<Flag> {
  const flags = new Set<Flag>();
  for (const letter of text) if (Object.hasOwn(table, letter)) flags.add(table[letter]!);
  return flags;
}

function ordered(flags: ReadonlySet<Flag>): readonly string[] {
  return flags.size === 0 ? NO_FLAGS : FLAG_ORDER.filter((flag) => flags.has(flag));
}
