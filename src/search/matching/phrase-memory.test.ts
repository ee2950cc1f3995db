import { expect, it } from "vitest";
import { corpusSource } from "../../../test/search-corpus.ts";
import type { Phrase } from "../query/phrase.ts";
import { parseQuery } from "../query/query-syntax.ts";
import { Searcher } from "../searcher.ts";
import { allDocuments } from "./clause-sets.ts";
import { lookupsForMatch } from "./lookups.ts";
import { LACKS, PhraseMemory } from "./phrase-memory.ts";

it("reads each candidate of a phrase once", async () => {
  const source = corpusSource([
    { body: "the mooring line is long", sentAt: Date.UTC(2001, 0, 1) },
    { body: "a line for mooring", sentAt: Date.UTC(2002, 0, 1) },
    { body: "mooring line", sentAt: Date.UTC(2003, 0, 1) },
    { body: "nothing of it" },
  ]);
  const read: number[] = [];
  const searcher = new Searcher({
    ...source,
    texts(documents, parts) {
      read.push(...Array.from(documents));
      return source.texts(documents, parts);
    },
  });
  const found = async (query: string): Promise<readonly number[]> => {
    const { clauses } = parseQuery(query, "any");
    const { sets } = await searcher.whole.lookUp(lookupsForMatch(clauses));
    const set = await sets.matching(clauses, allDocuments(source));
    return Array.from(set.keys()).filter((document) => set[document] === 1);
  };
  await expect(found('"mooring line" after:2002')).resolves.toEqual([3]);
  expect(read.sort()).toEqual([2, 3]);
  await expect(found('"mooring line"')).resolves.toEqual([1, 3]);
  await expect(found('"mooring line" before:2002')).resolves.toEqual([1]);
  expect(read.sort()).toEqual([1, 2, 3]);
});

const phrase = (...tokens: readonly string[]): Phrase => ({ tokens, signs: [], distance: null });

it("evicts the least recently used phrase, and never one of a huge archive", () => {
  const memory = new PhraseMemory(1 << 23);
  memory.of(phrase("a", "b")).set(7, LACKS);
  memory.of(phrase("c")).set(7, LACKS);
  expect(memory.of(phrase("a", "b")).get(7)).toBe(LACKS);
  memory.of(phrase("d"));
  expect(memory.of(phrase("a", "b")).get(7)).toBe(LACKS);
  expect(memory.of(phrase("c")).get(7)).toBe(0);

  const huge = new PhraseMemory(1 << 25);
  huge.of(phrase("a")).set(7, LACKS);
  expect(huge.of(phrase("a")).get(7)).toBe(LACKS);
});
