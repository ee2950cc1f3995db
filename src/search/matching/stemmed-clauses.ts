import { DEFAULT_STEMS, loadStems, stemmerOf } from "../../text/language/word-stems.ts";
import { isStem, stemIn } from "../indexing/stem-pattern.ts";
import { type Clause, type Leaf, leavesOf } from "../query/query-syntax.ts";

/** Minimum share of a language among messages with a known language; rarer ones would add unrelated words. */
const MIN_SHARE = 0.05;

/** The clauses of a query with the languages of its stems. Loads the stemmers. */
export async function withStems(
  clauses: readonly Clause[],
  languagesOf: () => Promise<readonly string[]>,
): Promise<readonly Clause[]> {
  if (!leavesOf(clauses).some(isStemmed)) return clauses;
  await loadStems();
  const languages = await languagesOf();
  return clauses.map((clause) => inLanguages(clause, languages));
}

function isStemmed(leaf: Leaf): boolean {
  return (leaf.kind === "words" || leaf.kind === "phrase") && leaf.tokens.some(isStem);
}

/** Recursion is limited by `MAX_DEPTH` of query-pieces.ts. */
function inLanguages(clause: Clause, languages: readonly string[]): Clause {
  if (clause.kind === "group")
    return {
      ...clause,
      alternatives: clause.alternatives.map((some) => some.map((one) => inLanguages(one, languages))),
    };
  if (clause.kind !== "words" && clause.kind !== "phrase") return clause;
  return { ...clause, tokens: clause.tokens.map((token) => (isStem(token) ? stemIn(token, languages) : token)) };
}

/** Languages of the loaded stemmers to use. @param counts of messages by ISO 639-1 code */
export function stemLanguages(counts: ReadonlyMap<string, number>): readonly string[] {
  const all = Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
  const frequent = Array.from(counts).filter(
    ([language, count]) => stemmerOf(language) !== undefined && count >= MIN_SHARE * all,
  );
  return frequent.length === 0 ? [DEFAULT_STEMS] : frequent.map(([language]) => language).sort();
}
