import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PageDirectory } from "./page-directory.ts";
import { pageLinks } from "./page-links.ts";
import { pagesOf } from "./page-plan.ts";
import { PagedList } from "./paged-list.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-list-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("writes title and facts into the front matter of every page, and escapes the heading", () => {
  const shape = {
    path: "list",
    title: "Re: *budget* [v2]",
    facts: { id: "thread-000001" },
    plan: pagesOf(2, 1),
    head: "",
  };
  const list = new PagedList(new PageDirectory(directory, null), shape, pageLinks("wiki", ""));
  list.add("one\n");
  list.add("two\n");
  list.close();
  expect(readdirSync(directory).sort()).toEqual(["list-0002.md", "list.md"]);
  const facts = (page: number): string =>
    `---\ntitle: "Re: *budget* [v2]"\nid: "thread-000001"\npage: ${page}\npages: 2\nentries: 2\n---\n\n# Re: \\*budget\\* \\[v2\\]\n\n`;
  expect(readFileSync(join(directory, "list.md"), "utf8").startsWith(facts(1))).toBe(true);
  expect(readFileSync(join(directory, "list-0002.md"), "utf8").startsWith(facts(2))).toBe(true);
});
