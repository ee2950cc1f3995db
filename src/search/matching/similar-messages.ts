import { ordinalOf } from "../../mail/records/ids.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import { type SearchSource, SUBJECTS_ALONE } from "../indexing/search-source.ts";
import { inverseDocumentFrequency, termFrequencyWeight } from "../indexing/weights.ts";
import type { Clause, Leaf } from "../query/query-syntax.ts";
import { messagesWithText } from "../ranking/repeated-texts.ts";

/**
 * Maximum characteristic words of a message used for comparison: more bring noise, and each is a pass over postings.
 */
const SIMILAR_WORDS = 25;
/** Maximum bytes analyzed of a text: the first pages show the subject of a message. */
const SIMILAR_TEXT_BYTES = 64 * 1024;
/** Distinct words looked up for their weights, the most frequent in the message first. */
const SIMILAR_CANDIDATES = 500;
/** Words of the subject count twice, as they do in the index. */
const SUBJECT_WEIGHT = 2;

/** Counts the messages that contain each of some words. */
export type CountWords = (words: readonly string[]) => Promise<readonly number[]>;

/** The message of `similar:` and those that repeat its text; empty if it does not exist. */
export async function resolveSimilar(source: SearchSource, id: string): Promise<readonly number[]> {
  const document = ordinalOf("msg", id);
  const alone = { firstDocument: source.firstDocument, end: source.columns.lengths.length, dead: source.dead };
  const { firstDocument, end, dead } = source.archive ?? alone;
  if (!source.holdsMessages || document === null || document < firstDocument) return [];
  if (document >= end || dead.has(document)) return [];
  const column = await source.repeats();
  const base = source.archive?.base ?? 0;
  const text = source.archive === undefined ? (column[document] ?? 0) : await source.archive.textOf(document);
  const own = document - base;
  return [own, ...messagesWithText(column, text).filter((other) => other !== own)];
}

/**
 * The clauses of a query, with the characteristic words of the message added to each `similar:`. They rank like typed
 * words, but have no position in the query.
 */
export async function withSimilarWords(
  clauses: readonly Clause[],
  source: SearchSource,
  countWords: CountWords,
): Promise<readonly Clause[]> {
  const read: Clause[] = [];
  for (const clause of clauses) {
    if (clause.kind === "group")
      read.push({ ...clause, alternatives: await all(clause.alternatives, source, countWords) });
    else read.push(clause);
    if (clause.kind !== "field" || clause.field !== "similar" || clause.demand !== "required") continue;
    // A message without text, or an unknown one, is similar to nothing.
    read.push((await wordsLike(source, clause, countWords)) ?? { ...clause, text: "" });
  }
  return read;
}

/** Recursion is limited by `MAX_DEPTH` of query-pieces.ts. */
async function all(
  alternatives: readonly (readonly Clause[])[],
  source: SearchSource,
  countWords: CountWords,
): Promise<readonly (readonly Clause[])[]> {
  const read: (readonly Clause[])[] = [];
  for (const alternative of alternatives) read.push(await withSimilarWords(alternative, source, countWords));
  return read;
}

async function wordsLike(
  source: SearchSource,
  { text, end }: Leaf & { readonly kind: "field" },
  countWords: CountWords,
): Promise<Leaf | null> {
  const [document] = await resolveSimilar(source, text);
  if (document === undefined) return null;
  const [found] = await source.texts([document], SUBJECTS_ALONE);
  const counts = new Map<string, number>();
  const body = found!.body()?.subarray(0, SIMILAR_TEXT_BYTES) ?? new Uint8Array(0);
  addWords(Buffer.from(found!.subject()).toString("utf8"), SUBJECT_WEIGHT, counts);
  addWords(Buffer.from(body).toString("utf8"), 1, counts);
  const tokens = await mostTelling(source, counts, countWords);
  return tokens.length === 0 ? null : { kind: "words", demand: "optional", tokens, start: end, end };
}

function addWords(text: string, weight: number, counts: Map<string, number>): void {
  for (const token of tokensOf(text)) counts.set(token, (counts.get(token) ?? 0) + weight);
}

/** The most characteristic words: frequent in the message, rare elsewhere. Skips words of no other message. */
async function mostTelling(
  source: SearchSource,
  counts: ReadonlyMap<string, number>,
  countWords: CountWords,
): Promise<readonly string[]> {
  const often = [...counts].sort((one, other) => other[1] - one[1]).slice(0, SIMILAR_CANDIDATES);
  const frequencies = await countWords(often.map(([token]) => token));
  const weighed = often.flatMap(([token, count], at) => {
    const held = frequencies[at]!;
    const weight = termFrequencyWeight(count) * inverseDocumentFrequency(source.documentCount, held);
    return held < 2 ? [] : [{ token, weight }];
  });
  weighed.sort((one, other) => other.weight - one.weight || (one.token < other.token ? -1 : 1));
  return weighed.slice(0, SIMILAR_WORDS).map(({ token }) => token);
}
