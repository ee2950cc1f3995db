import type { RangeCall } from "../../search/ranges/searched-range.ts";
import type { RangeLocation } from "../contract/range-location.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";

/** The parts of an archive with their calls that search. */
const SEARCH_CALLS = {
  search: ["search", "matching"],
  explore: ["page", "facets", "timeline", "hits", "attachmentCounts", "mentions", "conversations", "files"],
  events: ["page"],
  items: ["page"],
} as const satisfies { readonly [Part in SearchedPart]: readonly (keyof SearchedArchive[Part])[] };

type SearchedPart = Exclude<keyof SearchedArchive, "close" | "range">;

/** A call of an archive. */
export interface ArchiveCall {
  readonly part: SearchedPart;
  readonly name: string;
  readonly given: readonly unknown[];
}

/** A call of a range of an archive. */
export interface RangeQuestion {
  readonly place: RangeLocation;
  readonly name: RangeCall;
  readonly given: readonly unknown[];
}

/** Returns the archive with searches that go through `call`. */
export function withSearchCalls<Opened extends SearchedArchive>(
  archive: Opened,
  call: (asked: ArchiveCall) => Promise<unknown>,
): Opened {
  const parts = Object.entries(SEARCH_CALLS).map(([key, names]) => {
    const part = key as SearchedPart;
    const calls = names.map((name) => [name, (...given: readonly unknown[]) => call({ part, name, given })]);
    return [part, { ...archive[part], ...Object.fromEntries(calls) }];
  });
  return { ...archive, ...Object.fromEntries(parts) };
}

/** Runs a call on an archive. */
export function callArchive(archive: SearchedArchive, { part, name, given }: ArchiveCall): Promise<unknown> {
  return Reflect.apply(Reflect.get(archive[part], name), archive[part], given);
}
