import { HashCounter } from "../columns/hash-counter.ts";
import { mixHash } from "../text/tokens/word-numbers.ts";
import { GroupCounter } from "./group-counter.ts";
import type { ThreadPartitions } from "./thread-partitions.ts";
import { caseOfToken, hashOfToken, isAdjacent, LetterCase, termHash } from "./token.ts";
import { nameWords } from "./topic-description.ts";
import { normalForms } from "./topic-terms.ts";

/** Maximum vocabulary: rarer words do not change topics. */
const MAX_TERMS = 20_000;
/** A word must be in at least 3 threads and this share of them, */
const MIN_SHARE = 0.00005;
const MIN_THREADS = 3;
/**
 * Maximum share of threads with a word; above, it is a common word. Small archives have a higher limit, where few
 * threads are a large share.
 */
const MAX_SHARE = 0.1;
const SMALL_ARCHIVE_THREADS = 200;
const MAX_SHARE_SMALL = 0.3;
/**
 * Minimum share of capitalized uses for part of a person's name to be excluded: "Rose" and "Green", but not "power"
 * and "gas".
 */
const NAME_SHARE = 0.6;

/** The vocabulary of topics. */
export interface Vocabulary {
  /** Hash of each term, most frequent first. */
  readonly hashes: Uint32Array;
  /** Inverse document frequency, raised: ln(1+N/df)^1.5. */
  readonly idf: Float32Array;
}

/** The words of names, and which of them are adjacent in a name. */
class NameWords {
  private readonly words = new HashCounter();
  private readonly pairs = new HashCounter();

  constructor(names: Iterable<string>) {
    for (const name of names) {
      const words = nameWords(name).map((word) => [...new Set(normalForms(word))].map(termHash));
      for (const hash of words.flat()) this.words.set(hash, 1);
      // A domain is not a full name.
      if (name.includes(" ")) this.addPairs(words);
    }
  }

  /** @param words the hashes of the forms of each word of a name */
  private addPairs(words: readonly (readonly number[])[]): void {
    for (let at = 1; at < words.length; at++)
      for (const a of words[at - 1]!) for (const b of words[at]!) this.pairs.set(pairKey(a, b), 1);
  }

  has(hash: number): boolean {
    return this.words.get(hash) > 0;
  }

  /** True if two words are adjacent in a name, in either order. */
  hasPair(a: number, b: number): boolean {
    return this.pairs.get(pairKey(a, b)) > 0;
  }
}

const pairKey = (a: number, b: number): number => mixHash(mixHash(Math.min(a, b), 0), Math.max(a, b)) >>> 0 || 1;

/** Threads that contain each word, and how often each excluded word is written as a name and otherwise. */
interface WordCounts {
  readonly threadsByHash: GroupCounter;
  readonly asName: HashCounter;
  readonly otherwise: HashCounter;
  /** Threads with at least one word. */
  readonly threads: number;
}

function countWords(partitions: ThreadPartitions, names: NameWords): WordCounts {
  const counts = { threadsByHash: new GroupCounter(1 << 16), asName: new HashCounter(), otherwise: new HashCounter() };
  let threads = 0;
  for (const partition of partitions.read()) {
    for (let thread = partition.first; thread < partition.end; thread++) {
      const tokens = partition.tokensOf(thread);
      if (tokens.length === 0) continue;
      threads++;
      countThread(tokens, thread, names, counts);
    }
  }
  return { ...counts, threads };
}

function countThread(
  tokens: Uint32Array,
  thread: number,
  names: NameWords,
  { threadsByHash, asName, otherwise }: Omit<WordCounts, "threads">,
): void {
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const hash = hashOfToken(token);
    if (names.has(hash)) (isWrittenAsName(tokens, index, names) ? asName : otherwise).add(hash, 1);
    threadsByHash.add(hash, thread);
  }
}

/** True for a word with capitals as names have them, or next to the word that it makes a full name with. */
function isWrittenAsName(tokens: Uint32Array, index: number, names: NameWords): boolean {
  const token = tokens[index]!;
  const letterCase = caseOfToken(token);
  if (letterCase === LetterCase.title || letterCase === LetterCase.mixed) return true;
  const hash = hashOfToken(token);
  const next = tokens[index + 1];
  return (
    (index > 0 && isAdjacent(token) && names.hasPair(hashOfToken(tokens[index - 1]!), hash)) ||
    (next !== undefined && isAdjacent(next) && names.hasPair(hash, hashOfToken(next)))
  );
}

/**
 * Selects the vocabulary by the number of threads with a word. @param names contact names and mail domains, whose
 * words are excluded if mostly written as names
 */
export function buildVocabulary(partitions: ThreadPartitions, names: Iterable<string>): Vocabulary {
  const { threadsByHash, asName, otherwise, threads } = countWords(partitions, new NameWords(names));
  const least = Math.max(MIN_THREADS, threads * MIN_SHARE);
  const most = Math.max(MIN_THREADS, threads * (threads < SMALL_ARCHIVE_THREADS ? MAX_SHARE_SMALL : MAX_SHARE));
  const chosen: { hash: number; count: number }[] = [];
  for (const [hash, count] of threadsByHash.entries()) {
    if (count < least || count > most) continue;
    const named = asName.get(hash);
    if (named > 0 && named >= (named + otherwise.get(hash)) * NAME_SHARE) continue;
    chosen.push({ hash, count });
  }
  chosen.sort((a, b) => b.count - a.count || a.hash - b.hash);
  const terms = chosen.slice(0, MAX_TERMS);
  return {
    hashes: Uint32Array.from(terms, ({ hash }) => hash),
    idf: Float32Array.from(terms, ({ count }) => rarity(threads, count)),
  };
}

/**
 * IDF to the power of 1.5: rare words distinguish topics better than plain TF-IDF allows. Computed by a square root,
 * which IEEE 754 defines to the last bit, unlike powers.
 */
function rarity(threads: number, count: number): number {
  const frequency = Math.log(1 + threads / count);
  return frequency * Math.sqrt(frequency);
}
