import { ArchiveError, systemErrorCode } from "../../../errors.ts";

/** A complete, synced file in `incoming` that is not yet an upload. */
export interface ReceivedFile {
  readonly uploadId: string;
  readonly filename: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The disk may fill up between two checks. */
export function diskFault(error: unknown): unknown {
  const code = error instanceof ArchiveError ? null : systemErrorCode(error);
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new ArchiveError("DISK_FULL", "the server disk is full", { cause: error });
}
