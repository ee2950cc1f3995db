import { hash } from "node:crypto";
import type { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { keepLetters } from "../mail/text-letters.ts";

/** Bytes of letters and digits below which own text says too little (`Thanks`): what stands below it counts as well. */
const MIN_OWN_BYTES = 40;
/** Bytes of them from which a text is the same text whatever its subject is. */
const LONG_TEXT_BYTES = 200;
/** Bytes of the hash in a key: with the bit behind it, which tells long texts, an integer that every number type holds. */
const KEY_BYTES = 6;

/**
 * Equal for messages that say the same: their letters and digits, in either case, of what their authors wrote, or of the whole body
 * where that is little; and the same base subject, where all of it is little. Null where nothing is said. Whoever
 * takes short messages for repeats of each other asks for the same author, thread or subject as well.
 *
 * @param scratch the text is gathered in it, in the place of what it holds
 */
export function textKey(
  { body, ownText, baseSubject }: { readonly body: Uint8Array; readonly ownText: string; readonly baseSubject: string },
  scratch: Utf8Buffer,
): number | null {
  scratch.clear();
  scratch.text(ownText);
  let length = keepLetters(scratch.bytes, 0, scratch.length);
  if (length < MIN_OWN_BYTES) {
    scratch.clear();
    scratch.append(body);
    length = keepLetters(scratch.bytes, 0, scratch.length);
  }
  if (length === 0) return null;
  scratch.length = length;
  lowerAscii(scratch.view());
  const isLong = length >= LONG_TEXT_BYTES;
  // No letter is a line feed: a subject cannot pose as text.
  if (!isLong) scratch.text(`\n${baseSubject}`);
  return hash("sha256", scratch.view(), "buffer").readUIntBE(0, KEY_BYTES) * 2 + (isLong ? 1 : 0);
}

/**
 * True for the key of a text that is long enough to be the same whoever wrote it: forwarded jokes, warnings of viruses,
 * what is sent from ever new addresses. By 48 bits alone one of some 6,000 archives of 300,000 messages takes two
 * different ones for one.
 */
export const isLongText = (key: number): boolean => key % 2 === 1;

/** Who writes a text anew may begin it otherwise. Letters beyond ASCII stay: their other case may be longer. */
function lowerAscii(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x41 && byte <= 0x5a) bytes[at] = byte | 0x20;
  }
}
