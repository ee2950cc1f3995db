import { decodeHTML } from "entities";
import { StringBuilder } from "../../mail/words/text-pieces.ts";

/**
 * UTF-16 units decoded at a time: the decoder links each reference to the previous text, using forty times its
 * decoded size.
 */
const PIECE_UNITS = 64 * 1024;
const AMPERSAND = "&";

/** Decodes the character references of a text between tags (WHATWG HTML 13.2.5.72 and on), in a text of any length. */
export function decodeReferences(text: string): string {
  if (text.length <= PIECE_UNITS) return decodeHTML(text);
  const decoded = new StringBuilder();
  for (let start = 0, end = 0; start < text.length; start = end) {
    // A reference begins at the only ampersand of the text.
    const last = text.lastIndexOf(AMPERSAND, start + PIECE_UNITS);
    const next = last > start ? last : text.indexOf(AMPERSAND, start + 1);
    end = text.length - start <= PIECE_UNITS || next < 0 ? text.length : next;
    decoded.add(decodeHTML(text.slice(start, end)));
  }
  return decoded.toString();
}
