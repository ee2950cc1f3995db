import { HashCounter } from "../columns/hash-counter.ts";
import { type Random, sampleIndexes } from "../columns/seeded-random.ts";
import { mixHash } from "../text/tokens/word-numbers.ts";
import { hashOfToken, isAdjacent } from "./token.ts";

/** Maximum threads whose subjects are compared: more give no other phrases. */
const MAX_SUBJECTS = 20_000;
/** Maximum words read of a subject. */
const MAX_SUBJECT_WORDS = 16;
/** Maximum words of a phrase. */
const MIN_WORDS = 2;
const MAX_WORDS = 3;
/** Minimum number of a topic's subjects with a phrase for it to name the topic, */
const MIN_SUBJECTS = 3;
/** minimum share of them, */
const MIN_SHARE = 0.03;
/** and minimum ratio to its share among all subjects. */
const MIN_LIFT = 10;

/** A phrase that subjects of a topic share. */
export interface SharedPhrase {
  readonly tokens: readonly number[];
  /** Share of the topic's subjects that contain it, 0…1. */
  readonly share: number;
}

/** The subjects of some threads, each as the words of its first added message. */
export class SubjectSample {
  /** By thread: 1 if it is in the sample and has no subject yet. */
  private readonly wanted: Uint8Array;
  private readonly threads: number[] = [];
  private readonly starts: number[] = [0];
  private readonly tokens: number[] = [];

  /** @param threads number of threads to choose from */
  constructor(threads: number, random: Random) {
    this.wanted = new Uint8Array(threads);
    for (const thread of sampleIndexes(threads, MAX_SUBJECTS, random)) this.wanted[thread] = 1;
  }

  /** Adds the subject of a thread, tokens[start, end), if the thread is in the sample and has none yet. */
  offer(thread: number, tokens: Uint32Array, start: number, end: number): void {
    if (this.wanted[thread] === 0) return;
    this.wanted[thread] = 0;
    if (start === end) return;
    for (let at = start; at < end && at < start + MAX_SUBJECT_WORDS; at++) this.tokens.push(tokens[at]!);
    this.threads.push(thread);
    this.starts.push(this.tokens.length);
  }

  /**
   * The phrase of each topic that most of its subjects contain and few others do; null if there is none.
   * @param topicOfThread rank 0… of the topic of each thread, -1 for none
   * @param isWord true for tokens that phrases may contain
   */
  phrases(
    topicOfThread: Int32Array,
    topics: number,
    isWord: (token: number) => boolean,
  ): readonly (SharedPhrase | null)[] {
    const totals = new HashCounter();
    this.visit(isWord, (_, { key }) => totals.add(key, 1));
    const sizes = new Uint32Array(topics);
    for (const thread of this.threads) if (topicOfThread[thread]! >= 0) sizes[topicOfThread[thread]!]!++;
    const counts = new HashCounter();
    const best: { score: number; phrase: SharedPhrase | null }[] = Array.from({ length: topics }, () => ({
      score: 0,
      phrase: null,
    }));
    this.visit(isWord, (thread, { key, start, end }) => {
      const topic = topicOfThread[thread]!;
      if (topic < 0 || totals.get(key) < MIN_SUBJECTS) return;
      const count = counts.add(mixHash(key, topic) >>> 0 || 1, 1);
      const share = count / sizes[topic]!;
      if (count < MIN_SUBJECTS || share < MIN_SHARE || share * this.threads.length < MIN_LIFT * totals.get(key)) return;
      const score = count * (end - start);
      if (score > best[topic]!.score) best[topic] = { score, phrase: { tokens: this.tokens.slice(start, end), share } };
    });
    return best.map(({ phrase }) => phrase);
  }

  /** The subjects of the sample with their threads. */
  *subjects(): Generator<{ readonly thread: number; readonly tokens: readonly number[] }> {
    const { threads, tokens, starts } = this;
    for (let subject = 0; subject < threads.length; subject++)
      yield { thread: threads[subject]!, tokens: tokens.slice(starts[subject]!, starts[subject + 1]!) };
  }

  /** Visits every run of MIN_WORDS to MAX_WORDS distinct adjacent words. */
  private visit(isWord: (token: number) => boolean, visit: (thread: number, phrase: SubjectPhrase) => void): void {
    const { tokens, starts } = this;
    this.threads.forEach((thread, subject) => {
      const limit = starts[subject + 1]!;
      for (let start = starts[subject]!; start < limit; start++)
        if (isWord(tokens[start]!)) this.visitFrom(start, limit, isWord, (phrase) => visit(thread, phrase));
    });
  }

  /** Runs that begin with a word, extended until a word does not belong. */
  private visitFrom(
    start: number,
    limit: number,
    isWord: (token: number) => boolean,
    visit: (phrase: SubjectPhrase) => void,
  ): void {
    const { tokens } = this;
    let key = hashOfToken(tokens[start]!);
    for (let at = start + 1; at < limit && at < start + MAX_WORDS; at++) {
      const token = tokens[at]!;
      if (!isAdjacent(token) || !isWord(token) || hashOfToken(token) === hashOfToken(tokens[at - 1]!)) break;
      key = mixHash(key, hashOfToken(token)) >>> 0 || 1;
      if (at + 1 - start >= MIN_WORDS) visit({ key, start, end: at + 1 });
    }
  }
}

/** Adjacent words of the sample, with a key. */
interface SubjectPhrase {
  readonly key: number;
  readonly start: number;
  readonly end: number;
}
