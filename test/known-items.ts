import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tokensOf } from "../src/text/tokens/tokens.ts";
import { baseSubject } from "../src/threading/base-subject.ts";
import type { CorpusMessage } from "./search-corpus.ts";

/** Number of best results that count. */
export const TOP = 10;
/** Words of a query. */
const QUERY_WORDS = 3;
/** Minimum tokens of a body: a shorter one would be identified by three words alone. */
const MIN_TOKENS = 10;

/** A search for a known message by three of its words. */
export interface KnownItem {
  readonly query: string;
  /** Numbers (from 1) of the message and of those with the same text. */
  readonly documents: ReadonlySet<number>;
}

/** Messages with the same word sequence, as numbers from 0. */
type Copies = ReadonlyMap<string, readonly number[]>;

/** Tokens allowed in a query: every token, or words of a minimum length. */
export const QUERY_TOKENS: Readonly<Record<string, RegExp>> = {
  "any tokens": /^/,
  "words of 3 and more letters": /^[a-z]{3,}$/,
  "words of 4 and more letters": /^[a-z]{4,}$/,
  "words of 5 and more letters": /^[a-z]{5,}$/,
};

/** The linear congruential generator of Numerical Recipes: samples are the same on every machine. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function* filesUnder(directory: string): Generator<string> {
  const open = [directory];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) open.push(child);
      else yield child;
    }
  }
}

/**
 * The first `limit` messages of a tree of plain-text messages whose body is long enough, in an order that mixes the
 * folders.
 */
export function readMessages(directory: string, limit = Number.POSITIVE_INFINITY): CorpusMessage[] {
  const paths = Array.from(filesUnder(directory)).sort();
  const messages: CorpusMessage[] = [];
  for (let i = 0; i < paths.length && messages.length < limit; i++) {
    // A step that is coprime to the number of files visits every file once.
    const text = readFileSync(paths[(i * 7919) % paths.length]!, "latin1");
    const end = text.indexOf("\n\n");
    const body = text.slice(end + 2).trim();
    if (tokensOf(body).length >= MIN_TOKENS)
      messages.push({ subject: /^Subject: (.*)/m.exec(text.slice(0, end))?.[1] ?? "", body });
  }
  return messages;
}

/** Messages that words can distinguish: bodies that differ only in line breaks are equal. */
function copiesOf(messages: readonly CorpusMessage[]): Copies {
  const copies = new Map<string, number[]>();
  messages.forEach(({ body }, index) => {
    const key = tokensOf(body).join(" ");
    const known = copies.get(key);
    if (known === undefined) copies.set(key, [index]);
    else known.push(index);
  });
  return copies;
}

/** `count` messages with different bodies, drawn at random. */
export function drawDistinct(messages: readonly CorpusMessage[], count: number, seed: number): CorpusMessage[] {
  const distinct = Array.from(copiesOf(messages).values(), ([first]) => messages[first!]!);
  const random = randomNumbers(seed);
  for (let i = distinct.length - 1; i > 0; i--) {
    const other = random(i + 1);
    [distinct[i], distinct[other]] = [distinct[other]!, distinct[i]!];
  }
  return distinct.slice(0, count);
}

export interface Draw {
  readonly count: number;
  readonly seed: number;
  /** Words of a query; default 3. */
  readonly words?: number;
  /** Minimum different words of the message; default: the words of the query. */
  readonly wordsOfMessage?: number;
}

/** `count` searches, each for some distinct tokens of a random message. */
export function drawKnownItems(messages: readonly CorpusMessage[], token: RegExp, draw: Draw): KnownItem[] {
  const { words: asked = QUERY_WORDS, wordsOfMessage = asked } = draw;
  const copies = copiesOf(messages);
  const random = randomNumbers(draw.seed);
  const items: KnownItem[] = [];
  while (items.length < draw.count) {
    const tokens = tokensOf(messages[random(messages.length)]!.body);
    const words = Array.from(new Set(tokens)).filter((word) => token.test(word));
    if (words.length < wordsOfMessage) continue;
    const drawn = new Set<string>();
    while (drawn.size < asked) drawn.add(words[random(words.length)]!);
    const alike = copies.get(tokens.join(" "))!;
    items.push({ query: Array.from(drawn).join(" "), documents: new Set(alike.map((index) => index + 1)) });
  }
  return items;
}

/**
 * The best result that any program can reach (Bayes). A message of n different words generates each query of three with
 * probability 1 / C(n, 3), so among messages with all three, those with the fewest words come first. Of k messages with
 * the same text, one result is enough, and they count k times.
 */
export function bestPossible(messages: readonly CorpusMessage[], token: RegExp): (query: string) => readonly number[] {
  const postings = new Map<string, Set<number>>();
  const likelihoods = new Map<number, number>();
  for (const [spelling, [first, ...others]] of copiesOf(messages)) {
    const words = new Set(spelling.split(" "));
    const drawable = Array.from(words).filter((word) => token.test(word)).length;
    likelihoods.set(first! + 1, (others.length + 1) / (drawable * (drawable - 1) * (drawable - 2)));
    for (const word of words) postings.set(word, (postings.get(word) ?? new Set()).add(first! + 1));
  }
  return (query) => {
    const [shortest, ...longer] = query
      .split(" ")
      .map((word) => postings.get(word)!)
      .sort((left, right) => left.size - right.size);
    const holders = Array.from(shortest!).filter((document) => longer.every((list) => list.has(document)));
    return holders.sort((left, right) => likelihoods.get(right)! - likelihoods.get(left)!);
  };
}

/** Searches by the words of each subject that several messages share; the expected results are these messages. */
export function threadSearches(messages: readonly CorpusMessage[]): KnownItem[] {
  const threads = new Map<string, Set<number>>();
  messages.forEach(({ subject = "" }, index) => {
    const query = tokensOf(baseSubject(subject).key).join(" ");
    if (query !== "") threads.set(query, (threads.get(query) ?? new Set()).add(index + 1));
  });
  return Array.from(threads, ([query, documents]) => ({ query, documents })).filter(
    ({ documents }) => documents.size > 1,
  );
}

/**
 * The same searches, for the other messages with the same subject as the message. Searches for a message with a unique
 * subject are omitted.
 */
export function threadMates(
  items: readonly KnownItem[],
  messages: readonly CorpusMessage[],
): readonly (KnownItem & { readonly own: ReadonlySet<number> })[] {
  const keys = messages.map(({ subject = "" }) => baseSubject(subject).key);
  const threads = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) threads.set(key, [...(threads.get(key) ?? []), index + 1]);
  return items.flatMap(({ query, documents: own }) => {
    const key = keys[Math.min(...own) - 1]!;
    const mates = key === "" ? [] : threads.get(key)!.filter((document) => !own.has(document));
    return mates.length === 0 ? [] : [{ query, documents: new Set(mates), own }];
  });
}

/** Numbers of the messages that a query finds, best first. */
export type Search = (query: string) => readonly number[] | Promise<readonly number[]>;

/**
 * For each search, the discounted gain of its ten best results, as a share of the best possible gain (nDCG; Järvelin
 * and Kekäläinen 2002).
 */
export async function discountedGains(items: readonly KnownItem[], search: Search): Promise<number[]> {
  const gain = (isMeant: readonly boolean[]): number =>
    isMeant.reduce((sum, meant, i) => (meant ? sum + 1 / Math.log2(i + 2) : sum), 0);
  const gains: number[] = [];
  for (const { query, documents } of items) {
    const found = (await search(query)).slice(0, TOP);
    gains.push(
      gain(found.map((document) => documents.has(document))) / gain(Array(Math.min(TOP, documents.size)).fill(true)),
    );
  }
  return gains;
}

/** For each search, the reciprocal rank of the first expected result; 0 beyond the ten best. */
export async function reciprocalRanks(items: readonly KnownItem[], search: Search): Promise<number[]> {
  const ranks: number[] = [];
  for (const { query, documents } of items) {
    const place = (await search(query)).slice(0, TOP).findIndex((document) => documents.has(document));
    ranks.push(place < 0 ? 0 : 1 / (place + 1));
  }
  return ranks;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Half the width of the 95 % confidence interval of a mean. */
export function confidence(values: readonly number[]): number {
  const average = mean(values);
  const variance = mean(values.map((value) => (value - average) ** 2));
  return 1.96 * Math.sqrt(variance / values.length);
}
