import { hasCompoundSignature } from "../compound/compound-file.ts";
import { attachmentType } from "../mail/records/attachment-types.ts";
import type { MailedFile } from "./file-text.ts";

/** How a file is read; `outlook` is possibly a message saved by Outlook. */
export type FileKind = "zip" | "rtf" | "pdf" | "outlook" | "message" | "html" | "text";

/** Extensions of text files, whatever the mail declares. */
const TEXT_ENDINGS = /\.(?:txt|text|csv|tsv|log|md|ics|vcs|vcf|json|xml|ya?ml|ini|tex|patch|diff)$/i;
/** Files that are HTML even without a sign of it: a part of a page has no `<html>`. */
const HTML_ENDINGS = /\.(?:x?html?|xht)$/i;
const HTML_TYPES = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|ics|csv)$)/;

/** Bytes examined for zeros, which text files do not contain. */
const PROBE_BYTES = 4096;
/** Maximum bytes before a PDF starts, since printers and mailers add lines; PDF readers search as far. */
const PDF_PROBE_BYTES = 1024;

interface OpenFile extends MailedFile {
  readonly bytes: Buffer;
}

const beginsWith =
  (signature: string) =>
  ({ bytes }: OpenFile): boolean =>
    bytes.subarray(0, signature.length).toString("latin1") === signature;

/** The first bytes of a file are more reliable than its name and label, which come last. */
const KINDS: readonly (readonly [FileKind, (file: OpenFile) => boolean])[] = [
  ["zip", beginsWith("PK\x03\x04")],
  ["rtf", beginsWith("{\\rtf")],
  ["pdf", isPdf],
  ["outlook", ({ bytes }) => hasCompoundSignature(bytes)],
  ["message", isMessage],
  ["html", isHtml],
  ["text", isText],
];

/** Detects a file by its first bytes, its media type and its name; null if it is not supported. */
export function fileKind({ filename, mediaType, bytes }: MailedFile): FileKind | null {
  const file: OpenFile = { filename, mediaType, bytes: bufferOver(bytes) };
  return KINDS.find(([, fits]) => fits(file))?.[0] ?? null;
}

/** The same bytes. */
export function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** If lines precede the mark, the name or label must confirm it: a text may mention the mark. */
function isPdf({ filename, mediaType, bytes }: OpenFile): boolean {
  const at = bytes.subarray(0, PDF_PROBE_BYTES).indexOf("%PDF-");
  return at === 0 || (at > 0 && (mediaType === "application/pdf" || /\.pdf$/i.test(filename)));
}

/** An unmodified mail; files saved by Outlook have the same type and contain zeros. */
function isMessage(file: OpenFile): boolean {
  return attachmentType(file) === "message" && !file.bytes.subarray(0, PROBE_BYTES).includes(0);
}

/** Pages saved from a browser are often sent without a label. */
function isHtml({ mediaType, filename, bytes }: OpenFile): boolean {
  return (HTML_TYPES.test(mediaType) || HTML_ENDINGS.test(filename)) && hasText(bytes);
}

function isText({ mediaType, filename, bytes }: OpenFile): boolean {
  return (TEXT_TYPES.test(mediaType) || TEXT_ENDINGS.test(filename)) && hasText(bytes);
}

/** True without zeros, which text files do not contain. */
function hasText(bytes: Buffer): boolean {
  return !bytes.subarray(0, PROBE_BYTES).includes(0) || hasUtf16Mark(bytes);
}

function hasUtf16Mark(bytes: Buffer): boolean {
  return bytes.length > 1 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
}
