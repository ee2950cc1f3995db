import type { UnderstoodClause } from "../mail/exploration.ts";
import type { Clause } from "./query-syntax.ts";

/** What looks like an operator; an address of the web is none. */
const OPERATOR_LIKE = /^[+-]?[A-Za-z][A-Za-z_]{0,19}:[^/\s]/;

/** How the clauses of a query were read. @param counts messages that each of them is true of */
export function understoodClauses(
  query: string,
  clauses: readonly Clause[],
  counts: readonly number[],
): readonly UnderstoodClause[] {
  return clauses.flatMap((clause, at) => {
    const { start, end, kind } = clause;
    // Words that nobody wrote: those of `similar:`.
    if (start === end) return [];
    return [
      {
        start,
        end,
        kind: kind === "field" ? clause.field : kind,
        isExcluded: clause.demand === "excluded",
        isNoOperator: kind === "words" && OPERATOR_LIKE.test(query.slice(start, end)),
        count: counts[at]!,
      },
    ];
  });
}
