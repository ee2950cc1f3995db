import { formatCount } from "../../text/tokens/format-count.ts";
import { MAX_PATTERN_TERMS } from "../indexing/term-pattern.ts";
import { isOperator } from "./query-operators.ts";
import type { Piece } from "./query-pieces.ts";

/** A part of a query that could not be interpreted and is searched as words. */
export interface QueryProblem {
  /** Offsets into the query, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly problem: ProblemName;
}

/** Problem messages about a part of a query, which precedes them in quotation marks. */
const SENTENCES = {
  operator: "is not an operator: searched as text",
  value: "is not a valid value for this operator: searched as text",
  quote: "has an unmatched quotation mark: searched as text",
  parenthesis: "has an unmatched parenthesis: ignored",
  operand: "has no operand",
  nothing: "has no letters or digits: ignored",
  wildcard: `matches more than ${formatCount(MAX_PATTERN_TERMS)} words: the most frequent ones are searched`,
  syntax: "is not supported: only its words are searched",
  rest: "exceeds the query size limit: ignored",
} as const;
type ProblemName = keyof typeof SENTENCES;

/** Maximum characters of the query in a message. */
const MAX_SHOWN = 60;

/** One sentence per problem. */
export function problemSentences(query: string, problems: readonly QueryProblem[]): readonly string[] {
  return problems.map(({ start, end, problem }) => {
    const text = query.slice(start, end);
    const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
    return `"${shown}" ${SENTENCES[problem]}`;
  });
}

/** A word before a colon that looks like an operator; numbers and addresses of the web do not. */
const OPERATOR_LIKE = /^[+-]?([A-Za-z][A-Za-z_]{0,19}):(?!\/\/)/;

/**
 * Ordered and fuzzy search, boosts, ranges, joining signs and regular expressions of other search engines; addresses of
 * the web have such signs too. A `*` for a whole word between others.
 */
const UNSUPPORTED =
  /^(?:pre|onear|adj|atleast)\/?\d+$|^ADJ$|(?:^|[\p{L}\p{N}])~\d{0,2}$|[\p{L}\p{N}]\^\d+$|^\[|\]$|^\/[^/]{0,64}[.\])][*+][^/]{0,64}\/$|[\p{L}\p{N}][^\p{L}\p{N}*?]\*[^\p{L}\p{N}*?][\p{L}\p{N}]|^\|$|^[^/=]{0,64}(?:\|\||&&)/iu;

/** A mark after a digit is a sign for inches. */
function hasLoneQuote(word: string): boolean {
  const marks = word.match(/(?<!\d)"/g) ?? [];
  return marks.length % 2 === 1;
}

/** The problem of a piece searched as words, or null. */
export function wordProblem({ start, end, isQuoted, written }: Piece): QueryProblem | null {
  const name = OPERATOR_LIKE.exec(written)?.[1]?.toLowerCase();
  const isEmpty = written.endsWith(":") && (name === undefined || !isOperator(name));
  if (name !== undefined && !isEmpty) return { start, end, problem: isOperator(name) ? "value" : "operator" };
  if (!isQuoted && hasLoneQuote(written)) return { start, end, problem: "quote" };
  if (!isQuoted && UNSUPPORTED.test(written)) return { start, end, problem: "syntax" };
  return hasLoneParenthesis(written) && !isQuoted ? { start, end, problem: "parenthesis" } : null;
}

/** True if a parenthesis of a word is unbalanced in it. */
function hasLoneParenthesis(word: string): boolean {
  let open = 0;
  for (const sign of word) {
    if (sign === "(") open++;
    else if (sign === ")") open--;
    if (open < 0) return true;
  }
  return open > 0;
}
