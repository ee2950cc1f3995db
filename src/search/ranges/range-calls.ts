import { LruCache } from "../indexing/lru-cache.ts";
import { RANGE_CALLS, type RangeCall, type RangeQuery, type SearchedRange } from "./searched-range.ts";

/** A range whose calls go through `call`, by name. */
export function rangeBy(call: (name: RangeCall, given: readonly unknown[]) => Promise<unknown>): SearchedRange {
  const calls = RANGE_CALLS.map((name) => [name, (...given: readonly unknown[]) => call(name, given)]);
  return Object.fromEntries(calls) as SearchedRange;
}

/** Runs a call on a range. */
export function callRange(range: SearchedRange, name: RangeCall, given: readonly unknown[]): Promise<unknown> {
  return Reflect.apply(range[name], range, given);
}

/** Number of queries whose results a range caches, like its callers. */
const KEPT_QUERIES = 8;

/** Replaces equal queries, which callers send as new objects, by one object, so that cached results are found. */
export function withEqualQueries(range: SearchedRange): SearchedRange {
  const queries = new LruCache<RangeQuery>(KEPT_QUERIES);
  const known = (value: unknown): unknown => {
    if (!isQuery(value)) return value;
    const key = JSON.stringify(value);
    const query = queries.get(key) ?? value;
    queries.keep(key, query);
    return query;
  };
  return rangeBy((name, given) => callRange(range, name, given.map(known)));
}

function isQuery(value: unknown): value is RangeQuery {
  return typeof value === "object" && value !== null && "clauses" in value;
}

/** A range that is opened on first use. */
export function openDeferred(open: () => Promise<SearchedRange>): SearchedRange {
  return rangeBy(async (name, given) => callRange(await open(), name, given));
}
