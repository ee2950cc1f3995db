import iconv from "iconv-lite";
import type { Charset } from "./draft.ts";

/**
 * Bytes of an RFC 2047 encoded word's text: with charset and `=?…?B?…?=` around it the word stays below 75 characters.
 */
const ENCODED_WORD_BYTES = 36;

const LINE_CHARACTERS = 76;

/**
 * The text in a charset. ISO-2022-JP is made from EUC-JP: the same two bytes with their high bits off, between escapes.
 */
export function encodeText(text: string, charset: Charset): Buffer {
  return charset === "iso-2022-jp" ? encodeIso2022Jp(text) : iconv.encode(text, charset);
}

function encodeIso2022Jp(text: string): Buffer {
  const bytes: number[] = [];
  let isKanji = false;
  for (const character of text) {
    const euc = iconv.encode(character, "euc-jp");
    const wantsKanji = euc.length === 2;
    if (wantsKanji !== isKanji) bytes.push(0x1b, ...(wantsKanji ? [0x24, 0x42] : [0x28, 0x42]));
    isKanji = wantsKanji;
    for (const byte of euc) bytes.push(byte & 0x7f);
  }
  if (isKanji) bytes.push(0x1b, 0x28, 0x42);
  return Buffer.from(bytes);
}

export function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/** An unstructured field body or a display name, as encoded words when it is not ASCII (RFC 2047). */
export function encodeHeaderText(text: string, charset: Charset): string {
  if (isAscii(text)) return text;
  const words: string[] = [];
  let chunk = "";
  for (const character of text) {
    if (encodeText(chunk + character, charset).length > ENCODED_WORD_BYTES) {
      words.push(chunk);
      chunk = "";
    }
    chunk += character;
  }
  words.push(chunk);
  return words.map((word) => `=?${charset}?B?${encodeText(word, charset).toString("base64")}?=`).join("\r\n ");
}

/** Base64 in lines of 76 characters (RFC 2045 section 6.8). */
export function base64Lines(bytes: Buffer): string {
  return `${(bytes.toString("base64").match(new RegExp(`.{1,${LINE_CHARACTERS}}`, "g")) ?? []).join("\r\n")}\r\n`;
}

/** Quoted-printable of text with CRLF line ends (RFC 2045 section 6.7). */
export function quotedPrintable(bytes: Buffer): string {
  const lines = bytes.toString("latin1").split("\r\n");
  return lines.map(quoteLine).join("\r\n");
}

function quoteLine(line: string): string {
  let quoted = "";
  let width = 0;
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index);
    const isLastBlank = (code === 0x20 || code === 0x09) && index === line.length - 1;
    const piece =
      code > 0x7e || code < 0x20 || code === 0x3d || isLastBlank
        ? `=${code.toString(16).toUpperCase().padStart(2, "0")}`
        : line[index]!;
    if (width + piece.length > LINE_CHARACTERS - 1) {
      quoted += "=\r\n";
      width = 0;
    }
    quoted += piece;
    width += piece.length;
  }
  return quoted;
}
