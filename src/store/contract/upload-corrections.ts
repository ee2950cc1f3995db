import type { CorrectionsFile } from "./correction-store.ts";

/** The kind of corrections of an upload. */
export interface CorrectedUpload {
  readonly uploadId: string;
  readonly file: CorrectionsFile;
}

/** Returns the new entries of a file; null to change nothing. */
type EntriesChange = (entries: readonly string[]) => readonly string[] | null;

/** Corrections of uploads in a catalog. Each row is an entry of a file: the text that one correction added. */
export interface UploadCorrections {
  /** In the order of the file. */
  correctionEntries(upload: CorrectedUpload): Promise<readonly string[]>;
  /** Reads and writes in one transaction. Rejects with what `change` throws; then nothing is written. */
  changeCorrections(upload: CorrectedUpload, change: EntriesChange): Promise<void>;
}
