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
  /** Attachments of which the text is kept; archives of earlier versions do not count them. */
  readonly filesWithText?: number;
  readonly earliest: number | null;
  readonly latest: number | null;
}
