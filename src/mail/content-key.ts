import { hash } from "node:crypto";
import type { Address } from "./address.ts";
import type { Instant } from "./instant.ts";
import type { Utf8Buffer } from "./utf8-buffer.ts";

/** Bytes of a content key: half a SHA-256. Nobody can make two mails collide on 128 bits. */
export const CONTENT_KEY_BYTES = 16;

/** What makes two copies of a Message-ID one message. */
export interface MessageContentFacts {
  readonly messageId: string;
  readonly from: Address | null;
  readonly subject: string;
  readonly sentAt: Instant | null;
  /** SHA-256 (hex) of each attachment, in order. */
  readonly attachments: readonly { readonly sha256: string }[];
  /** UTF-8. */
  readonly body: Uint8Array;
}

/**
 * The same Message-ID with the same sender, subject, date, text and attachments is the same message. Transport headers, folding, line ends,
 * blanks at the end and the `>From ` of mbox files differ between copies of one mail, so they do not count.
 * @param scratch what is hashed is gathered in it, in the place of what it holds.
 */
export function contentKey(facts: MessageContentFacts, scratch: Utf8Buffer): Uint8Array {
  const { messageId, from, subject, sentAt, attachments, body } = facts;
  // The document keeps whole seconds; a key must be the same whether a message came from mail or from a document.
  const seconds = sentAt === null ? null : Math.floor(sentAt / 1000);
  let head = `${messageId}\n${from?.email.toLowerCase() ?? ""}\n${subject}\n${seconds}\n`;
  for (const attachment of attachments) head += `${attachment.sha256}\n`;
  // One call on one buffer: a hash object costs more than hashing an ordinary mail.
  scratch.clear();
  scratch.text(head);
  scratch.append(trimmedText(body));
  return hash("sha256", scratch.view(), "buffer").subarray(0, CONTENT_KEY_BYTES);
}

/** Mail without Message-ID: only equal bytes are the same message. @param sha256 of the raw message, hex. */
export function contentKeyOfBytes(sha256: string): Uint8Array {
  return Buffer.from(sha256.slice(0, CONTENT_KEY_BYTES * 2), "hex");
}

/** The id that mail without Message-ID gets, so that a later run knows it again. @param sha256 of the raw message, hex. */
export function ownMessageId(sha256: string): string {
  return `sha256:${sha256}@archivetool`;
}

/** True for ids that `ownMessageId` gives. */
export function isOwnMessageId(id: string): boolean {
  return /^sha256:[0-9a-f]{64}@archivetool$/.test(id);
}

const QUOTED_FROM = Buffer.from("\n>From ");

function trimmedText(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const unquoted = bytes.includes(QUOTED_FROM) ? Buffer.from(bytes.toString("utf8").replaceAll(/\n>+From /g, "\nFrom "), "utf8") : bytes;
  let end = unquoted.length;
  while (end > 0 && (unquoted[end - 1] as number) <= 0x20) end -= 1;
  return unquoted.subarray(0, end);
}
