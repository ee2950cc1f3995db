import type { ClauseWire, RowWire } from "../../http/explore-api/wire.ts";
import { withRequiredWords } from "../query-text.ts";
import { RESULT_SORTS, type ResultSort, type SearchState } from "./search-state.ts";

/** The answer of `/messages`. */
export interface MessagePage {
  readonly total: number;
  readonly rows: number;
  readonly conversations: number;
  readonly understood: readonly ClauseWire[];
  readonly messages: readonly RowWire[];
}

/** The query as exports take it: they rank by plain words, as the command line does, so each is made a condition. */
export function exportedQuery({ q, match }: Pick<SearchState, "q" | "match">, { understood }: MessagePage): string {
  return match === "all" ? withRequiredWords(q, understood) : q;
}

/** The sort order behind one, round and round. */
export function nextSort(sort: ResultSort, sorts: readonly ResultSort[] = RESULT_SORTS): ResultSort {
  return sorts[(sorts.indexOf(sort) + 1) % sorts.length]!;
}
