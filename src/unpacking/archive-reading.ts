import type { EntryLedger } from "./entry-ledger.ts";
import type { EntrySink } from "./entry-sink.ts";

/** Context of an archive reader. */
export interface ArchiveReading {
  readonly ledger: EntryLedger;
  readonly sink: EntrySink;
  readonly signal: AbortSignal;
  /** True to skip damaged files of a zip file. */
  readonly skipsDamaged: boolean;
}
