import type { ClauseWire, RowWire } from "../../../http/explore-api/wire/wire.ts";
import { RESULT_SORTS, type ResultSort } from "./search-state.ts";

/** The response of `/messages`. */
export interface MessagePage {
  readonly total: number;
  readonly rows: number;
  readonly conversations: number;
  readonly understood: readonly ClauseWire[];
  readonly problems: readonly string[];
  readonly messages: readonly RowWire[];
}

/** The next sort order, cyclically. */
export function nextSort(sort: ResultSort, sorts: readonly ResultSort[] = RESULT_SORTS): ResultSort {
  return sorts[(sorts.indexOf(sort) + 1) % sorts.length]!;
}
