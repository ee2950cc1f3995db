import { MENTIONED_KEYWORDS } from "../mail/records/topic.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { keywordCoherence } from "./keyword-coherence.ts";
import type { PooledTerms } from "./pooled-terms.ts";
import { subjectParts, subjectRuns } from "./small-topic-names.ts";
import { lookUpWords, type WordForms } from "./term-segment.ts";
import type { ThreadPartitions } from "./thread-partitions.ts";
import type { ThreadVectorizer, VectorPartitions } from "./thread-vectors.ts";
import { caseOfToken, FORMS, formOfToken, isAdjacent, LetterCase } from "./token.ts";
import { KEYWORDS, topicKeywords } from "./topic-keyword-terms.ts";
import type { Keyword, TopicKeywords } from "./topic-names.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Minimum threads in which two adjacent keywords form a phrase, far more often than by chance. */
const MIN_PHRASE_THREADS = 3;
const MIN_NPMI = 0.3;
/** and minimum share of the threads of the rarer one; one of them is among the first keywords. */
const MIN_PHRASE_SHARE = 0.15;
const LEADING_KEYWORDS = 4;
/** Minimum share of capitalized uses for a short word to be an acronym. */
const ACRONYM_SHARE = 0.1;
const MAX_ACRONYM_CHARACTERS = 5;
/** Minimum share of uses with a capital for a word to be a proper noun. */
const PROPER_SHARE = 0.7;

/** Data for counting words and topics. */
interface TopicCorpus {
  readonly pool: PooledTerms;
  readonly threads: ThreadPartitions;
  readonly vectorizer: ThreadVectorizer;
  readonly vectors: VectorPartitions;
  readonly vocabulary: Vocabulary;
  /** Rank 0… of the topic of each thread, -1 for "Other". */
  readonly topicOfThread: Int32Array;
  readonly topics: number;
}

/** Written forms of keywords, and their adjacent pairs. */
interface Usage {
  /** Occurrences of each form of a term: forms[slot * FORMS + form], slots by `slotOfTerm`. */
  readonly slotOfTerm: ReadonlyMap<number, number>;
  readonly forms: Uint32Array;
  /** The same for occurrences in runs of capitals (`CALENDAR ENTRY`), which do not indicate an acronym. */
  readonly formsInRuns: Uint32Array;
  /** Per topic: occurrences of keyword i, of keyword i before keyword j, and all words. */
  readonly single: Uint32Array;
  readonly pairs: Uint32Array;
  /** Threads in which keyword i is followed by keyword j. */
  readonly pairThreads: Uint32Array;
  readonly words: Float64Array;
  /** Threads of each topic, and those with one of its first keywords. */
  readonly threads: Uint32Array;
  readonly mentioning: Uint32Array;
}

/** @param further displayed terms that are not keywords */
function countUsage(
  corpus: TopicCorpus,
  termsOfTopic: readonly (readonly number[])[],
  further: readonly number[],
): Usage {
  const slotOfTerm = new Map([...new Set([...termsOfTopic.flat(), ...further])].map((term, slot) => [term, slot]));
  const slots = new Int32Array(corpus.vocabulary.hashes.length).fill(-1);
  for (const [term, slot] of slotOfTerm) slots[term] = slot;
  const usage: Usage = {
    slotOfTerm,
    forms: new Uint32Array(slotOfTerm.size * FORMS),
    formsInRuns: new Uint32Array(slotOfTerm.size * FORMS),
    single: new Uint32Array(corpus.topics * KEYWORDS),
    pairs: new Uint32Array(corpus.topics * KEYWORDS * KEYWORDS),
    pairThreads: new Uint32Array(corpus.topics * KEYWORDS * KEYWORDS),
    words: new Float64Array(corpus.topics),
    threads: new Uint32Array(corpus.topics),
    mentioning: new Uint32Array(corpus.topics),
  };
  const counter = new UsageCounter(usage, corpus.vectorizer, slots);
  for (const partition of corpus.threads.read()) {
    for (let thread = partition.first; thread < partition.end; thread++) {
      const topic = corpus.topicOfThread[thread]!;
      if (topic >= 0) counter.add(partition.tokensOf(thread), { thread, topic, own: termsOfTopic[topic]! });
    }
  }
  return usage;
}

/** Counts the occurrences of a topic's keywords in a thread. */
class UsageCounter {
  /** The last thread that contained each pair, plus one. */
  private readonly lastThreads: Uint32Array;

  constructor(
    private readonly usage: Usage,
    private readonly vectorizer: ThreadVectorizer,
    /** Slot of each term, -1 if it is not a keyword. */
    private readonly slots: Int32Array,
  ) {
    this.lastThreads = new Uint32Array(usage.pairs.length);
  }

  add(tokens: Uint32Array, { thread, topic, own }: CountedThread): void {
    const { single, words, threads, mentioning } = this.usage;
    threads[topic]!++;
    let isMentioned = false;
    words[topic] = words[topic]! + tokens.length;
    let before = -1;
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]!;
      const term = this.vectorizer.termOf(token);
      const slot = term < 0 ? -1 : this.slots[term]!;
      const at = slot < 0 ? -1 : own.indexOf(term);
      if (slot >= 0) this.countForm(tokens, index, slot);
      if (at >= 0) {
        single[topic * KEYWORDS + at]!++;
        isMentioned ||= at < MENTIONED_KEYWORDS;
        if (before >= 0 && isAdjacent(token)) this.addPair((topic * KEYWORDS + before) * KEYWORDS + at, thread);
      }
      before = at;
    }
    if (isMentioned) mentioning[topic]!++;
  }

  private countForm(tokens: Uint32Array, index: number, slot: number): void {
    const { forms, formsInRuns } = this.usage;
    (isInRun(tokens, index) ? formsInRuns : forms)[slot * FORMS + formOfToken(tokens[index]!)]!++;
  }

  private addPair(pair: number, thread: number): void {
    const { pairs, pairThreads } = this.usage;
    pairs[pair]!++;
    if (this.lastThreads[pair] === thread + 1) return;
    this.lastThreads[pair] = thread + 1;
    pairThreads[pair]!++;
  }
}

const isUpper = (token: number): boolean => caseOfToken(token) === LetterCase.upper;

/** True for a word in capitals next to another one. */
function isInRun(tokens: Uint32Array, index: number): boolean {
  const isFollowed = (at: number): boolean => at >= 0 && at + 1 < tokens.length && isAdjacent(tokens[at + 1]!);
  return (
    isUpper(tokens[index]!) &&
    ((isFollowed(index - 1) && isUpper(tokens[index - 1]!)) || (isFollowed(index) && isUpper(tokens[index + 1]!)))
  );
}

/** A thread, its topic, and the topic's keywords. */
interface CountedThread {
  readonly thread: number;
  readonly topic: number;
  readonly own: readonly number[];
}

/** Normalized pointwise mutual information of two adjacent words (Bouma 2009), -1…1. */
function normalisedInformation(pair: number, first: number, second: number, words: number): number {
  return Math.log((pair * words) / (first * second)) / -Math.log(pair / words);
}

function bestPhrase(usage: Usage, topic: number, count: number): readonly [number, number] | null {
  let best: readonly [number, number] | null = null;
  let most = 0;
  for (let first = 0; first < count; first++) {
    for (let second = 0; second < count; second++) {
      const at = (topic * KEYWORDS + first) * KEYWORDS + second;
      const pair = usage.pairs[at]!;
      if (first === second || usage.pairThreads[at]! < MIN_PHRASE_THREADS || pair <= most) continue;
      const [a, b] = [usage.single[topic * KEYWORDS + first]!, usage.single[topic * KEYWORDS + second]!];
      if (Math.min(first, second) >= LEADING_KEYWORDS || pair < Math.min(a, b) * MIN_PHRASE_SHARE) continue;
      if (normalisedInformation(pair, a, b, usage.words[topic]!) < MIN_NPMI) continue;
      best = [first, second];
      most = pair;
    }
  }
  return best;
}

const withPlural = (word: string): string =>
  word.endsWith("y") && !/[aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;

/** Number of uses of a word with the given capitals. */
function usesWritten(forms: Uint32Array, letterCase: LetterCase): number {
  return forms[letterCase << 1]! + forms[(letterCase << 1) | 1]!;
}

const sumOf = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0);

/** True for a short word in capitals: `GPU` is often `gpu` in the same mail, and hardly ever `Gpu`. */
function isAcronym(forms: Uint32Array, word: string): boolean {
  const upper = usesWritten(forms, LetterCase.upper);
  const isFrequent = upper > 0 && upper >= sumOf(forms) * ACRONYM_SHARE;
  return isFrequent && word.length <= MAX_ACRONYM_CHARACTERS && upper >= usesWritten(forms, LetterCase.title);
}

function isProperNoun(forms: Uint32Array): boolean {
  return sumOf(forms) - usesWritten(forms, LetterCase.lower) >= sumOf(forms) * PROPER_SHARE;
}

/** The most frequent form of a word, or that of an acronym. */
function shownForm(forms: Uint32Array, words: WordForms): Keyword {
  let best = 0;
  for (let form = 1; form < FORMS; form++) if (forms[form]! > forms[best]!) best = form;
  const isPlural = (best & 1) !== 0;
  const letterCase = best >> 1;
  const normal = words.normal ?? words.mixed?.toLowerCase() ?? "";
  if (letterCase === LetterCase.mixed && words.mixed !== null)
    return { text: isPlural ? withPlural(words.mixed) : words.mixed, hasOwnCapitals: true };
  const isUpper = isAcronym(forms, normal);
  const stem = isUpper ? normal.toUpperCase() : normal;
  return { text: isPlural ? withPlural(stem) : stem, hasOwnCapitals: isUpper };
}

function* wordTables(pool: PooledTerms): Generator<Uint8Array> {
  for (const { segment } of pool.segments()) yield segment.wordTable;
}

/** Keywords and phrases of each topic, by rank. */
export function findKeywords(corpus: TopicCorpus): readonly TopicKeywords[] {
  const { vocabulary, vectorizer, vectors, topicOfThread, topics } = corpus;
  const grouped = { vectors: () => vectors.read(), topicOfThread, topics, terms: vocabulary.hashes.length };
  const termsOfTopic = topicKeywords(grouped);
  const coherence = keywordCoherence(grouped, termsOfTopic);
  const subjectsOfSmall = subjectRuns(corpus);
  const subjectPhrases = corpus.threads.subjects
    .phrases(topicOfThread, topics, (token) => vectorizer.termOf(token) >= 0)
    .map((phrase) => phrase && { share: phrase.share, terms: phrase.tokens.map((token) => vectorizer.termOf(token)) });
  const usage = countUsage(corpus, termsOfTopic, [
    ...subjectPhrases.flatMap((phrase) => phrase?.terms ?? []),
    ...subjectsOfSmall.terms,
  ]);
  const words = lookUpWords(
    wordTables(corpus.pool),
    new Set(Array.from(usage.slotOfTerm.keys(), (term) => vocabulary.hashes[term]!)),
  );
  const formsOf = (term: number): Uint32Array => {
    const first = usage.slotOfTerm.get(term)! * FORMS;
    const forms = usage.forms.subarray(first, first + FORMS);
    return sumOf(forms) > 0 ? forms : usage.formsInRuns.subarray(first, first + FORMS);
  };
  const wordsOf = (term: number): WordForms => words.get(vocabulary.hashes[term]!) ?? NO_FORMS;
  const keywordOf = (term: number): Keyword => shownForm(formsOf(term), wordsOf(term));
  const isWeak = (term: number): boolean => WEAK_WORDS.has(wordsOf(term).normal ?? "");
  const isProper = (term: number): boolean => isProperNoun(formsOf(term));
  return termsOfTopic.map((terms, topic) => {
    const phrase = subjectPhrases[topic]!;
    return {
      keywords: terms.map(keywordOf),
      coherence: coherence[topic]!,
      subjectPhrase: phrase && { words: phrase.terms.map(keywordOf), share: phrase.share },
      textPhrase: bestPhrase(usage, topic, terms.length),
      mentionPercent: Math.round((100 * usage.mentioning[topic]!) / Math.max(1, usage.threads[topic]!)),
      subjectParts: subjectParts(subjectsOfSmall, topic, { keywords: terms, isWeak, isProper }).map((part) =>
        part.map(keywordOf),
      ),
    };
  });
}

/** Words of subjects without topical meaning. */
const WEAK_WORDS = wordSet(
  "meeting meet new update updated ready request weekly daily monthly annual first last next final draft version status report " +
    "problem issue help need question possible use work change old good different example thing people",
);

const NO_FORMS: WordForms = { normal: null, mixed: null };
