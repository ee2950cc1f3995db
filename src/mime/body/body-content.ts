import { isUtf8 } from "node:buffer";
import { charsetDecoding } from "../../charset/charset-labels.ts";
import { decodeCharset } from "../../charset/decode-charset.ts";
import { isRareCharset } from "../../charset/rare-charsets.ts";
import { replaceLineEnds } from "../../mail/words/text-pieces.ts";
import type { MimeFindingCode } from "../syntax/findings.ts";
import { footerStart, isBase64Text } from "./base64-text.ts";
import { unfoldFlowed } from "./flowed-text.ts";
import type { MimeEntity } from "./structure.ts";
import { decodeBase64, decodeTransfer } from "./transfer-encoding.ts";

/**
 * Limit for the decoded bytes of a text part; as text they can take three times as much memory. A larger part is a log
 * file or an attack; the rest is only in the original.
 */
export const MAX_BODY_BYTES = 32 << 20;
/** Characters of an HTML body searched for its own charset declaration (HTML 13.2.3.2 says 1024 bytes). */
const META_WINDOW_BYTES = 1024;

/** The bytes of a leaf part, transfer encoding undone. They may share memory with the message. */
export function decodeBytes(entity: MimeEntity): Buffer {
  return decodeTransfer(entity.source.subarray(entity.bodyStart, entity.end), entity.encoding);
}

/** The bytes of a text part; decoded only if they really are base64. */
export function decodeTextBytes(entity: MimeEntity, findings: MimeFindingCode[]): Buffer {
  const body = entity.source.subarray(entity.bodyStart, entity.end);
  if (entity.encoding !== "base64") return decodeTransfer(body, entity.encoding);
  if (isBase64Text(body, entity.charset)) return decodeBase64Text(body);
  findings.push("base64-damaged");
  return body;
}

/** Decodes base64 and keeps the plain footer that a list server appended to it. */
function decodeBase64Text(body: Buffer): Buffer {
  const end = footerStart(body);
  if (end === body.length) return decodeBase64(body);
  const text = decodeBase64(body.subarray(0, end));
  // Footers are ASCII: in a two-byte charset they would be noise.
  return text.includes(0) ? text : Buffer.concat([text, LINE_FEED, body.subarray(end)]);
}

const LINE_FEED = Buffer.from("\n");

/**
 * Decodes the text of a part: charset, LF line breaks, format=flowed (RFC 3676). Truncates very long text with the
 * finding `body-cut`.
 */
export function decodeText(entity: MimeEntity, bytes: Buffer, findings: MimeFindingCode[]): string {
  const kept = bytes.length > MAX_BODY_BYTES ? bytes.subarray(0, characterStart(bytes, MAX_BODY_BYTES)) : bytes;
  if (kept.length < bytes.length) findings.push("body-cut");
  const text = withLineFeeds(decodeCharset(kept, labelOf(entity, bytes, findings)));
  if (entity.mediaType !== "text/plain" || entity.parameters.get("format")?.toLowerCase() !== "flowed") return text;
  return unfoldFlowed(text, entity.parameters.get("delsp")?.toLowerCase() === "yes");
}

/** Start of the character that contains a byte of UTF-8 text: it has at most four bytes. */
function characterStart(bytes: Buffer, at: number): number {
  for (let start = at; start > at - 4; start--) if ((bytes[start]! & 0xc0) !== 0x80) return start;
  return at;
}

function labelOf(entity: MimeEntity, bytes: Buffer, findings: MimeFindingCode[]): string | null {
  if (entity.charset !== null) {
    if (charsetDecoding(entity.charset, isRareCharset) === null) findings.push("charset-unknown");
    return entity.charset;
  }
  const declared =
    entity.mediaType === "text/html" ? declaredCharset(bytes.toString("latin1", 0, META_WINDOW_BYTES)) : null;
  return declared ?? (entity.unnamedCharset === null || isUtf8(bytes) ? null : entity.unnamedCharset);
}

/** `<meta charset=x>` or the charset in `<meta http-equiv … content="text/html; charset=x">`. */
export function declaredCharset(head: string): string | null {
  const lower = head.toLowerCase();
  for (let meta = lower.indexOf("<meta"); meta >= 0; meta = lower.indexOf("<meta", meta + 5)) {
    const close = lower.indexOf(">", meta);
    const tag = lower.slice(meta, close < 0 ? lower.length : close);
    const at = tag.indexOf("charset=");
    const label = at < 0 ? undefined : /^["']?([\w:.-]+)/.exec(tag.slice(at + "charset=".length))?.[1];
    // The page was read as bytes to find this, so it cannot be UTF-16 (HTML 13.2.3.2).
    if (label !== undefined) return label.startsWith("utf-16") ? "utf-8" : label;
  }
  return null;
}

function withLineFeeds(text: string): string {
  if (!text.includes("\r")) return text;
  return replaceLineEnds(text, (piece) => {
    const lines = piece.replaceAll("\r\n", "\n");
    return lines.includes("\r") ? lines.replace(/\r+\n?/g, "\n") : lines;
  });
}
