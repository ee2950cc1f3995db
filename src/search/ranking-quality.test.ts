import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { beforeAll, describe, expect, it } from "vitest";
import { realData } from "../../test/real-data.ts";
import { type CorpusMessage, corpusSource } from "../../test/search-corpus.ts";
import { tokensOf } from "../text/tokens.ts";
import { Searcher } from "./searcher.ts";

const enron = realData("enron-14-custodians");
/** Messages of the sample and known-item queries: 3 words drawn from a message, which is then to be found again. */
const MESSAGES = 5000;
const QUERIES = 400;
const TOP = 10;

/** What a person would type from memory: a word with some content, neither a number nor a short word of every sentence. */
const WORD = /^[a-z]{5,}$/;

interface KnownItem {
  readonly query: string;
  readonly document: number;
}

/** Numerical Recipes' linear congruential generator: the sample is the same on every machine. */
function randomNumbers(seed: number): (below: number) => number {
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

/** Messages with different bodies of some length, spread over all custodians. */
function sampleMessages(directory: string): CorpusMessage[] {
  const paths = Array.from(filesUnder(directory)).sort();
  const seen = new Set<string>();
  const messages: CorpusMessage[] = [];
  // A step that is prime to the number of files visits every file once, in an order that mixes the folders.
  for (let i = 0; i < paths.length && messages.length < MESSAGES; i += 1) {
    const text = readFileSync(paths[(i * 7919) % paths.length]!, "latin1");
    const end = text.indexOf("\n\n");
    const body = text.slice(end + 2).trim();
    const tokens = tokensOf(body);
    const key = tokens.join(" ");
    // Copies that differ in line breaks alone cannot be told apart by words.
    if (seen.has(key) || tokens.length < 10) continue;
    seen.add(key);
    messages.push({ subject: /^Subject: (.*)/m.exec(text.slice(0, end))?.[1] ?? "", body });
  }
  return messages;
}

function knownItems(messages: readonly CorpusMessage[]): KnownItem[] {
  const random = randomNumbers(20011203);
  return Array.from({ length: QUERIES }, () => {
    const index = random(messages.length);
    const words = Array.from(new Set(tokensOf(messages[index]!.body).filter((token) => WORD.test(token))));
    const drawn = new Set<string>();
    for (let draw = 0; draw < 20 && drawn.size < 3; draw += 1) drawn.add(words[random(words.length)] ?? "");
    return { query: Array.from(drawn).join(" "), document: index + 1 };
  });
}

/** Mean reciprocal rank within the best ten. */
function reciprocalRank(items: readonly KnownItem[], search: (query: string) => readonly number[]): number {
  const sum = items.reduce((total, { query, document }) => {
    const place = search(query).slice(0, TOP).indexOf(document);
    return total + (place < 0 ? 0 : 1 / (place + 1));
  }, 0);
  return sum / items.length;
}

describe.skipIf(enron === null)("known messages of a real archive", () => {
  let messages: CorpusMessage[] = [];
  let items: KnownItem[] = [];
  let own = 0;
  beforeAll(() => {
    messages = sampleMessages(enron!);
    items = knownItems(messages);
    const searcher = new Searcher(corpusSource(messages));
    own = reciprocalRank(items, (query) => searcher.search(query, TOP).found.map(({ document }) => document));
  });

  it("are found by three of their words", () => {
    expect(messages).toHaveLength(MESSAGES);
    expect(own).toBeGreaterThanOrEqual(0.7);
  });

  it("are found no worse than by the BM25 of MiniSearch", () => {
    const rival = new MiniSearch<CorpusMessage & { readonly id: number }>({ fields: ["subject", "body"], tokenize: tokensOf });
    rival.addAll(messages.map((message, i) => ({ ...message, id: i + 1 })));
    const theirs = reciprocalRank(items, (query) =>
      rival.search(query, { boost: { subject: 2 }, combineWith: "OR" }).map(({ id }) => id as number),
    );
    expect(own).toBeGreaterThanOrEqual(theirs);
  });
});
