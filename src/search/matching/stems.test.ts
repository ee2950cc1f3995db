import { beforeAll, describe, expect, it } from "vitest";
import { farSource } from "../../../test/far-source.ts";
import { corpusSource } from "../../../test/search-corpus.ts";
import { loadStems } from "../../text/language/word-stems.ts";
import { Explorer } from "../explorer.ts";
import { isStem, stemIn, stemMatcher, stemPattern, stemStart } from "../indexing/stem-pattern.ts";
import { Searcher } from "../searcher.ts";
import { stemLanguages } from "./stemmed-clauses.ts";

const CORPUS = [
  { body: "the contract was signed", subject: "note", language: "en" },
  { body: "two contracts and a purchase agreement", language: "en" },
  { body: "contracted purchases agreements", language: "en" },
  { body: "a contractor of our city", language: "en" },
  { body: "nothing", subject: "Contracting in cities", language: "en" },
  { body: "die Verträge und der Vertrag", language: "de" },
  { body: "contract2 and contractx", language: "" },
] as const;

beforeAll(loadStems);

describe("stems", () => {
  const searcher = new Searcher(farSource(corpusSource(CORPUS)));
  it.each([
    ["stem:contract", [1, 2, 3, 5]],
    ["stem:Contracting", [1, 2, 3, 5]],
    ["contract", [1]],
    ["stem:cities", [4, 5]],
    ["stem:verträgen", [6]],
    ['stem:"purchases agreement"', [2, 3]],
    ["stem:(purchase contract)", [2, 3]],
    ["stem:* contract purchase", [2, 3]],
    ['stem:* "purchase agreement" contract', [2]],
    ["stem:* purchase w/2 agreement", [2, 3]],
    ["-stem:contract", [4, 6, 7]],
    ["stem:contract OR stem:vertrag", [1, 2, 3, 5, 6]],
    ["stem:contr*", [1, 2, 3, 4, 5, 7]],
  ])("%s", async (query, expected) => {
    expect(await searcher.matching(query)).toEqual(expected);
    const { found } = await searcher.search(query, 20, {}, "all");
    expect(found.map(({ document }) => document).sort()).toEqual(expected);
  });

  it("are marked in snippets, and listed in the parsed query", async () => {
    const { found } = await searcher.search("stem:agreements", 10);
    expect(found.map(({ snippet }) => snippet).sort()).toEqual([
      "contracted purchases **agreements**",
      "two contracts and a purchase **agreement**",
    ]);
    const page = await new Explorer(searcher).page({
      query: "stem:agreements -stem:(contract x)",
      match: "all",
      repeats: "listed",
      sort: "relevance",
      offset: 0,
      limit: 1,
    });
    expect(page.understood.map(({ kind, count, forms }) => [kind, count, forms])).toEqual([
      ["stem", 2, ["agreement", "agreements"]],
      ["group", 0, []],
    ]);
  });

  it("are listed by the words that they match, in groups and phrases too", async () => {
    const asked = { match: "all", repeats: "listed", sort: "relevance", offset: 0, limit: 1 } as const;
    const formsOf = async (query: string) =>
      (await new Explorer(searcher).page({ ...asked, query })).understood.map(({ forms }) => forms);
    expect(await formsOf('rope (stem:verträge OR "signed") stem:"purchase agreement"')).toEqual([
      [],
      ["vertrag", "vertrage"],
      ["agreement", "agreements", "purchase", "purchases"],
    ]);
  });

  it("do not change how words rank", async () => {
    const ranked = async (query: string) => (await searcher.search(query, 10)).found.map(({ score }) => score);
    expect(await ranked("stem:nothing")).toEqual(await ranked("nothing"));
  });
});

describe("a stem as a pattern", () => {
  it("matches words only", () => {
    expect(["contract", "10", "a1", "moor*"].map(stemPattern)).toEqual(["contract~", "10", "a1", "moor*"]);
    expect(["contract~", "contract", "moor*"].map(isStem)).toEqual([true, false, false]);
  });

  it("matches the terms of the same field with the stem in any of the languages", async () => {
    const pattern = stemIn("contract~", ["en", "de"]);
    expect(stemStart(pattern)).toBe("con");
    expect(stemStart(`:s${pattern}`)).toBe(":scon");
    expect(stemStart("sky~en")).toBe("sk");
    expect(["contracts", "contrast", ":scontracts", "contracts1"].map(stemMatcher(pattern))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([":scontracts", "contracts", ":tcontracts"].map(stemMatcher(`:s${pattern}`))).toEqual([true, false, false]);
  });

  it.each([
    [{ en: 90, de: 10 }, ["de", "en"]],
    [{ en: 99, de: 1 }, ["en"]],
    [{ de: 50, ja: 50 }, ["de"]],
    [{ ja: 50 }, ["en"]],
    [{}, ["en"]],
  ])("has the languages that messages are in: %j", (counts, expected) => {
    expect(stemLanguages(new Map(Object.entries(counts)))).toEqual(expected);
  });
});
