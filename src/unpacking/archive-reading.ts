import type { EntryLedger } from "./entry-ledger.ts";
import type { EntrySink } from "./entry-sink.ts";

/** What the reader of an archive works with. */
export interface ArchiveReading {
  readonly ledger: EntryLedger;
  readonly sink: EntrySink;
  readonly signal: AbortSignal;
}
