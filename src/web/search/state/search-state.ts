import { useMemo } from "preact/hooks";
import { FACETS, type FacetName } from "../../../mail/exploration.ts";
import { useApi, useRoute } from "../../application.ts";
import { formatParameters } from "../../shell/addresses.ts";

export const RESULT_SORTS = ["relevance", "newest", "oldest", "sender", "size"] as const;
/** Orders for conversations, which have no single sender. */
export const CONVERSATION_SORTS: readonly ResultSort[] = ["relevance", "newest", "oldest", "size"];
export type ResultSort = (typeof RESULT_SORTS)[number];
/** Views of properties of the messages. */
export const GROUPED_VIEWS = ["files", "people", "timeline"] as const;
export type GroupedView = (typeof GROUPED_VIEWS)[number];
export const RESULT_VIEWS = ["list", "table", "read", ...GROUPED_VIEWS] as const;
type ResultView = (typeof RESULT_VIEWS)[number];
export const GROUPS = ["message", "conversation"] as const;
export type Group = (typeof GROUPS)[number];
export const MATCHES = ["all", "any"] as const;
export type Match = (typeof MATCHES)[number];

/** Facets by which bars can be split. */
export const STACKS = ["none", "from", "topic", "mailbox", "type", "domain", "lang", "label", "source", "tag"] as const;
type Stack = (typeof STACKS)[number];

/** The orders of each view: a transcript begins with the oldest message, and counts have their own order. */
export function sortsOf({ view, group }: Pick<SearchState, "view" | "group">): readonly ResultSort[] {
  if (view !== "list" && view !== "table") return [];
  return group === "conversation" ? CONVERSATION_SORTS : RESULT_SORTS;
}

/** Search parameters of the URL. */
export interface SearchState {
  readonly q: string;
  readonly match: Match;
  readonly sort: ResultSort;
  readonly view: ResultView;
  /** What a row represents. */
  readonly group: Group;
  readonly stack: Stack;
  /** The expanded facet; "" for none. */
  readonly more: FacetName | "";
  /** The message in the reading pane; "" for none. */
  readonly message: string;
  /** A route of the explore API with the query of this search and further parameters. */
  readonly pathOf: (route: string, parameters?: Readonly<Record<string, string | number>>) => string;
}

/** Reads the search from the URL. Invalid values become the first choice. */
export function useSearchState(): SearchState {
  const { parameters } = useRoute();
  const api = useApi();
  const q = parameters.get("q") ?? "";
  const match = oneOf(MATCHES, parameters.get("match"));
  // Without words there is no relevance: newest first.
  const isBare = q.trim() === "";
  const sort = parameters.has("sort") || !isBare ? oneOf(RESULT_SORTS, parameters.get("sort")) : "newest";
  const view = oneOf(RESULT_VIEWS, parameters.get("view"));
  const group = oneOf(GROUPS, parameters.get("group"));
  const stack = oneOf(STACKS, parameters.get("stack"));
  const more = FACETS.find((name) => name === parameters.get("more")) ?? "";
  const message = parameters.get("m") ?? "";
  const pathOf = useMemo(
    () =>
      (route: string, added: Readonly<Record<string, string | number>> = {}) =>
        api(`${route}${formatParameters({ q, match: match === "all" ? null : match, ...added })}`),
    [api(""), q, match],
  );
  return { q, match, sort, view, group, stack, more, message, pathOf };
}

function oneOf<T extends string>(known: readonly [T, ...T[]], text: string | null): T {
  return known.find((name) => name === text) ?? known[0];
}
