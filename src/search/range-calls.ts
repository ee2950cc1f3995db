import { RANGE_CALLS, type RangeCall, type SearchedRange } from "./searched-range.ts";

/** A range whose calls are made by somebody else, each by its name. */
export function rangeBy(call: (name: RangeCall, given: readonly unknown[]) => Promise<unknown>): SearchedRange {
  const calls = RANGE_CALLS.map((name) => [name, (...given: readonly unknown[]) => call(name, given)]);
  return Object.fromEntries(calls) as SearchedRange;
}

/** What a range answers to a call. */
export function callRange(range: SearchedRange, name: RangeCall, given: readonly unknown[]): Promise<unknown> {
  return Reflect.apply(range[name], range, given);
}

/** A range that is opened when it is first asked. */
export function openedLater(open: () => Promise<SearchedRange>): SearchedRange {
  return rangeBy(async (name, given) => callRange(await open(), name, given));
}
