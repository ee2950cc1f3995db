import { ArchiveError } from "../../errors.ts";
import type { SourceFormatName } from "../../mail/provenance.ts";
import { formatOfName, holdsFormat, packedAs } from "../../sources/detect-format.ts";
import { sanitizeFilename } from "../../text/attachment-name.ts";
import { type ArchiveFormat, archiveFormat } from "../../unpacking/archive-format.ts";
import { shownValue } from "../shown-value.ts";

/** Archives by the ends of their names, in lower case. */
const ARCHIVE_ENDINGS: readonly (readonly [string, ArchiveFormat])[] = [
  [".tar.gz", "tar.gz"],
  [".tgz", "tar.gz"],
  [".tar", "tar"],
  [".zip", "zip"],
];

/** Ends of the names of single files that are taken. */
const MAIL_ENDINGS: readonly string[] = [".pst", ".ost", ".mbox", ".mbx", ".eml"];

/** What is taken, as a refusal tells it. */
export const UPLOAD_ENDINGS = `${MAIL_ENDINGS.join(" ")} .zip .tar .tar.gz .tgz`;
const HINT = { hint: `supported uploads: ${UPLOAD_ENDINGS}` } as const;

/** What an upload is by its name. */
export type UploadKind = { readonly archive: ArchiveFormat } | { readonly archive: null; readonly format: SourceFormatName };

/** The name an upload is kept and shown under: one that can be saved anywhere, whatever path the client wrote before it. */
export function uploadFilename(name: string): string {
  if (name.trim() === "") throw new ArchiveError("INVALID_QUERY", "the uploaded file must have a name");
  return sanitizeFilename(name, "upload");
}

/** @throws ArchiveError UNSUPPORTED_FORMAT naming what is supported */
export function uploadKind(filename: string): UploadKind {
  const lower = filename.toLowerCase();
  const archive = ARCHIVE_ENDINGS.find(([ending]) => lower.endsWith(ending))?.[1];
  if (archive !== undefined) return { archive };
  const format = MAIL_ENDINGS.some((ending) => lower.endsWith(ending)) ? formatOfName(filename) : null;
  if (format !== null) return { archive: null, format };
  throw new ArchiveError("UNSUPPORTED_FORMAT", `${shownValue(filename)} is none of ${UPLOAD_ENDINGS}`, HINT);
}

/**
 * Refuses a file that is not what its name says. @param head its first bytes, as many as `SNIFF_BYTES` when there are so many
 * @throws ArchiveError SOURCE_EMPTY, UNSUPPORTED_FORMAT
 */
export function requireContent(head: Buffer, filename: string): void {
  if (head.length === 0) throw new ArchiveError("SOURCE_EMPTY", "the uploaded file is empty");
  const kind = uploadKind(filename);
  if (kind.archive === null ? holdsFormat(head, kind.format) : archiveFormat(head) === kind.archive) return;
  const packed = packedAs(head);
  const what = packed === null ? "it holds something else" : `it is ${packed.name}`;
  throw new ArchiveError("UNSUPPORTED_FORMAT", `${shownValue(filename)} is not what its name says: ${what}`, HINT);
}
