import type { Clause } from "./query-syntax.ts";

/** What may ask for what is written in the notebook. */
const ASKS_NOTEBOOK = /(?:tag|review|has):/i;

/**
 * Whether what a text finds may change when somebody writes in the notebook; asked before it is read as a query. True for
 * some that ask for nothing of it.
 */
export function mayAskNotebook(query: string): boolean {
  return ASKS_NOTEBOOK.test(query);
}

/** Whether a query finds by what is written in the notebook. */
export function asksNotebook(clauses: readonly Clause[]): boolean {
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
