import { DAY_MS } from "../../mail/dates/instant.ts";
import type { ExploredQuery } from "../../mail/exploration.ts";
import type { SearchSource } from "../indexing/search-source.ts";
import { present } from "../query/present.ts";
import type { Clause } from "../query/query-syntax.ts";

/** Operators that read the notebook. */
const ASKS_NOTEBOOK = /(?:tag|review|has):/i;

/** Conditions relative to the current day. */
const ASKS_TODAY = /(?:older|newer)_than:/i;

/**
 * The cache key of a result. The notebook changes what its operators find, and the date what operators of age find.
 * Computed before the query is parsed, so that some queries without such operators have different keys, too.
 */
export async function resultKey(
  { query, match }: ExploredQuery,
  source: Pick<SearchSource, "marked">,
): Promise<string> {
  const revision = ASKS_NOTEBOOK.test(query) ? (await source.marked()).revision : 0;
  const day = ASKS_TODAY.test(query) ? Math.floor(present() / DAY_MS) : 0;
  return `${revision} ${day} ${match} ${query}`;
}

/** True if the query uses the notebook. */
export function usesNotebook(clauses: readonly Clause[]): boolean {
  const pending = [...clauses];
  for (let clause = pending.pop(); clause !== undefined; clause = pending.pop()) {
    if (clause.kind === "group") for (const alternative of clause.alternatives) pending.push(...alternative);
    if (clause.kind !== "field") continue;
    const { field, text } = clause;
    if (field === "tag" || field === "note" || field === "review" || (field === "valued" && text === "tag"))
      return true;
  }
  return false;
}
