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
  /** Redactions in all, where their types are not known; else they are summed from the record. */
  piiRedactions: "store:pii-redactions",
  /** Number of runs when checksums were appended: an archive with this value and without checksums was truncated. */
  sealedRuns: "store:sealed-runs",
  /** Present if content keys were generated, as for a document without them. */
  unknownKeys: "store:unknown-keys",
  /** Full-text index of all events, and of all items (`reading/record-index.ts`); archives of earlier versions have none. */
  eventIndex: "store:event-index",
  itemIndex: "store:item-index",
  /** Present if events record their calendar items, so that kept items can be counted again. */
  countedItems: "store:counted-items",
  /** Messages of a range of the search index at most, where it is not the usual number (shards.ts). */
  rangeMessages: "store:range-messages",
} as const;
