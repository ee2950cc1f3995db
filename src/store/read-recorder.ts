import type { AuditAction } from "../mail/access.ts";
import { type ArchiveLocation, isFile } from "./archive-location.ts";

/** What was read of an archive. */
export interface ReadAct {
  readonly action: AuditAction;
  /** The file that was downloaded; never what was searched for. */
  readonly detail: string | null;
}

/** Puts on record what is read of an archive, under the name by which its store knows the reader. */
export interface ReadRecorder {
  /** Written when it returns. Rejects with STORE_UNREACHABLE, SOURCE_UNREADABLE. */
  record(act: ReadAct): Promise<void>;
  close(): Promise<void>;
}

/**
 * What reads of an archive are put on record with; null where nobody asks for that: files, and collections of databases
 * that name no readers. Throws SOURCE_UNREADABLE where it is asked for and this user, or this server, cannot.
 */
export async function openReadRecorder(location: ArchiveLocation): Promise<ReadRecorder | null> {
  if (isFile(location)) return null;
  const { openCollectionAudit } = await import("./postgres/collection-audit.ts");
  return openCollectionAudit(location);
}
