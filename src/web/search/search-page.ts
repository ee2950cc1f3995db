import type { ClauseWire, RowWire } from "../../http/explore-api/wire.ts";
import { RESULT_SORTS, type ResultSort } from "./search-state.ts";

/** The answer of `/messages`. */
export interface MessagePage {
  readonly total: number;
  readonly rows: number;
  readonly conversations: number;
  readonly understood: readonly ClauseWire[];
  readonly messages: readonly RowWire[];
}

/** The sort order behind one, round and round. */
export function nextSort(sort: ResultSort): ResultSort {
  return RESULT_SORTS[(RESULT_SORTS.indexOf(sort) + 1) % RESULT_SORTS.length]!;
}
