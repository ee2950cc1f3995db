import { hash } from "node:crypto";
import { type FileTextReader, MAX_UNPACKED_BYTES } from "../file-text/file-text-reader.ts";
import type { AttachmentPart, Message } from "../mail/records/message.ts";
import { openAttachedMessages } from "../mapi/tnef/attached-messages.ts";
import { openWrappers } from "../mapi/tnef/opened-wrappers.ts";
import { parseMessage } from "../mime/parse-message.ts";
import { ITEM_FILES } from "../sources/pst/attached-item.ts";
import type { Original } from "../sources/read-original.ts";
import { safePage } from "../text/html/safe-html.ts";

/** Requested part of an original. */
export type OriginalPart =
  | { readonly kind: "message" }
  /** Only checks whether it is available. */
  | { readonly kind: "none" }
  /** @property sha256 lower-case hex, which identifies an attachment regardless of its name */
  | { readonly kind: "attachment"; readonly sha256: string }
  /** @property sha256s of attachments to check; the response has a byte for each, 1 if available */
  | { readonly kind: "presence"; readonly sha256s: readonly string[] }
  /** @property sha256 of an attachment whose text is requested; filename and label help to detect its kind */
  | { readonly kind: "text"; readonly sha256: string; readonly filename: string; readonly mediaType: string }
  /** @property files addresses of its parts by their Content-ID */
  | { readonly kind: "page"; readonly files: readonly (readonly [contentId: string, address: string])[] };

/** Requested part of an item other than a message: only attachments are available. */
export type ItemPart = Extract<OriginalPart, { readonly kind: "attachment" | "presence" }>;

type AvailableOriginal = Extract<Original, { readonly state: "available" }>;

/** Maximum characters of HTML shown as a page; longer mail is shown as text. */
const MAX_PAGE_CHARACTERS = 2 << 20;

/**
 * A part that was read from an original. A page is empty if the message has no HTML or too much of it, a text if the
 * file type is not supported.
 */
export async function partOf(
  original: AvailableOriginal,
  part: OriginalPart,
  { charset, files }: { readonly charset: string | null; readonly files: FileTextReader },
): Promise<Original> {
  if (part.kind === "message") return original;
  if (part.kind === "none") return { ...original, bytes: Buffer.alloc(0) };
  const message = parseMessage(original.bytes, charset);
  if (part.kind === "page") {
    const html = message.htmlBody ?? "";
    const addresses = new Map(part.files);
    const page =
      html === "" || html.length > MAX_PAGE_CHARACTERS ? "" : safePage(html, (id) => addresses.get(id) ?? null).html;
    return { ...original, bytes: Buffer.from(page) };
  }
  if (part.kind !== "text") return fileAmong(filesOf(message), part);
  const read = fileAmong(filesOf(message), { kind: "attachment", sha256: part.sha256 });
  return read.state === "available" ? textOf(read.bytes, part, files) : read;
}

/** Reads an attachment of an item. */
export function partOfItem(attachments: readonly AttachmentPart[], part: ItemPart): Original {
  return fileAmong(filesIn(attachments), part);
}

/** A file with its SHA-256. */
interface ListedFile {
  readonly content: Uint8Array;
  readonly sha256: string;
}

function fileAmong(files: Iterable<ListedFile>, part: ItemPart): Original {
  if (part.kind === "presence") return { state: "available", bytes: presenceAmong(files, part.sha256s), isExact: true };
  for (const { content, sha256 } of files)
    if (sha256 === part.sha256) return { state: "available", bytes: Buffer.from(content), isExact: true };
  return { state: "unreadable", message: "the attachment is in a wrapper that cannot be opened" };
}

/** One byte per attachment: 1 if it is among the files. */
function presenceAmong(files: Iterable<ListedFile>, sha256s: readonly string[]): Buffer {
  const missing = new Set(sha256s);
  for (const { sha256 } of files) if (missing.delete(sha256) && missing.size === 0) break;
  return Buffer.from(sha256s.map((sha256) => (missing.has(sha256) ? 0 : 1)));
}

/** Files of a message, then of its wrapper parts, then of attached messages. */
function* filesOf({ attachments }: Message): Generator<ListedFile> {
  yield* filesIn(attachments);
  const opened = openWrappers(attachments, null, { sender: null, files: ITEM_FILES }).attachments.filter(
    (inner) => !attachments.includes(inner),
  );
  yield* filesIn(opened);
  const { files } = openAttachedMessages([...attachments, ...opened], ITEM_FILES);
  yield* filesIn(files.flatMap(({ part, attachedMessage }) => (attachedMessage === null ? [] : [part])));
}

function* filesIn(attachments: readonly AttachmentPart[]): Generator<ListedFile> {
  for (const attachment of attachments) {
    const content = attachment.bytes();
    yield { content, sha256: hash("sha256", content) };
  }
}

async function textOf(
  bytes: Buffer,
  { filename, mediaType }: Extract<OriginalPart, { readonly kind: "text" }>,
  files: FileTextReader,
): Promise<Original> {
  const read = await files.read({ filename, mediaType, bytes }, { bytes: MAX_UNPACKED_BYTES });
  if (read?.state === "unread") return { state: "unreadable", message: `${filename}: ${read.reason}` };
  return { state: "available", bytes: Buffer.from(read?.text ?? ""), isExact: read?.isCut !== true };
}
