const HYPHEN = 0x2d;
const [LINE_FEED, RETURN] = [0x0a, 0x0d];
/** What begins a quoted line. */
const QUOTE_MARKS = /^[> \t]*/;
/** Bytes on either side of a hyphen that are looked at: no word has a longer half, but for base64. */
const HALF_BYTES = 64;
const WORD_BEFORE = /[\p{L}\p{M}]{2,}$/u;
/** In lower case: `Smith-⏎Jones` is a name. */
const WORD_AFTER = /^\p{Ll}[\p{L}\p{M}]+/u;
/** Names of letters with apostrophes or hyphens inside. */
const JOINED_NAME = /\p{L}[\p{L}\p{M}]*(?:['’‘ʼ`´‐‑-]\p{L}[\p{L}\p{M}]*)+/gu;
const JOINTS = /[^\p{L}\p{M}]/gu;

/**
 * The words that a hyphen at the end of a line parts, each whole, one a line: `state-⏎ment` is also found as
 * "statement". Nothing tells whether the hyphen is the word's own, so its halves remain words as well.
 */
export function wordsAcrossLines(text: Uint8Array): string {
  const words: string[] = [];
  for (let at = text.indexOf(HYPHEN); at >= 0; at = text.indexOf(HYPHEN, at + 1)) {
    const end = text[at + 1] === RETURN ? at + 2 : at + 1;
    if (text[end] !== LINE_FEED) continue;
    const before = WORD_BEFORE.exec(decoded(text, Math.max(0, at - HALF_BYTES), at));
    if (before === null) continue;
    const line = decoded(text, end + 1, end + 1 + HALF_BYTES);
    const after = WORD_AFTER.exec(line.replace(QUOTE_MARKS, ""));
    if (after !== null) words.push(before[0] + after[0]);
  }
  return words.join("\n");
}

/** The names of an address field that hold apostrophes or hyphens, without them: `O'Connor` is also `OConnor`. */
export function joinedNames(text: Uint8Array): string {
  const names = decoded(text, 0, text.length).match(JOINED_NAME) ?? [];
  return names.map((name) => name.replace(JOINTS, "")).join("\n");
}

function decoded(text: Uint8Array, start: number, end: number): string {
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8", start, end);
}
