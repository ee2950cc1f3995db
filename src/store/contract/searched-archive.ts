import type { Archive } from "../../mail/archive.ts";
import type { SearchedRange } from "../../search/ranges/searched-range.ts";
import type { RangeLocation } from "./range-location.ts";

/** An archive that is only searched: its messages, events and items. */
export interface SearchedArchive extends Pick<Archive, "search" | "explore" | "events" | "items" | "close"> {
  /** A range of its index, for the thread that searches the whole. Only files are searched in threads. */
  readonly range?: (place: RangeLocation) => Promise<SearchedRange>;
}
