import type { FastifyReply, FastifyRequest } from "fastify";
import { ArchiveError } from "../errors.ts";
import type { Archive, ArchivedMessage } from "../mail/archive.ts";
import type { MailSource } from "../mcp/tool-row.ts";
import type { OriginalThread } from "../originals/original-thread.ts";
import type { OriginalPart } from "../originals/part-of-original.ts";
import { MISSING_ORIGINAL_CODES, originalPlaces } from "../outputs/export/message-bytes.ts";
import type { OriginalState } from "../sources/read-original.ts";
import { sanitizeFilename } from "../text/attachment-name.ts";
import { shownMedia } from "./shown-media.ts";
import { shownText } from "./shown-value.ts";

/** Paths below which both servers have the routes of originals. */
export const ORIGINAL_PATHS = [
  "/messages/{message_id}/original",
  "/messages/{message_id}/attachments/{number}",
] as const;

/** What is asked for, by the parameters of its path. */
export interface OriginalParameters {
  readonly message_id: string;
  /** Which attachment, from 1, in the order of the message; absent for the message itself. */
  readonly number?: string;
}

/** An archive that is lent for a request, and what reads its originals. */
export interface OriginalLoan {
  readonly archive: Archive;
  readonly originals: OriginalThread;
}

/** Lends the archive that a request is about, until what is done with it has ended. */
export type OriginalLender = <T>(request: FastifyRequest, use: (loan: OriginalLoan) => Promise<T>) => Promise<T>;

export interface OriginalFile {
  readonly bytes: Buffer;
  readonly filename: string;
  readonly mediaType: string;
  /** False for a message that was made of the properties of an Outlook item. */
  readonly isExact: boolean;
}

/** What is answered where an original cannot be had; paths are nobody's business but the server's. */
const REFUSALS: Readonly<Record<Exclude<OriginalState, "available">, string>> = {
  moved: "its source is not where it was",
  changed: "its source holds something else in its place, or nothing",
  protected: "its source needs a password",
  unreadable: "its source cannot be read, or not within the limits of this program",
};

/** A message as it was sent, or an attachment of it. @throws ArchiveError NOT_FOUND, and as `readOriginal` */
export async function originalFile(
  loan: OriginalLoan,
  { message_id: id, number }: OriginalParameters,
): Promise<OriginalFile> {
  const message = await requireMessage(loan.archive, id);
  if (number === undefined) {
    const original = await readOriginal(loan, message, { kind: "message" });
    return { ...original, filename: `${message.id}.eml`, mediaType: "message/rfc822" };
  }
  const attachment = message.attachments[attachmentIndex(number)];
  if (attachment === undefined) throw new ArchiveError("NOT_FOUND", `Attachment ${shownText(number)} not found`);
  const original = await readOriginal(loan, message, { kind: "attachment", sha256: attachment.sha256 });
  return { ...original, filename: attachment.filename, mediaType: attachment.mediaType };
}

/** The message of an id. Throws NOT_FOUND. */
export async function requireMessage(archive: Archive, id: string): Promise<ArchivedMessage> {
  const message = await archive.messages.get(id);
  if (message === null) throw new ArchiveError("NOT_FOUND", `Message ${shownText(id)} not found`);
  return message;
}

/**
 * A part of a message, read again from the source and taken only with the fingerprint of old. A redacted archive gives
 * none: it would tell what the archive hides.
 * @throws ArchiveError ORIGINAL_MOVED, ORIGINAL_CHANGED, ORIGINAL_PROTECTED, ORIGINAL_UNREADABLE, ORIGINAL_WITHHELD
 */
export async function readOriginal(
  { archive, originals }: OriginalLoan,
  message: ArchivedMessage,
  part: OriginalPart,
): Promise<{ readonly bytes: Buffer; readonly isExact: boolean }> {
  const { sources, options } = await archive.provenance();
  const what = `the ${"sha256" in part ? "attachment" : "original"} of ${message.id}`;
  if (options.redact.length > 0)
    throw new ArchiveError("ORIGINAL_WITHHELD", `${what} is withheld: the archive is redacted`);
  let missing: Exclude<OriginalState, "available"> | null = null;
  for (const place of originalPlaces(message, sources)) {
    const original = await originals.read(place, part);
    if (original.state === "available") return original;
    missing ??= original.state;
  }
  const state = missing ?? "moved";
  throw new ArchiveError(MISSING_ORIGINAL_CODES[state], `${what} cannot be had: ${REFUSALS[state]}`);
}

/** What tools for assistants read of an archive. */
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

function attachmentIndex(number: string): number {
  return /^[1-9]\d{0,5}$/.test(number) ? Number(number) - 1 : Number.NaN;
}

/** Sends a file: pictures, documents and texts that browsers show without running anything, all else to be saved. */
export function sendOriginal(reply: FastifyReply, { bytes, filename, mediaType, isExact }: OriginalFile): FastifyReply {
  const name = encodeURIComponent(sanitizeFilename(filename, "attachment")).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const { disposition, type, policy } = shownMedia(mediaType, bytes);
  return reply
    .header("content-disposition", `${disposition}; filename*=UTF-8''${name}`)
    .header("content-security-policy", policy)
    .header("cache-control", "private, no-store")
    .header("x-archivetool-original", isExact ? "exact" : "composed")
    .type(type)
    .send(bytes);
}
