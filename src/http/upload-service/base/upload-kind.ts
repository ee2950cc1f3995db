import { ArchiveError } from "../../../errors.ts";
import { formatOfName, type SourceFormatName, UPLOADED_EXTENSIONS } from "../../../mail/records/source-formats.ts";
import { FORMATS } from "../../../sources/formats/formats.ts";
import { foreignMail } from "../../../sources/reading/foreign-mail.ts";
import { sanitizeFilename } from "../../../text/tokens/attachment-name.ts";
import {
  ARCHIVE_ENDINGS,
  type ArchiveFormat,
  archiveFormat,
  archiveOfName,
} from "../../../unpacking/archive-format.ts";
import { formatValue } from "../../format-value.ts";

/** Accepted extensions, as error messages list them. */
export const UPLOAD_ENDINGS = [...UPLOADED_EXTENSIONS, ...ARCHIVE_ENDINGS].join(" ");
/** The longest match comes first. */
const ENDINGS = [...UPLOADED_EXTENSIONS, ...ARCHIVE_ENDINGS].sort((left, right) => right.length - left.length);
const HINT = { hint: `supported uploads: ${UPLOAD_ENDINGS}` } as const;

/** Kind of an upload by its name. */
type UploadKind = { readonly archive: ArchiveFormat } | { readonly archive: null; readonly format: SourceFormatName };

/** Stored and displayed name of an upload: a portable file name without the client's path. */
export function uploadFilename(name: string): string {
  if (name.trim() === "") throw new ArchiveError("INVALID_QUERY", "the uploaded file must have a name");
  return sanitizeFilename(name, "upload");
}

/** The name with a number before its ending: `mail-2.tar.gz`. */
export function withNumber(filename: string, number: number): string {
  const ending = ENDINGS.find((known) => filename.toLowerCase().endsWith(known)) ?? "";
  return `${filename.slice(0, filename.length - ending.length)}-${number}${filename.slice(filename.length - ending.length)}`;
}

/** @throws ArchiveError UNSUPPORTED_FORMAT with the supported formats */
export function uploadKind(filename: string): UploadKind {
  const archive = archiveOfName(filename);
  if (archive !== null) return { archive: archive.format };
  const row = formatOfName(filename);
  if (row?.isUploaded === true) return { archive: null, format: row.name };
  throw new ArchiveError("UNSUPPORTED_FORMAT", `${formatValue(filename)} is not one of ${UPLOAD_ENDINGS}`, HINT);
}

/**
 * Rejects a file whose content does not match its name. @param head its first bytes, up to `SNIFF_BYTES` @throws
 * ArchiveError SOURCE_EMPTY, UNSUPPORTED_FORMAT
 */
export function requireContent(head: Buffer, filename: string): void {
  if (head.length === 0) throw new ArchiveError("SOURCE_EMPTY", "the uploaded file is empty");
  const kind = uploadKind(filename);
  const content = archiveFormat(head);
  // A file named as gzip may contain a tar.
  const isArchive = content === kind.archive || (kind.archive === "gz" && content === "tar.gz");
  if (kind.archive === null ? FORMATS[kind.format].accepts(head) : isArchive) return;
  const foreign = foreignMail(head);
  const what = foreign === null ? "its content is of another type" : `it is ${foreign.name}`;
  throw new ArchiveError("UNSUPPORTED_FORMAT", `${formatValue(filename)} does not match its file type: ${what}`, HINT);
}
