import type { ThreadPartitions } from "./thread-partitions.ts";
import type { ThreadVectorizer } from "./thread-vectors.ts";
import { isAdjacent } from "./token.ts";

/** Topics with fewer threads are named by their subjects: too few texts use the keywords to rank them. */
const SMALL_TOPIC_THREADS = 14;
/** Maximum words of one part of a name. */
const MAX_WORDS = 3;
/** A second part names this share of the subjects more, */
const MIN_FURTHER_SHARE = 0.08;
/** and scores this share of the first one. */
const MIN_FURTHER_SCORE = 0.25;
/** Weight of a proper noun or keyword relative to another word. */
const PROPER_FACTOR = 1.3;
const KEYWORD_FACTOR = 1.25;
/** A word that half of the subjects contain weighs more than half of a word that all contain. */
const SHARE_POWER = 0.8;

/** The terms of subjects: runs of words that follow each other directly, by topic. */
export interface SubjectRuns {
  /** By rank of the topic: the runs of each of its subjects; no subjects of a large topic. */
  readonly subjectsOfTopic: readonly (readonly Subject[])[];
  /** Number of subjects in all topics with each term of `subjectsOfTopic`. */
  readonly totals: ReadonlyMap<number, number>;
  readonly subjects: number;
  /** The terms of all runs. */
  readonly terms: readonly number[];
}

/** The runs of one subject. */
type Subject = readonly (readonly number[])[];

/** The words of a topic and their properties. */
export interface NamingWords {
  /** The terms of the keywords. */
  readonly keywords: readonly number[];
  readonly isWeak: (term: number) => boolean;
  readonly isProper: (term: number) => boolean;
}

/** Reads the subjects of small topics. */
export function subjectRuns(corpus: {
  readonly threads: ThreadPartitions;
  readonly vectorizer: ThreadVectorizer;
  readonly topicOfThread: Int32Array;
  readonly topics: number;
}): SubjectRuns {
  const { threads, vectorizer, topicOfThread, topics } = corpus;
  const sizes = new Uint32Array(topics);
  for (const topic of topicOfThread) if (topic >= 0) sizes[topic]!++;
  const subjectsOfTopic: Subject[][] = Array.from({ length: topics }, () => []);
  const totals = new Map<number, number>();
  let subjects = 0;
  for (const { thread, tokens } of threads.subjects.subjects()) {
    const topic = topicOfThread[thread]!;
    const runs = runsOf(tokens, vectorizer);
    subjects++;
    for (const term of new Set(runs.flat())) totals.set(term, (totals.get(term) ?? 0) + 1);
    if (topic >= 0 && sizes[topic]! < SMALL_TOPIC_THREADS) subjectsOfTopic[topic]!.push(runs);
  }
  return { subjectsOfTopic, totals, subjects, terms: subjectsOfTopic.flat(3) };
}

/** Runs of words of the vocabulary that follow each other directly. */
function runsOf(tokens: readonly number[], vectorizer: ThreadVectorizer): Subject {
  const runs: number[][] = [];
  let open: number[] | null = null;
  for (const token of tokens) {
    const term = vectorizer.termOf(token);
    if (term < 0) open = null;
    else if (open !== null && isAdjacent(token)) open.push(term);
    else runs.push((open = [term]));
  }
  return runs;
}

interface Candidate {
  readonly terms: readonly number[];
  readonly score: number;
  /** Numbers of the subjects that contain it. */
  readonly holders: ReadonlySet<number>;
}

/** One or two phrases for the name of a small topic, the better first; none if its subjects are uninformative. */
export function subjectParts(runs: SubjectRuns, topic: number, words: NamingWords): readonly (readonly number[])[] {
  const subjects = runs.subjectsOfTopic[topic]!;
  const candidates = candidatesOf(subjects, scoreOfWords(runs, subjects, words), words);
  const [best] = candidates;
  if (best === undefined) return [];
  const second = candidates.find(
    ({ terms, score, holders }) =>
      score >= best.score * MIN_FURTHER_SCORE &&
      !terms.some((term) => best.terms.includes(term)) &&
      [...holders].filter((subject) => !best.holders.has(subject)).length >= subjects.length * MIN_FURTHER_SHARE,
  );
  return second === undefined ? [best.terms] : [best.terms, second.terms];
}

/** Score of each subject word of a topic; 0 for weak words. */
function scoreOfWords(
  { totals, subjects: all }: SubjectRuns,
  subjects: readonly Subject[],
  { keywords, isWeak, isProper }: NamingWords,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const runs of subjects) for (const term of new Set(runs.flat())) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map(
    [...counts].map(([term, count]) => {
      const share = count / subjects.length;
      const lift = share / (totals.get(term)! / all);
      const factor = (isProper(term) ? PROPER_FACTOR : 1) * (keywords.includes(term) ? KEYWORD_FACTOR : 1);
      return [term, isWeak(term) ? 0 : share ** SHARE_POWER * Math.log2(1 + lift) * factor] as const;
    }),
  );
}

/** Every run of one to MAX_WORDS words that begins with a characteristic one, the best first. */
function candidatesOf(
  subjects: readonly Subject[],
  scores: ReadonlyMap<number, number>,
  { isWeak }: NamingWords,
): readonly Candidate[] {
  const found = new Map<string, { readonly terms: readonly number[]; readonly holders: Set<number> }>();
  subjects.forEach((runs, subject) => {
    for (const phrase of runs.flatMap(phrasesOf)) {
      if (isWeak(phrase[0]!)) continue;
      const key = phrase.join(" ");
      const known = found.get(key) ?? { terms: phrase, holders: new Set<number>() };
      known.holders.add(subject);
      found.set(key, known);
    }
  });
  return [...found.values()]
    .map(({ terms, holders }) => ({ terms, holders, score: scoreOf(terms, scores) }))
    .sort((a, b) => b.score - a.score || b.holders.size - a.holders.size || a.terms[0]! - b.terms[0]!);
}

function phrasesOf(run: readonly number[]): readonly (readonly number[])[] {
  return run.flatMap((_, start) =>
    Array.from({ length: Math.min(MAX_WORDS, run.length - start) }, (_, words) => run.slice(start, start + words + 1)),
  );
}

const scoreOf = (terms: readonly number[], scores: ReadonlyMap<number, number>): number =>
  new Set(terms).size < terms.length
    ? 0
    : terms.reduce((sum, term) => sum + scores.get(term)!, 0) / Math.sqrt(terms.length);
