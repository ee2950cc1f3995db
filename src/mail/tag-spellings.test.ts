import { describe, expect, it } from "vitest";
import type { NotebookEntry } from "./notebook.ts";
import { tagSpelling, uniqueTags } from "./tag-spellings.ts";

const entry = (kind: NotebookEntry["kind"], key: string, value: object): NotebookEntry => ({
  kind,
  key,
  revision: 1,
  value: JSON.stringify(value),
  updatedAt: 0,
  author: null,
});
const marked = (key: string, ...tags: string[]) => entry("message", key, { tags, note: "", review: "open" });

describe("a tag", () => {
  it("is spelled as in its entry", () => {
    const spelling = tagSpelling([marked("a", "press", "Élan"), entry("tag", "Press", { color: "#112233", digit: 1 })]);
    expect(["press", "PRESS", "elan", "new"].map(spelling)).toEqual(["Press", "Press", "Élan", "new"]);
    expect(uniqueTags(["press", "Press", "élan"], spelling)).toEqual(["Press", "Élan"]);
  });

  it("without an entry is spelled as first seen; saved searches are not tags", () => {
    const search = entry("search", "tag", { q: "tag:PRESS", match: "all", sort: "newest" });
    const spelling = tagSpelling([search, marked("a", "press"), marked("b", "Press")]);
    expect(spelling("PRESS")).toBe("press");
  });
});
