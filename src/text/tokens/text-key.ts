import { hash } from "node:crypto";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { keepLetters } from "../../mail/words/text-letters.ts";
import { type BodyParts, splitBody, textOf } from "../quoting/split-body.ts";

/**
 * Minimum bytes of letters and digits for own text to count alone (`Thanks` is too short): otherwise the text below it
 * counts as well.
 */
const MIN_OWN_BYTES = 40;
/** Minimum bytes for a whole body to count alone (`FYI` is too short): otherwise the subject counts as well. */
const MIN_TELLING_BYTES = 20;
/** Bytes of the hash in a key: an exact integer in every number type. */
const KEY_BYTES = 6;

/** Input of the key of equal texts. */
interface KeyedText {
  readonly body: Uint8Array;
  /** From `authoredText`. */
  readonly written: string;
  readonly baseSubject: string;
  /** Name and address (`Ann Reed <areed@x.example>`), or "". */
  readonly author: string;
}

/**
 * A key that is equal for messages with the same text: letters and digits, ignoring ASCII case, of the author's own
 * text, or of the whole body if that is short. If the whole body has a word or two, the base subject counts too, or
 * the author without a subject. Null without text. With 48 bits, one of about 6,000 archives with 300,000 messages
 * has a collision. @param scratch overwritten with the text
 */
export function textKey({ body, written, baseSubject, author }: KeyedText, scratch: Utf8Buffer): number | null {
  scratch.clear();
  scratch.text(written);
  let length = keepLetters(scratch.bytes, 0, scratch.length);
  if (length < MIN_OWN_BYTES) {
    scratch.clear();
    scratch.append(body);
    length = keepLetters(scratch.bytes, 0, scratch.length);
  }
  if (length === 0) return null;
  scratch.length = length;
  lowerAscii(scratch.view());
  // Letters contain no line feed, so a subject cannot pose as text, or an author as a subject.
  const address = author.slice(author.lastIndexOf("<")).toLowerCase();
  if (length < MIN_TELLING_BYTES) scratch.text(baseSubject === "" ? `\n\n${address}` : `\n${baseSubject}`);
  return hash("sha256", scratch.view(), "buffer").readUIntBE(0, KEY_BYTES);
}

/**
 * Own text plus a signature that only the author's name identifies: whether one is found depends on the sender and on
 * line breaks.
 * @param parts of the body
 */
export function authoredText(body: string, parts: BodyParts): string {
  const isSigned = parts.some(({ kind }) => kind === "signature");
  return textOf(body, isSigned ? splitBody(body) : parts, "own");
}

/**
 * Ignores ASCII case, since retyped text may differ. Non-ASCII letters stay unchanged: their other case may be longer.
 */
function lowerAscii(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x41 && byte <= 0x5a) bytes[at] = byte | 0x20;
  }
}
