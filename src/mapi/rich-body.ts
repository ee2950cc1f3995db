import { codePageLabel, decodeCharset } from "../charset/decode-charset.ts";
import { replaceLineEnds } from "../mail/text-pieces.ts";
import type { Properties } from "../properties/properties.ts";
import { TYPE } from "../properties/property-bytes.ts";
import { PID } from "../properties/property-ids.ts";
import { htmlToText } from "../text/html-to-text.ts";
import { decompressRtf } from "./lzfu.ts";
import { readRtf } from "./rtf-text.ts";

/** Where the plain text of an item is, the first that is there. */
const PLAIN_TEXTS: readonly number[] = [PID.body, PID.reportText];

/** The bodies of an item as far as it has them; line ends are LF. */
export interface RichBodies {
  readonly textBody: string | null;
  readonly htmlBody: string | null;
  /** False when its RTF did not fit its CRC, or ended early. */
  readonly isIntact: boolean;
}

/** Plain text, HTML, and what the RTF wraps of either when the item keeps only that ([MS-OXBBODY] 2.1.3.1). */
export function richBodies(properties: Properties): RichBodies {
  const textBody = plainText(properties);
  const htmlBody = readHtml(properties);
  if (htmlBody !== null) return { textBody: withLf(textBody), htmlBody: withLf(htmlBody), isIntact: true };
  const compressed = properties.binary(PID.rtfCompressed);
  const rtf = compressed === null ? null : decompressRtf(compressed);
  if (rtf === null) return { textBody: withLf(textBody), htmlBody: null, isIntact: true };
  const { kind, content } = readRtf(rtf.bytes);
  const meaning = content.trim() === "" ? null : content;
  return {
    textBody: withLf(kind === "text" ? (textBody ?? meaning) : textBody),
    htmlBody: withLf(kind === "html" ? meaning : null),
    isIntact: rtf.isIntact,
  };
}

/** What a person reads of a body: the plain text when it says anything, else the HTML as text; "" when neither does. */
export function readableBody({ textBody, htmlBody }: Pick<RichBodies, "textBody" | "htmlBody">): string {
  const text = textBody?.trim() ?? "";
  // Outlook since 2013 keeps what was written into an appointment, contact or task as HTML, or as RTF made of it,
  // alone.
  return text !== "" || htmlBody === null ? text : htmlToText(htmlBody).trim();
}

function plainText(properties: Properties): string | null {
  for (const id of PLAIN_TEXTS) {
    const text = properties.text(id);
    if (text !== null) return text;
  }
  return null;
}

/** HTML is bytes in the internet code page, or a string in some stores. */
function readHtml(properties: Properties): string | null {
  if (properties.source.typeOf(PID.html) !== TYPE.binary) return properties.text(PID.html);
  const bytes = properties.binary(PID.html);
  if (bytes === null) return null;
  const codePage = properties.integer(PID.internetCodePage);
  return decodeCharset(bytes, codePage === null ? null : codePageLabel(codePage)) || null;
}

/** Pairs first: they are nearly all there is, and a search for a fixed text is quicker than a pattern. */
function withLf(text: string | null): string | null {
  if (text === null || !text.includes("\r")) return text;
  return replaceLineEnds(text, (piece) => {
    const joined = piece.replaceAll("\r\n", "\n");
    return joined.includes("\r") ? joined.replaceAll("\r", "\n") : joined;
  });
}
