import type { UnderstoodClause } from "../mail/exploration.ts";
import type { QueryProblem } from "./query-problems.ts";
import type { Clause } from "./query-syntax.ts";

/** Problems of parts that look like operators. */
const WORDS_OF: ReadonlySet<QueryProblem["problem"]> = new Set(["operator", "value"]);

/** How the clauses of a query were read. @param counts messages that each of them is true of */
export function understoodClauses(
  clauses: readonly Clause[],
  counts: readonly number[],
  problems: readonly QueryProblem[],
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
        isNoOperator: problems.some((part) => part.start === start && WORDS_OF.has(part.problem)),
        count: counts[at]!,
      },
    ];
  });
}
