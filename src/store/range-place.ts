import type { SearchedRange } from "../search/searched-range.ts";

/** What ranking needs to know of the whole archive that a range is of. */
export interface ArchiveFigures {
  readonly firstDocument: number;
  /** The highest number of a message and one. */
  readonly end: number;
  readonly documentCount: number;
  readonly averageLength: number;
}

/** A range of the search index of one state of a collection. */
export interface RangePlace {
  readonly epoch: number;
  /** True where nothing is found by what is written beside the collection. */
  readonly isNotebookHidden: boolean;
  readonly first: number;
  /** The highest number of a message of it and one. */
  readonly end: number;
  readonly archive: ArchiveFigures;
}

/** Who searches the ranges of collections: this process, or several that share them. */
export interface RangeHolders {
  rangeAt(place: RangePlace): SearchedRange;
}

/** How the indexes of collections are searched: as a whole, or in ranges. */
export interface RangeSetting {
  /** Messages of a range at most; tests have small ones. */
  readonly shardDocuments: number;
  /** Who searches the ranges of collections of this database; null for this process alone. */
  readonly holders: RangeHolders | null;
}
