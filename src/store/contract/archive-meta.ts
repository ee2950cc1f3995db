/** Metadata keys reserved for the store. */
export const META = {
  /** ArchiveRecord as JSON. */
  record: "store:record",
  /** ArchiveCounters as JSON. */
  counters: "store:counters",
  /** NextOrdinals as JSON. */
  nextOrdinals: "store:next-ordinals",
  /** Number of warnings that were counted but not stored. */
  warningsTruncated: "store:warnings-truncated",
  /** Total redactions, if their types are unknown; otherwise they are summed from the record. */
  piiRedactions: "store:pii-redactions",
  /** Number of runs when checksums were appended: an archive with this value and without checksums was truncated. */
  sealedRuns: "store:sealed-runs",
  /** Present if content keys were generated, as for a document without them. */
  unknownKeys: "store:unknown-keys",
  /**
   * Full-text index of all events, and of all items (`reading/record-index.ts`); archives of earlier versions have
   * none.
   */
  eventIndex: "store:event-index",
  itemIndex: "store:item-index",
  /** Present if events record their calendar items, so that kept items can be counted again. */
  countedItems: "store:counted-items",
  /** Maximum messages per range of the search index, if not the default (shards.ts). */
  rangeMessages: "store:range-messages",
} as const;
