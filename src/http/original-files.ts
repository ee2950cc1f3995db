import type { FastifyReply } from "fastify";
import { ArchiveError, type ErrorCode } from "../errors.ts";
import type { Archive } from "../mail/archive.ts";
import type { OriginalThread } from "../originals/original-thread.ts";
import { originalPlaces } from "../outputs/export/message-bytes.ts";
import type { OriginalState } from "../sources/read-original.ts";
import { sanitizeFilename } from "../text/attachment-name.ts";
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

export interface OriginalFile {
  readonly bytes: Buffer;
  readonly filename: string;
  readonly mediaType: string;
  /** False for a message that was made of the properties of an Outlook item. */
  readonly isExact: boolean;
}

/** What is answered where an original cannot be had; paths are nobody's business but the server's. */
const REFUSALS: Readonly<Record<Exclude<OriginalState, "available">, readonly [ErrorCode, string]>> = {
  moved: ["ORIGINAL_MOVED", "its source is not where it was"],
  changed: ["ORIGINAL_CHANGED", "its source holds something else in its place, or nothing"],
  protected: ["ORIGINAL_PROTECTED", "its source needs a password"],
  unreadable: ["ORIGINAL_UNREADABLE", "its source cannot be read, or not within the limits of this program"],
};

/**
 * A message as it was sent, or an attachment of it, read again from the source and taken only with the fingerprint of
 * old. A redacted archive gives none: it would tell what the archive hides.
 * @throws ArchiveError NOT_FOUND, ORIGINAL_MOVED, ORIGINAL_CHANGED, ORIGINAL_PROTECTED, ORIGINAL_UNREADABLE,
 * ORIGINAL_WITHHELD
 */
export async function originalFile(
  archive: Archive,
  { message_id: id, number }: OriginalParameters,
  originals: OriginalThread,
): Promise<OriginalFile> {
  const message = await archive.messages.get(id);
  if (message === null) throw new ArchiveError("NOT_FOUND", `Message ${shownText(id)} not found`);
  const attachment = number === undefined ? null : message.attachments[attachmentIndex(number)];
  if (attachment === undefined) throw new ArchiveError("NOT_FOUND", `Attachment ${shownText(number ?? "")} not found`);
  const { sources, options } = await archive.provenance();
  const what = `${attachment === null ? "the original" : "the attachment"} of ${message.id}`;
  if (options.redact.length > 0)
    throw new ArchiveError("ORIGINAL_WITHHELD", `${what} is withheld: the archive is redacted`);
  let missing: Exclude<OriginalState, "available"> | null = null;
  for (const place of originalPlaces(message, sources)) {
    const original = await originals.read(place, attachment?.sha256 ?? null);
    if (original.state !== "available") missing ??= original.state;
    else if (attachment === null) return { ...original, filename: `${message.id}.eml`, mediaType: "message/rfc822" };
    // Whatever the mail says it is, no browser shall show it as a page of ours.
    else return { ...original, filename: attachment.filename, mediaType: "application/octet-stream" };
  }
  const [code, reason] = REFUSALS[missing ?? "moved"];
  throw new ArchiveError(code, `${what} cannot be had: ${reason}`);
}

function attachmentIndex(number: string): number {
  return /^[1-9]\d{0,5}$/.test(number) ? Number(number) - 1 : Number.NaN;
}

/** Sends a file as one to save, which no browser opens in our name. */
export function sendOriginal(reply: FastifyReply, { bytes, filename, mediaType, isExact }: OriginalFile): FastifyReply {
  const name = encodeURIComponent(sanitizeFilename(filename, "attachment")).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return reply
    .header("content-disposition", `attachment; filename*=UTF-8''${name}`)
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("cache-control", "private, no-store")
    .header("x-archivetool-original", isExact ? "exact" : "composed")
    .type(mediaType)
    .send(bytes);
}
