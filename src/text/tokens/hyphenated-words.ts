import { APOSTROPHES } from "../../mail/words/apostrophes.ts";
import { CR, isAsciiLetter } from "../../mail/words/ascii.ts";

/** A hyphen at the end of a line. */
const PARTING = Buffer.from("-\n");
const PARTING_WITH_CR = Buffer.from("-\r\n");
/** The beginning of a quoted line. */
const QUOTE_MARKS = /^[> \t]*/;
/** Bytes checked on either side of a hyphen: only base64 has longer halves. */
const HALF_BYTES = 64;
const WORD_BEFORE = /[\p{L}\p{M}]{2,}$/u;
/** In lower case: `Smith-⏎Jones` is a name. */
const WORD_AFTER = /^\p{Ll}[\p{L}\p{M}]+/u;
/** Letters of the shortest word joined from both. */
export const MIN_JOINED_LETTERS = 4;
/** Names of letters with apostrophes or hyphens inside. */
const LETTERS = `(?![${APOSTROPHES}])\\p{L}(?:(?![${APOSTROPHES}])[\\p{L}\\p{M}])*`;
const JOINED_NAME = new RegExp(`${LETTERS}(?:[${APOSTROPHES}‐‑-]${LETTERS})+`, "gu");
const JOINT = new RegExp(`[${APOSTROPHES}‐‑-]`);
const JOINTS = new RegExp(JOINT, "g");

/** A word split by a hyphen at the end of a line. */
interface PartedWord {
  /** Both halves. */
  readonly word: string;
  /** Range from the hyphen to the second half: byte offsets, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * The words split by a hyphen at a line end, joined, one per line: `state-⏎ment` is also found as "statement". The
 * hyphen may belong to the word, so the halves remain words as well.
 */
export function wordsAcrossLines(text: Uint8Array): string {
  return partedWords(text)
    .map(({ word }) => word)
    .join("\n");
}

/** Joins words hyphenated at the end of a line; returns null if none of them is wanted. */
export function joinedAcrossLines(text: Uint8Array, isWanted = (_word: string): boolean => true): Uint8Array | null {
  const parted = partedWords(text);
  if (!parted.some(({ word }) => isWanted(word))) return null;
  const ends = [0, ...parted.map(({ end }) => end)];
  return Buffer.concat(ends.map((from, at) => text.subarray(from, parted[at]?.start ?? text.length)));
}

function partedWords(text: Uint8Array): readonly PartedWord[] {
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const parted = partedAtEach(buffer, PARTING);
  // Few texts contain a carriage return.
  if (!buffer.includes(CR)) return parted;
  return [...parted, ...partedAtEach(buffer, PARTING_WITH_CR)].sort((left, right) => left.start - right.start);
}

function partedAtEach(text: Buffer, parting: Buffer): readonly PartedWord[] {
  const parted: PartedWord[] = [];
  for (let at = text.indexOf(parting); at >= 0; at = text.indexOf(parting, at + 1)) {
    const word = partedAt(text, at, parting);
    if (word !== null) parted.push(word);
  }
  return parted;
}

function partedAt(text: Buffer, start: number, parting: Buffer): PartedWord | null {
  // Most are rules made of hyphens.
  if (!isLetterByte(text[start - 1])) return null;
  const before = WORD_BEFORE.exec(decoded(text, Math.max(0, start - HALF_BYTES), start));
  if (before === null) return null;
  const next = start + parting.length;
  const line = decoded(text, next, next + HALF_BYTES);
  // Quotation marks are ASCII.
  const marks = QUOTE_MARKS.exec(line)![0].length;
  const after = WORD_AFTER.exec(line.slice(marks));
  return after === null ? null : { word: before[0] + after[0], start, end: next + marks };
}

/**
 * Returns the names in an address field that contain apostrophes or hyphens, without these: `O'Connor` is also
 * `OConnor`.
 */
export function joinedNames(text: Uint8Array): string {
  const names = decoded(text, 0, text.length).match(JOINED_NAME) ?? [];
  return names.map((name) => name.replace(JOINTS, "")).join("\n");
}

/** The text with such names in that form. */
export function withJoinedNames(text: string): string {
  if (!JOINT.test(text)) return text;
  return text.replace(JOINED_NAME, (name) => name.replace(JOINTS, ""));
}

/** Also true for every byte of a non-ASCII character. */
function isLetterByte(byte = 0): boolean {
  return byte >= 0x80 || isAsciiLetter(byte);
}

function decoded(text: Uint8Array, start: number, end: number): string {
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8", start, end);
}
