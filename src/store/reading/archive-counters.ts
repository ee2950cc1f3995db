/** Totals that a full count would be too slow for on every request. */
export interface ArchiveCounters {
  readonly messages: number;
  readonly contacts: number;
  readonly threads: number;
  readonly multiMessageThreads: number;
  readonly topics: number;
  readonly events: number;
  readonly items: number;
  readonly attachments: number;
  /** Attachments with stored text. */
  readonly filesWithText: number;
  readonly earliest: number | null;
  readonly latest: number | null;
}
