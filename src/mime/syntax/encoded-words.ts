import { decodeCharset, decodeUnlabeledField } from "../../charset/decode-charset.ts";
import { decodeQ } from "./quoted-printable.ts";

/** An encoded word (RFC 2047 section 2) of a header text. */
interface EncodedWord {
  readonly charset: string;
  readonly encoding: "b" | "q";
  readonly text: string;
  /** Offset after the closing `?=`. */
  readonly end: number;
}

/** Maximum length of charset names; prevents repeated searches for "?" through a broken header. */
const MAX_CHARSET_LENGTH = 80;

/**
 * Maximum characters of one encoded word; RFC 2047 allows 75, but some writers never split. Bounds the search for `?=`
 * in a header full of openings.
 */
const MAX_WORD_LENGTH = 8192;

/**
 * Decodes a header text given as one character per byte: encoded words, and raw 8-bit text as UTF-8 or, if it is
 * invalid, as `charset` (see `fieldCharset`; null if the message names none). Adjacent words of one charset are joined
 * as bytes before decoding, because writers split characters. All other text stays unchanged.
 */
export function decodeHeaderText(text: string, charset: string | null = null): string {
  if (!text.includes("=?")) return decodeRawText(text, charset);
  const pieces: string[] = [];
  let position = 0;
  let start = text.indexOf("=?");
  while (start >= 0) {
    const word = encodedWordAt(text, start);
    if (word === null) {
      start = text.indexOf("=?", start + 2);
      continue;
    }
    pieces.push(decodeRawText(text.slice(position, start), charset));
    const run = readRun(text, word);
    pieces.push(decodeRun(run.words));
    position = run.end;
    start = text.indexOf("=?", position);
  }
  pieces.push(decodeRawText(text.slice(position), charset));
  return pieces.join("");
}

/** Text without encoded words: only 8-bit bytes are decoded. */
export function decodeRawText(text: string, charset: string | null = null): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80 || code === 0 || code === 0x1b) return decodeUnlabeledField(Buffer.from(text, "latin1"), charset);
  }
  return text;
}

/** The encoded word at an offset; null if there is none. Blanks inside are accepted: folding broke the word. */
export function encodedWordAt(text: string, start: number): EncodedWord | null {
  const charsetEnd = text.indexOf("?", start + 2);
  if (charsetEnd <= start + 2 || charsetEnd - start > MAX_CHARSET_LENGTH) return null;
  const letter = text.charCodeAt(charsetEnd + 1) | 0x20;
  if ((letter !== 0x62 && letter !== 0x71) || text.charCodeAt(charsetEnd + 2) !== 0x3f) return null;
  const contentStart = charsetEnd + 3;
  const content = text.slice(contentStart, contentStart + MAX_WORD_LENGTH);
  const length = contentLength(content);
  if (length === OPENS_ANOTHER) return null;
  // A word cut off by the end of the header is still read when nothing but its text follows.
  if (length < 0 && (contentStart + content.length < text.length || content.includes(" "))) return null;
  const charset = text.slice(start + 2, charsetEnd);
  if (charset.includes(" ") || charset.includes("=")) return null;
  return {
    charset: charset.toLowerCase(),
    encoding: letter === 0x62 ? "b" : "q",
    text: length < 0 ? content : content.slice(0, length),
    end: length < 0 ? text.length : contentStart + length + 2,
  };
}

const NOT_CLOSED = -1;
const OPENS_ANOTHER = -2;

/**
 * Characters before the closing `?=`. Tolerates a raw "?" inside, but stops where another word opens, since this one
 * was never closed. This also avoids a search for each opening in a header full of them.
 */
function contentLength(content: string): number {
  for (let at = content.indexOf("?"); at >= 0; at = content.indexOf("?", at + 1)) {
    if (content.charCodeAt(at + 1) === 0x3d) return at;
    if (at > 0 && content.charCodeAt(at - 1) === 0x3d) return OPENS_ANOTHER;
  }
  return NOT_CLOSED;
}

/** A word and those that follow it with only blanks between (RFC 2047 section 6.2: the blanks are not shown). */
function readRun(text: string, first: EncodedWord): { readonly words: readonly EncodedWord[]; readonly end: number } {
  const words = [first];
  let end = first.end;
  for (;;) {
    let next = end;
    while (next < text.length && text.charCodeAt(next) <= 0x20) next++;
    const word = text.startsWith("=?", next) ? encodedWordAt(text, next) : null;
    if (word === null) return { words, end };
    words.push(word);
    end = word.end;
  }
}

/** A field has one line: line breaks that some writers encode would break its output. */
const LINE_ENDS = /[\r\n]+/g;

function decodeRun(words: readonly EncodedWord[]): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < words.length) {
    const charset = words[at]!.charset;
    const bytes: Buffer[] = [];
    while (at < words.length && words[at]!.charset === charset) {
      // Some writers split base64 inside a group of four: join the text until the group is complete.
      let encoded = words[at]!;
      while (isCutBase64(encoded) && words[at + 1]?.charset === charset && isCutRest(words[at + 1]!)) {
        at++;
        encoded = { ...encoded, text: encoded.text + words[at]!.text };
      }
      bytes.push(encoded.encoding === "b" ? Buffer.from(encoded.text, "base64") : decodeQ(encoded.text));
      at++;
    }
    pieces.push(decodeCharset(bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes), charset));
  }
  return pieces.join("").replace(LINE_ENDS, " ");
}

/** False for a word of whole groups: the pads of the word before it are missing. */
function isCutRest({ encoding, text }: EncodedWord): boolean {
  return encoding === "b" && text.length % 4 !== 0;
}

function isCutBase64(word: EncodedWord): boolean {
  return word.encoding === "b" && word.text.length % 4 !== 0 && !word.text.includes("=") && !word.text.includes(" ");
}
