/** Statistics of the whole archive that ranking in a shard needs. */
export interface ArchiveFigures {
  readonly firstDocument: number;
  /** Highest document number plus one. */
  readonly end: number;
  readonly documentCount: number;
  readonly averageLength: number;
}

/** A range of the search index of one state of an archive. */
export interface RangeLocation {
  /** Identifies the state: a thread that opens the archive gets the same one. */
  readonly state: string;
  readonly first: number;
  /** Its highest document number plus one. */
  readonly end: number;
  readonly archive: ArchiveFigures;
}
