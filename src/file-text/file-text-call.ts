import type { FileText, MailedFile } from "./file-text.ts";

/** Messages between the process that reads files and its caller. */

/** A file to read. @property roomBytes that its parts may unpack to */
export interface FileTextCall {
  readonly file: MailedFile;
  readonly roomBytes: number;
}

/**
 * Result for a file. @property roomBytes remaining @property isSpent true if the process uses so much memory that the
 * next file needs a new one
 */
export interface FileTextReply {
  readonly read: FileText | null;
  readonly roomBytes: number;
  readonly isSpent: boolean;
}

/**
 * Limit of resident memory of the process in bytes: a crafted PDF of 0.6 MB takes 2.3 GB, an ordinary one 100 MB plus
 * the 60 MB of the process.
 */
export const PROCESS_MEMORY_BYTES = 512 << 20;

/** Resident memory, in bytes, from which a process reads no further files. */
export const SPENT_MEMORY_BYTES = 256 << 20;

/** Milliseconds per file; ordinary attachments take a hundredth of it. */
export const FILE_TIME_MS = 15_000;
