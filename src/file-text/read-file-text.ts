import { decodeCharset } from "../charset/decode-charset.ts";
import { attachmentType } from "../mail/attachment-types.ts";
import { readRtf } from "../mapi/rtf-text.ts";
import { parseMessage } from "../mime/parse-message.ts";
import { isHtmlDocument } from "../text/html-document.ts";
import { htmlToText } from "../text/html-to-text.ts";
import { type FileText, FileTextWriter, type MailedFile, UnreadFile } from "./file-text.ts";
import { officeText } from "./office-text.ts";
import { type UnpackingRoom, ZipParts } from "./zip-parts.ts";

/** Bytes of a file that is read: text of a larger one is a log or a table that nobody reads whole. */
export const MAX_FILE_BYTES = 64 << 20;

/** Endings of files that are text, whatever the mail says of them. */
const TEXT_ENDINGS = /\.(?:txt|text|csv|tsv|log|md|ics|vcs|vcf|json|xml|ya?ml|ini|tex|patch|diff)$/i;
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|ics|csv)$)/;

/** Bytes that the parts of one document may unpack to, where nothing else is unpacked. */
const MAX_UNPACKED_BYTES = 64 << 20;

/**
 * Reads what a file says; null where files of its kind are not read. Never throws.
 * @param room what its parts may unpack to; less when it returns
 */
export function readFileText(
  { filename, mediaType, bytes }: MailedFile,
  room: UnpackingRoom = { bytes: MAX_UNPACKED_BYTES },
): FileText | null {
  const file: OpenFile = { filename, mediaType, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
  if (file.bytes.length > MAX_FILE_BYTES)
    return { state: "unread", reason: `it has more than ${MAX_FILE_BYTES} bytes` };
  try {
    return KINDS.find(({ fits }) => fits(file))?.read(file, room) ?? null;
  } catch (error) {
    return { state: "unread", reason: error instanceof UnreadFile ? error.message : "it is damaged" };
  }
}

interface OpenFile extends MailedFile {
  readonly bytes: Buffer;
}

interface FileKind {
  readonly fits: (file: OpenFile) => boolean;
  /** Null where it turns out to be of another kind. */
  readonly read: (file: OpenFile, room: UnpackingRoom) => FileText | null;
}

const beginsWith =
  (signature: string) =>
  ({ bytes }: OpenFile) =>
    bytes.subarray(0, signature.length).toString("latin1") === signature;

/** What a file begins with tells more than its name and label do: those come last. */
const KINDS: readonly FileKind[] = [
  {
    fits: beginsWith("PK\x03\x04"),
    read: ({ bytes }, room) => officeText(new ZipParts(bytes, room))?.finish() ?? null,
  },
  { fits: beginsWith("{\\rtf"), read: ({ bytes }) => rtfText(bytes) },
  { fits: isMessage, read: ({ bytes }) => messageText(bytes) },
  { fits: isText, read: ({ bytes }) => plainText(bytes) },
];

/** Mail as it was sent; what Outlook saves has the same type and zeros in it. */
function isMessage(file: OpenFile): boolean {
  return attachmentType(file) === "message" && !file.bytes.subarray(0, PROBE_BYTES).includes(0);
}

/** Labelled as text, and without the zeros that tell other files apart from it. */
function isText({ mediaType, filename, bytes }: OpenFile): boolean {
  const isLabelled = TEXT_TYPES.test(mediaType) || TEXT_ENDINGS.test(filename);
  return isLabelled && (!bytes.subarray(0, PROBE_BYTES).includes(0) || hasUtf16Mark(bytes));
}

const PROBE_BYTES = 4096;

function hasUtf16Mark(bytes: Buffer): boolean {
  return bytes.length > 1 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
}

function finished(text: string): FileText {
  const out = new FileTextWriter();
  out.write(text);
  return out.finish();
}

function plainText(bytes: Buffer): FileText {
  const text = decodeCharset(bytes, null);
  return finished(isHtmlDocument(text) ? htmlToText(text) : text);
}

function rtfText(bytes: Buffer): FileText {
  const { kind, content } = readRtf(bytes);
  return finished(kind === "html" ? htmlToText(content) : content);
}

/** Subject and text of a message inside mail. */
function messageText(bytes: Buffer): FileText {
  const { envelope, textBody, htmlBody } = parseMessage(bytes);
  const body = textBody !== null && /\S/.test(textBody) ? textBody : htmlToText(htmlBody ?? "");
  return finished(`${envelope.subject}\n\n${body}`);
}
