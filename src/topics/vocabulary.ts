import { mixHash } from "../text/word-numbers.ts";
import { HashCounter } from "./hash-counter.ts";
import { MAX_MESSAGES_POOLED, MIN_BOILERPLATE_WORDS, type PoolIndex, type ThreadPool } from "./thread-pool.ts";
import { caseOfToken, hashOfToken, LetterCase, LINE_END, LINE_HASH, termHash } from "./token.ts";
import { normalForms } from "./topic-terms.ts";

/** Most words a model knows: rarer ones change no topic. */
const MAX_TERMS = 20_000;
/** A word must stand in at least 3 threads and this share of them, */
const MIN_SHARE = 0.00005;
const MIN_THREADS = 3;
/** and in no more than this share: then it is everybody's word. Small archives get more room, as a few threads are a large share there. */
const MAX_SHARE = 0.1;
const SMALL_ARCHIVE_THREADS = 200;
const MAX_SHARE_SMALL = 0.3;
/** A part of somebody's name is left out when it is written as a name at least in this share: "Rose" and "Green" against "power" and "gas". */
const NAME_SHARE = 0.6;

/** The words that topics are made of. */
export interface Vocabulary {
  /** Hash of each term, most frequent first. */
  readonly hashes: Uint32Array;
  /** Smoothed inverse document frequency: ln((1+N)/(1+df))+1. */
  readonly idf: Float32Array;
}

/** Reads the words of threads that are not boilerplate. */
export class ThreadReader {
  private readonly pool: ThreadPool;
  private readonly index: PoolIndex;
  private readonly boilerplate = new HashCounter();
  private words = new Uint32Array(1024);
  private length = 0;

  constructor(pool: ThreadPool, boilerplate: Uint32Array) {
    this.pool = pool;
    this.index = pool.index();
    for (const hash of boilerplate) this.boilerplate.add(hash, 1);
  }

  get threads(): number {
    return this.pool.threads;
  }

  /** Messages of a thread, all of them. */
  messageCount(thread: number): number {
    return this.index.starts[thread + 1]! - this.index.starts[thread]!;
  }

  /** The tokens of a thread, line ends left out; overwritten by the next call. Every word of the archive comes by here several times. */
  tokensOf(thread: number): Uint32Array {
    this.length = 0;
    const first = this.index.starts[thread]!;
    const end = Math.min(this.index.starts[thread + 1]!, first + MAX_MESSAGES_POOLED);
    for (let slot = first; slot < end; slot++) this.addMessage(this.index.blockOf[slot]!, this.index.messageOf[slot]!);
    return this.words.subarray(0, this.length);
  }

  private addMessage(block: number, message: number): void {
    const { tokens, starts } = this.pool.block(block);
    const end = starts[message + 1]!;
    if (this.length + end - starts[message]! > this.words.length) this.makeRoom(end - starts[message]!);
    let start = starts[message]!;
    let hash = LINE_HASH;
    for (let index = start; index < end; index++) {
      const token = tokens[index]!;
      if (token !== LINE_END) {
        hash = mixHash(hash, hashOfToken(token));
        continue;
      }
      if (index - start < MIN_BOILERPLATE_WORDS || this.boilerplate.get(hash >>> 0) === 0) this.addLine(tokens, start, index);
      start = index + 1;
      hash = LINE_HASH;
    }
  }

  private addLine(tokens: Uint32Array, start: number, end: number): void {
    const { words } = this;
    let { length } = this;
    for (let index = start; index < end; index++) words[length++] = tokens[index]!;
    this.length = length;
  }

  private makeRoom(more: number): void {
    const larger = new Uint32Array(Math.max(this.words.length * 2, this.length + more));
    larger.set(this.words);
    this.words = larger;
  }
}

/** Threads that hold each word, and how often each excluded word is written as a name and otherwise. */
interface WordCounts {
  readonly threadsByHash: HashCounter;
  readonly asName: HashCounter;
  readonly otherwise: HashCounter;
  /** Threads with at least one word. */
  readonly threads: number;
}

function countWords(reader: ThreadReader, names: HashCounter): WordCounts {
  const threadsByHash = new HashCounter(1 << 16);
  const asName = new HashCounter();
  const otherwise = new HashCounter();
  let threads = 0;
  for (let thread = 0; thread < reader.threads; thread++) {
    const tokens = reader.tokensOf(thread);
    if (tokens.length === 0) continue;
    threads++;
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]!;
      const hash = hashOfToken(token);
      if (names.get(hash) > 0) (caseOfToken(token) === LetterCase.title ? asName : otherwise).add(hash, 1);
    }
    // Sorted by token, those of one hash lie together.
    tokens.sort();
    for (let index = 0; index < tokens.length; index++) {
      const hash = hashOfToken(tokens[index]!);
      if (index === 0 || hash !== hashOfToken(tokens[index - 1]!)) threadsByHash.add(hash, 1);
    }
  }
  return { threadsByHash, asName, otherwise, threads };
}

/**
 * Chooses the vocabulary by the number of threads that hold a word.
 * @param names lower-case words of contact names and mail domains; left out where they are written as names
 */
export function buildVocabulary(reader: ThreadReader, names: ReadonlySet<string>): Vocabulary {
  const nameHashes = new HashCounter();
  for (const name of names) for (const form of normalForms(name)) nameHashes.set(termHash(form), 1);
  const { threadsByHash, asName, otherwise, threads } = countWords(reader, nameHashes);
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
    idf: Float32Array.from(terms, ({ count }) => Math.log((1 + threads) / (1 + count)) + 1),
  };
}
