import type { UnderstoodClause } from "../../mail/exploration.ts";
import { isStem } from "../indexing/stem-pattern.ts";
import { isPattern } from "../indexing/term-pattern.ts";
import type { QueryProblem } from "../query/query-problems.ts";
import type { Clause } from "../query/query-syntax.ts";
import { rankedTokens } from "./lookups.ts";

/** Problems of parts that look like operators. */
const WORDS_OF: ReadonlySet<QueryProblem["problem"]> = new Set(["operator", "value"]);

/** Returns the terms of a pattern. */
type TermsOf = (pattern: string) => readonly string[];

/** Interpretation of the clauses of a query. @param counts number of messages that match each of them */
export function understoodClauses(
  clauses: readonly Clause[],
  counts: readonly number[],
  { problems, termsOf }: { readonly problems: readonly QueryProblem[]; readonly termsOf: TermsOf },
): readonly UnderstoodClause[] {
  return clauses.flatMap((clause, at) => {
    const { start, end } = clause;
    // Words added by `similar:`, not by the user.
    if (start === end) return [];
    return [
      {
        start,
        end,
        kind: kindOf(clause),
        isExcluded: clause.demand === "excluded",
        isNoOperator: problems.some((part) => part.start === start && WORDS_OF.has(part.problem)),
        count: counts[at]!,
        forms: [...new Set(rankedTokens([clause]).filter(isStem).flatMap(termsOf))].sort(),
      },
    ];
  });
}

/** The field of an operator, "stem" for words by their stems, "prefix" for a word with wildcards. */
function kindOf(clause: Clause): string {
  if (clause.kind === "field") return clause.field;
  if (clause.kind !== "words" && clause.kind !== "phrase") return clause.kind;
  if (clause.tokens.some(isStem)) return "stem";
  return clause.kind === "words" && clause.tokens.some(isPattern) ? "prefix" : clause.kind;
}
