/**
 * File names are bytes. Their text must be valid Unicode, readable and reversible: each byte that is not valid UTF-8
 * becomes U+FFFD and its two hex digits, and so do the bytes of an actual U+FFFD.
 */
const MARK = "\ufffd";
const MARK_BYTES = Buffer.from(MARK);

/** Reads the bytes of a file name; plain UTF-8 names, nearly all there are, come out unchanged. */
export function decodePath(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.includes(MARK) ? escapeInvalid(bytes) : text;
}

/** The path to pass to the file system: the text itself, or its bytes if text cannot represent it. */
export function encodePath(text: string): string | Buffer {
  if (!text.includes(MARK)) return text;
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, from)) {
    pieces.push(Buffer.from(text.slice(from, at)));
    const digits = text.slice(at + 1, at + 3);
    const isEscape = /^[0-9a-f]{2}$/.test(digits);
    pieces.push(isEscape ? Buffer.of(Number.parseInt(digits, 16)) : MARK_BYTES);
    from = at + (isEscape ? 3 : 1);
  }
  pieces.push(Buffer.from(text.slice(from)));
  return Buffer.concat(pieces);
}

/** A name for a new file: invalid bytes become `_`, because escapes would be escaped again when read. */
export function writableName(name: string): string {
  return name.replaceAll(/\ufffd[0-9a-f]{2}/g, "_");
}

/** The bytes that `decodePath` read. */
export function pathBytes(text: string): Buffer {
  const path = encodePath(text);
  return typeof path === "string" ? Buffer.from(path) : path;
}

function escapeInvalid(bytes: Buffer): string {
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes[at]!);
    const piece = bytes.toString("utf8", at, at + length);
    const isWhole = !piece.includes(MARK) && at + length <= bytes.length;
    text += isWhole ? piece : MARK + bytes[at]!.toString(16).padStart(2, "0");
    at += isWhole ? length : 1;
  }
  return text;
}

/** Length of the UTF-8 sequence with this lead byte. */
function sequenceLength(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/**
 * Order of files in a directory: numbers first and by value (`1.`, `2.`, `10.`, with or without extension), then the
 * rest by bytes. A total order: two names compare equal only when they are the same.
 */
export function compareNames(left: string, right: string): number {
  return compareNumbered({ name: left, number: numberOf(left) }, { name: right, number: numberOf(right) });
}

/** Sorts entries as `compareNames` does, and parses each name once. */
export function sortedByName<Entry extends { readonly name: string }>(entries: readonly Entry[]): readonly Entry[] {
  return entries
    .map((entry) => ({ entry, name: entry.name, number: numberOf(entry.name) }))
    .sort(compareNumbered)
    .map(({ entry }) => entry);
}

/** A name and its number, from `numberOf`. */
interface NumberedName {
  readonly name: string;
  readonly number: number;
}

function compareNumbered(left: NumberedName, right: NumberedName): number {
  if (left.number !== right.number) {
    if (left.number < 0 || right.number < 0) return left.number < 0 ? 1 : -1;
    return left.number - right.number;
  }
  return compareBytewise(left.name, right.name);
}

/** Order of the UTF-8 bytes without encoding: like code units, except for surrogates. */
export function compareBytewise(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

/** Surrogates represent code points above every other code unit. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The number that is the name of a file, or -1. 15 digits are exact in a Number. */
function numberOf(name: string): number {
  const dot = name.indexOf(".");
  const digits = dot < 0 ? name : name.slice(0, dot);
  if (digits.length === 0 || digits.length > 15 || !/^[0-9]+$/.test(digits)) return -1;
  return dot < 0 || /^[A-Za-z]*$/.test(name.slice(dot + 1)) ? Number(digits) : -1;
}
