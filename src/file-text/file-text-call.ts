import type { FileText, MailedFile } from "./file-text.ts";

/** What crosses between the process that reads files and the thread that asks it. */

/** A file on its way. @property roomBytes that its parts may unpack to */
export interface FileTextCall {
  readonly file: MailedFile;
  readonly roomBytes: number;
}

/**
 * What it says.
 * @property roomBytes that are left
 * @property isSpent true when the process holds so much memory that the next file shall have another one
 */
export interface FileTextReply {
  readonly read: FileText | null;
  readonly roomBytes: number;
  readonly isSpent: boolean;
}

/**
 * Limit of resident memory of the process in bytes: a crafted PDF of 0.6 MB takes 2.3 GB, an ordinary one a hundred MB
 * plus the 60 of the process.
 */
export const PROCESS_MEMORY_BYTES = 512 << 20;

/** Resident memory from which on a process reads no further file, in bytes. */
export const SPENT_MEMORY_BYTES = 256 << 20;

/** Time for one file, in milliseconds: what people send each other takes a hundredth of it. */
export const FILE_TIME_MS = 15_000;
