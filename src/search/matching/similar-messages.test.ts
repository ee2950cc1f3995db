import { describe, expect, it } from "vitest";
import { farSource } from "../../../test/far-source.ts";
import { type CorpusMessage, corpusSource } from "../../../test/search-corpus.ts";
import { Explorer } from "../explorer.ts";
import { Searcher } from "../searcher.ts";

/** Messages 1 to 6; message 4 repeats message 1. */
const CORPUS: readonly CorpusMessage[] = [
  { subject: "Mooring lines", body: "The hawser of the old pier is worn, and the bollard needs paint.", author: 1 },
  { subject: "Pier", body: "Who paints the bollard? The hawser was changed.", author: 2 },
  { subject: "Lunch", body: "Shall we have lunch on Friday, the two of us?", author: 2 },
  { subject: "Mooring lines", body: "The hawser of the old pier is worn, and the bollard needs paint.", author: 1 },
  { subject: "Budget", body: "The budget of the office.", author: 3 },
  { subject: "", body: "", author: 3 },
];
const source = farSource({
  ...corpusSource(CORPUS),
  repeats: async () => Uint32Array.of(0, 1, 0, 0, 1, 0, 0),
});
const searcher = new Searcher(source);

async function find(query: string): Promise<readonly number[]> {
  return (await searcher.search(query, 20)).found.map(({ document }) => document);
}

describe("similar:", () => {
  it("finds messages with the characteristic words, most similar first, without the message and its repetitions", async () => {
    const found = await find("similar:msg-000001");
    expect(found[0]).toBe(2);
    expect(found).not.toContain(1);
    expect(found).not.toContain(4);
    expect(found).not.toContain(6);
    expect((await find("similar:MSG-000004"))[0]).toBe(2);
  });

  it("combines with conditions and parentheses", async () => {
    expect(await find("similar:msg-000001 -bollard")).not.toContain(2);
    expect(await find('similar:msg-000001 "changed"')).toEqual([2]);
    expect((await find("(similar:msg-000001 subject:pier) OR (subject:budget)")).toSorted()).toEqual([2, 5]);
  });

  it("finds nothing for a message without shared words, or a missing one", async () => {
    for (const id of ["msg-000006", "msg-000007", "msg-000000", "msg-999999"])
      expect(await find(`similar:${id}`), id).toEqual([]);
  });

  it("finds no events or items by the id of a message", async () => {
    const records = new Searcher(farSource({ ...corpusSource(CORPUS), holdsMessages: false }));
    expect((await records.search("similar:msg-000001", 20)).found).toEqual([]);
  });

  it("returns the same in explorer and search, and reports only the operator as understood", async () => {
    const request = { query: "similar:msg-000001", match: "all", sort: "relevance", repeats: "listed" } as const;
    const page = await new Explorer(searcher).page({ ...request, offset: 0, limit: 20 });
    expect(page.documents.map(({ document }) => document)).toEqual(await find("similar:msg-000001"));
    expect(page.understood.map(({ kind, start, end }) => [kind, start, end])).toEqual([["similar", 0, 18]]);
  });
});
