import { isAscii, isUtf8 } from "node:buffer";
import { decodeCharset } from "../../charset/decode-charset.ts";
import { replaceLineEnds } from "../../mail/words/text-pieces.ts";
import { declaredCharset } from "../../mime/body/body-content.ts";
import type { Properties } from "../../properties/properties.ts";
import { bytesOf, TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import { charsetOfCodePage, decodeString8, type TextCharsets, textCharsets } from "../../properties/text-code-page.ts";
import { htmlToText } from "../../text/html/html-to-text.ts";
import { decompressRtf } from "./lzfu.ts";
import { readRtf } from "./rtf-text.ts";

/** Properties with plain text, in order of preference. */
const PLAIN_TEXTS: readonly number[] = [PID.body, PID.reportText];

/** Bytes of a page that contain its charset declaration. */
const HTML_HEAD_BYTES = 4096;
/** Escape, shift out, and the first pair of HZ: without them, text in a 7-bit charset is ASCII. */
const SHIFTS = ["\x1b", "\x0e", "~{"] as const;
/** Maximum UTF-16 units of a page that may be blank: Word writes a few thousand around no text. */
const MAX_BLANK_PAGE = 8192;

/** The available bodies of an item; line ends are LF. */
interface RichBodies {
  readonly textBody: string | null;
  readonly htmlBody: string | null;
  /** False if its RTF did not match its CRC, or ended early. */
  readonly isIntact: boolean;
}

/**
 * Plain text, HTML, and whichever is encapsulated in RTF if the item has only that ([MS-OXBBODY] 2.1.3.1). An empty
 * body does not hide another one.
 */
export function richBodies(properties: Properties): RichBodies {
  const textBody = plainText(properties);
  const htmlBody = readHtml(properties);
  const isTextBlank = textBody === null || textBody.trim() === "";
  const mayBeInRtf = isTextBlank && properties.has(PID.rtfCompressed);
  if (htmlBody !== null && !(mayBeInRtf && isBlankPage(htmlBody)))
    return { textBody: withLf(textBody), htmlBody: withLf(htmlBody), isIntact: true };
  const compressed = properties.binary(PID.rtfCompressed);
  const rtf = compressed === null ? null : decompressRtf(compressed);
  if (rtf === null) return { textBody: withLf(textBody), htmlBody: withLf(htmlBody), isIntact: true };
  const { kind, content } = readRtf(rtf.bytes, properties.charsets);
  const meaning = content.trim() === "" ? null : content;
  return {
    textBody: withLf(kind === "text" && isTextBlank ? (meaning ?? textBody) : textBody),
    htmlBody: withLf(kind === "html" ? (meaning ?? htmlBody) : htmlBody),
    isIntact: rtf.isIntact,
  };
}

/** True for a short page without text and without pictures. */
function isBlankPage(html: string): boolean {
  return html.length <= MAX_BLANK_PAGE && !/<img\b/i.test(html) && htmlToText(html).trim() === "";
}

/** Readable text of a body: the plain text unless empty, else the HTML as text, else "". */
export function readableBody({ textBody, htmlBody }: Pick<RichBodies, "textBody" | "htmlBody">): string {
  const text = textBody?.trim() ?? "";
  // Since 2013, Outlook stores the text of an appointment, contact or task only as HTML, or as RTF made from it.
  return text !== "" || htmlBody === null ? text : htmlToText(htmlBody).trim();
}

function plainText(properties: Properties): string | null {
  for (const id of PLAIN_TEXTS) {
    const text = properties.text(id);
    if (text !== null) return text;
  }
  return null;
}

/** HTML is bytes in some charset, a string in some stores, and a string of 8 bits in some files. */
function readHtml(properties: Properties): string | null {
  if (properties.source.typeOf(PID.html) === TYPE.string) return properties.text(PID.html);
  const bytes = bytesOf(properties.source, PID.html);
  return bytes === null || bytes.length === 0 ? null : decodeHtml(bytes, properties) || null;
}

/**
 * Charset of HTML: from the page itself, then its code page, then that of other texts. Converting programs did not
 * update the first, others wrote arbitrary numbers to the second.
 */
function decodeHtml(bytes: Buffer, properties: Properties): string {
  const head = bytes.subarray(0, HTML_HEAD_BYTES);
  // Wide characters need no label: half the bytes of the tags are zero.
  if (head.subarray(0, 4).includes(0)) return decodeCharset(bytes, "utf-16le");
  const sentIn = charsetOfCodePage(properties.integer(PID.internetCodePage));
  const named = textCharsets([declaredCharset(head.toString("latin1")), sentIn]);
  return decodeString8(bytes, isDecided(bytes, named) ? named : textCharsets([...named, ...properties.charsets]));
}

/** True if further charsets cannot change the text of most pages. Reading them means parsing the transport headers. */
function isDecided(bytes: Buffer, named: TextCharsets): boolean {
  if (named.length === 0) return false;
  return isAscii(bytes) ? !SHIFTS.some((shift) => bytes.includes(shift)) : named.includes("utf-8") && isUtf8(bytes);
}

/** Replaces pairs first: they are nearly all there is, and searching for a fixed text is faster than a pattern. */
function withLf(text: string | null): string | null {
  if (text === null || !text.includes("\r")) return text;
  return replaceLineEnds(text, (piece) => {
    const joined = piece.replaceAll("\r\n", "\n");
    return joined.includes("\r") ? joined.replaceAll("\r", "\n") : joined;
  });
}
