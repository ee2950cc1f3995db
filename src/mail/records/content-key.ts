import { hash } from "node:crypto";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { type Instant, MINUTE_MS } from "../dates/instant.ts";
import { SPACE } from "../words/ascii.ts";
import { keepLetters } from "../words/text-letters.ts";
import { StringBuilder } from "../words/text-pieces.ts";
import type { Address } from "./address.ts";

/** Bytes of a content key: half a SHA-256. Nobody can make two mails collide on 128 bits. */
export const CONTENT_KEY_BYTES = 16;

/** Content that identifies a message. */
interface MessageContentFacts {
  /** Null if the mail has none. */
  readonly messageId: string | null;
  /** SHA-256 of the raw mail, lower-case hex. */
  readonly sha256: string;
  readonly from: Address | null;
  readonly sentAt: Instant | null;
  readonly subject: string;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly attachments: readonly { readonly filename: string; readonly mediaType: string; readonly sha256: string }[];
  /** Text of each event in its calendar parts. */
  readonly calendar: readonly string[];
  /** Plain text, UTF-8; empty if there is none. */
  readonly text: Uint8Array;
  /** HTML as sent, or null. */
  readonly html: string | null;
}

/**
 * Equal for duplicates of a mail with any Message-ID: same sender, UTC minute, subject, recipients in To and Cc,
 * attachments, calendar parts, and letters and digits of text and HTML. Without date, sender or content, the
 * Message-ID must be equal too, and without one every byte. Changes by mail programs do not count: transport fields,
 * folding, line breaks, quoting, blanks, order of recipients, display names, Bcc. Every part is hashed with its
 * length, so that none can imitate another. @param scratch buffer for the hashed bytes, overwritten @param keepCopies
 * true if mails that differ only in their Message-ID are separate messages
 */
export function contentKey(facts: MessageContentFacts, scratch: Utf8Buffer, keepCopies: boolean): Uint8Array {
  const { messageId, from, sentAt, attachments, calendar, text, html } = facts;
  const sender = from === null ? "" : addressPart(from);
  scratch.clear();
  scratch.append(text);
  const textBytes = cutToLetters(scratch, 0);
  if (html !== null) scratch.text(html);
  const htmlBytes = cutToLetters(scratch, textBytes);
  const hasContent = textBytes > 0 || htmlBytes > 0 || attachments.length > 0 || calendar.length > 0;
  const isTelling = sentAt !== null && sender !== "" && hasContent;
  const needsId = keepCopies || !isTelling;
  if (needsId && messageId === null) return contentKeyOfBytes(facts.sha256);
  let head = `${needsId ? "id" : "copy"} ${textBytes} ${htmlBytes}\n`;
  if (needsId) head += part(messageId!);
  head += part(sender) + part(sentAt === null ? "" : String(Math.floor(sentAt / MINUTE_MS)));
  head += part(withSingleBlanks(facts.subject));
  head += addressList(facts.to) + addressList(facts.cc) + part(String(attachments.length));
  for (const { filename, mediaType, sha256 } of attachments) head += part(filename) + part(mediaType) + part(sha256);
  for (const event of calendar) head += part(event);
  // After the texts, which are normalized in place: their lengths start this header, and its own length comes last.
  const headStart = scratch.length;
  scratch.text(head);
  scratch.text(String(scratch.length - headStart).padStart(LENGTH_DIGITS, "0"));
  return hash("sha256", scratch.view(), "buffer").subarray(0, CONTENT_KEY_BYTES);
}

/** Something else than single blanks between words. */
const UNEVEN = /[^\S ]|\s\s/;
const WHITE_SPACE = /\s/;
const NO_BREAK_SPACE = 0xa0;

/**
 * Collapses runs of white space and trims. A global expression remembers every replacement: a subject of 16 MB took
 * 400 MB.
 */
function withSingleBlanks(text: string): string {
  if (!UNEVEN.test(text)) return text.trim();
  const even = new StringBuilder();
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (!isWhite(text, at)) continue;
    const first = at;
    while (isWhite(text, at + 1)) at++;
    if (at === first && text.charCodeAt(at) === SPACE) continue;
    even.add(text.slice(start, first));
    even.add(" ");
    start = at + 1;
  }
  even.add(text.slice(start));
  return even.toString().trim();
}

function isWhite(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < NO_BREAK_SPACE) return unit === SPACE || (unit >= 0x09 && unit <= 0x0d);
  return unit >= NO_BREAK_SPACE && WHITE_SPACE.test(text[at]!);
}

/** Digits of the length of the head: more than any length has. */
const LENGTH_DIGITS = 12;

/** A text, preceded by its length. */
function part(text: string): string {
  return `${text.length}:${text}`;
}

function addressPart({ name, email }: Address): string {
  return (email === "" ? name : email).trim().toLowerCase();
}

/** The number of texts, then each, in sorted order. */
function addressList(addresses: readonly Address[]): string {
  let list = part(String(addresses.length));
  if (addresses.length === 1) return list + part(addressPart(addresses[0]!));
  for (const address of addresses.map(addressPart).sort()) list += part(address);
  return list;
}

/** Reduces the buffer's content from an offset to letters and digits; returns the remaining number of bytes. */
function cutToLetters(buffer: Utf8Buffer, start: number): number {
  buffer.length = keepLetters(buffer.bytes, start, buffer.length);
  return buffer.length - start;
}

/** A key by which only equal bytes are the same message. @param sha256 of the raw mail, hex. */
export function contentKeyOfBytes(sha256: string): Uint8Array {
  return hash("sha256", `bytes ${sha256}`, "buffer").subarray(0, CONTENT_KEY_BYTES);
}

/**
 * The id that mail without Message-ID gets, so that a later run knows it again. @param sha256 of the raw message, hex.
 */
export function generatedMessageId(sha256: string): string {
  return `sha256:${sha256}@archivetool`;
}

/** True for ids that `generatedMessageId` returns. */
export function isGeneratedMessageId(id: string): boolean {
  return /^sha256:[0-9a-f]{64}@archivetool$/.test(id);
}
