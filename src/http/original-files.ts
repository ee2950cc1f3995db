import type { FastifyReply, FastifyRequest } from "fastify";
import { ArchiveError } from "../errors.ts";
import type { Archive, ArchivedMessage } from "../mail/archive.ts";
import type { CalendarEvent } from "../mail/records/calendar-event.ts";
import type { ArchivedItem } from "../mail/records/item.ts";
import type { SourcesRead } from "../mail/records/provenance.ts";
import type { MailSource } from "../mcp/tool-row.ts";
import type { OriginalThread } from "../originals/original-thread.ts";
import type { OriginalPart } from "../originals/part-of-original.ts";
import { MISSING_ORIGINAL_CODES, originalPlaces } from "../outputs/export/message-bytes.ts";
import type { OriginalPlace, OriginalState } from "../sources/read-original.ts";
import { sanitizeFilename } from "../text/tokens/attachment-name.ts";
import { formatText } from "./format-value.ts";
import { orNotFound } from "./query-api/query-route.ts";

/** Paths below which both servers have the routes of originals. */
export const ORIGINAL_PATHS = [
  "/messages/{message_id}/original",
  "/messages/{message_id}/attachments/{number}",
  "/events/{event_id}/attachments/{number}",
  "/items/{item_id}/attachments/{number}",
] as const;

/** The requested message, by the parameter of its path. */
export interface MessageParameters {
  readonly message_id: string;
}

/** The requested part, by the parameters of its path. */
export interface OriginalParameters extends Partial<MessageParameters> {
  readonly event_id?: string;
  readonly item_id?: string;
  /** Number of the attachment, from 1; absent for the message itself. */
  readonly number?: string;
}

/** An archive borrowed for a request, and the reader of its originals. */
export interface OriginalLoan {
  readonly archive: Archive;
  readonly originals: OriginalThread;
}

/** Lends the archive of a request until its use has ended. */
export type OriginalLender = <T>(request: FastifyRequest, use: (loan: OriginalLoan) => Promise<T>) => Promise<T>;

interface OriginalFile {
  readonly bytes: Buffer;
  readonly filename: string;
  readonly mediaType: string;
  /** False for a message reconstructed from the properties of an Outlook item. */
  readonly isExact: boolean;
}

/** Errors for unavailable originals; they never contain paths. */
const REFUSALS: Readonly<Record<Exclude<OriginalState, "available">, string>> = {
  moved: "its source file was not found",
  changed: "its source has changed",
  protected: "its source needs a password",
  unreadable: "its source cannot be read",
};

/**
 * The original of a message, or an attachment of a message, event or item. @throws ArchiveError NOT_FOUND, and like
 * `readOriginal` and `readItemFile`
 */
export async function originalFile(
  loan: OriginalLoan,
  { message_id, event_id, item_id, number = "" }: OriginalParameters,
): Promise<OriginalFile> {
  const { events, items } = loan.archive;
  if (event_id !== undefined) return itemFile(loan, orNotFound(await events.get(event_id), "Event", event_id), number);
  if (item_id !== undefined) return itemFile(loan, orNotFound(await items.get(item_id), "Item", item_id), number);
  const message = await requireMessage(loan.archive, message_id ?? "");
  if (number === "") {
    const original = await readOriginal(loan, message, { kind: "message" });
    return { ...original, filename: `${message.id}.eml`, mediaType: "message/rfc822" };
  }
  const { sha256, filename, mediaType } = attachmentAt(message.attachments, number);
  return { ...(await readOriginal(loan, message, { kind: "attachment", sha256 })), filename, mediaType };
}

/** The attachment data of an event or item. */
export type AttachmentParent = Pick<CalendarEvent | ArchivedItem, "id" | "attachments" | "origin">;

async function itemFile(loan: OriginalLoan, holder: AttachmentParent, number: string): Promise<OriginalFile> {
  const { sha256, filename, mediaType } = attachmentAt(holder.attachments, number);
  return { ...(await readItemFile(loan, holder, sha256)), filename, mediaType };
}

function attachmentAt<T>(attachments: readonly T[], number: string): T {
  const attachment = attachments[/^[1-9]\d{0,5}$/.test(number) ? Number(number) - 1 : Number.NaN];
  if (attachment === undefined) throw new ArchiveError("NOT_FOUND", `Attachment ${formatText(number)} not found`);
  return attachment;
}

/** The message of an id. Throws NOT_FOUND. */
export async function requireMessage(archive: Archive, id: string): Promise<ArchivedMessage> {
  return orNotFound(await archive.messages.get(id), "Message", id);
}

/**
 * Reads a part of a message from the source again and returns it only if its fingerprint is unchanged. A redacted
 * archive returns none, since the part would reveal redacted text.
 * @throws ArchiveError ORIGINAL_MOVED, ORIGINAL_CHANGED, ORIGINAL_PROTECTED, ORIGINAL_UNREADABLE, ORIGINAL_WITHHELD
 */
export async function readOriginal(
  { archive, originals }: OriginalLoan,
  message: ArchivedMessage,
  part: OriginalPart,
): Promise<{ readonly bytes: Buffer; readonly isExact: boolean }> {
  const what = `the ${"sha256" in part ? "attachment" : "original"} of ${message.id}`;
  const read = await givenSources(archive, what);
  let missing: Exclude<OriginalState, "available"> | null = null;
  for (const place of originalPlaces(message, read)) {
    const original = await originals.read(place, part);
    if (original.state === "available") return original;
    missing ??= original.state;
  }
  throw refusal(what, missing ?? "moved");
}

/**
 * Reads an attachment of an event or item, like `readOriginal` for messages. @throws ArchiveError as it does, and
 * ORIGINAL_UNPLACED
 */
async function readItemFile(
  { archive, originals }: OriginalLoan,
  holder: AttachmentParent,
  sha256: string,
): Promise<{ readonly bytes: Buffer; readonly isExact: boolean }> {
  const what = `the attachment of ${holder.id}`;
  const place = itemPlace(holder, await givenSources(archive, what));
  if (place === null)
    throw new ArchiveError("ORIGINAL_UNPLACED", `${what} is not available: the archive does not record its location`);
  const original = await originals.readItem(place, { kind: "attachment", sha256 });
  if (original.state !== "available") throw refusal(what, original.state);
  return original;
}

/** Location of the attachments of an event or item; null if the archive does not store it. */
export function itemPlace(
  { origin }: Pick<AttachmentParent, "origin">,
  { sources, options }: SourcesRead,
): OriginalPlace | null {
  const record = origin === null ? undefined : sources[origin.source];
  if (origin === null || record === undefined) return null;
  const { mailbox, location, sha256 } = origin;
  return {
    format: record.format,
    sourcePath: record.path,
    mailbox,
    location,
    sha256,
    charset: options.charset ?? null,
  };
}

/** Sources of an archive with originals. Throws ORIGINAL_WITHHELD for a redacted one. */
async function givenSources(archive: Archive, what: string): Promise<SourcesRead> {
  const read = await archive.provenance();
  if (read.options.redact.length > 0)
    throw new ArchiveError("ORIGINAL_WITHHELD", `${what} is withheld: the archive is redacted`);
  return read;
}

function refusal(what: string, state: Exclude<OriginalState, "available">): ArchiveError {
  return new ArchiveError(MISSING_ORIGINAL_CODES[state], `${what} is not available: ${REFUSALS[state]}`);
}

/** Access to an archive for MCP tools. */
export function mailSource(loan: OriginalLoan): MailSource {
  return {
    archive: loan.archive,
    async fileText(message, { sha256, filename, mediaType }) {
      const kept = await loan.archive.messages.fileTexts(message.id);
      const text = kept[message.attachments.findIndex((attachment) => attachment.sha256 === sha256)] ?? "";
      if (text !== "") return text;
      const { bytes } = await readOriginal(loan, message, { kind: "text", sha256, filename, mediaType });
      return bytes.toString();
    },
  };
}

/** Sends a file: inert pictures, documents and texts inline, others as downloads. */
export function sendOriginal(reply: FastifyReply, { bytes, filename, mediaType, isExact }: OriginalFile): FastifyReply {
  const name = encodeURIComponent(sanitizeFilename(filename, "attachment")).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const { disposition, type, policy } = inlineMedia(mediaType, bytes);
  return reply
    .header("content-disposition", `${disposition}; filename*=UTF-8''${name}`)
    .header("content-security-policy", policy)
    .header("cache-control", "private, no-store")
    .header("x-archivetool-original", isExact ? "exact" : "composed")
    .type(type)
    .send(bytes);
}

/** How a file of mail is sent. */
interface ShownMedia {
  readonly disposition: "inline" | "attachment";
  readonly type: string;
  readonly policy: string;
}

/** Images that browsers display, by their first bytes: labels in mail are not trusted. */
interface Picture {
  readonly type: string;
  readonly begins: (bytes: Buffer) => boolean;
}

const startsWith = (signature: string) => (bytes: Buffer) =>
  bytes.subarray(0, signature.length).toString("latin1") === signature;

const PICTURES: readonly Picture[] = [
  { type: "image/png", begins: startsWith("\x89PNG\r\n\x1a\n") },
  { type: "image/jpeg", begins: startsWith("\xff\xd8\xff") },
  { type: "image/gif", begins: startsWith("GIF8") },
  {
    type: "image/webp",
    begins: (bytes) => startsWith("RIFF")(bytes) && startsWith("WEBP")(bytes.subarray(8)),
  },
];
const isPdf = startsWith("%PDF-");

/** Prevents a file from running scripts and from loading anything from our origin. */
const SANDBOX = "default-src 'none'; sandbox";
/** The same for files that browsers show with a built-in viewer, which a sandbox would block. */
const VIEWER = "default-src 'none'; style-src 'unsafe-inline'";
const TEXTS: readonly string[] = ["text/plain", "text/csv", "text/tab-separated-values"];

/** @param mediaType declared type, lower case */
function inlineMedia(mediaType: string, bytes: Buffer): ShownMedia {
  if (mediaType === "message/rfc822") return { disposition: "attachment", type: mediaType, policy: SANDBOX };
  const picture = PICTURES.find(({ begins }) => begins(bytes));
  if (picture !== undefined) return { disposition: "inline", type: picture.type, policy: SANDBOX };
  if (mediaType === "application/pdf" && isPdf(bytes))
    return { disposition: "inline", type: mediaType, policy: VIEWER };
  if (TEXTS.includes(mediaType)) return { disposition: "inline", type: "text/plain; charset=utf-8", policy: SANDBOX };
  return { disposition: "attachment", type: "application/octet-stream", policy: SANDBOX };
}
