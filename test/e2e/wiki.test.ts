import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writePst } from "../../examples/company-pst.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

const scratch = scratchDirectory("wiki");

/** Obsidian links are relative to the vault, CommonMark links to their page. */
const LINKS = {
  wiki: /(?<!\\)\[\[(?<target>[^\]|\\]+)(?:\\?\|[^\]]*)?\]\]/g,
  markdown: /(?<!\\)\[(?:\\.|[^\]\\])*\]\((?<target>[^)]+)\)/g,
} as const;

describe.each([
  ["main", "wiki"],
  ["all", "wiki"],
  ["main", "markdown"],
] as const)("the wiki of the example company, --wiki-pages %s --wiki-links %s", (pages, style) => {
  const output = join(scratch, `${pages}-${style}`);
  let files: string[] = [];

  beforeAll(() => {
    const company = exampleCompany(EXAMPLE_SEED);
    const store = join(scratch, `${pages}-${style}.pst`);
    writePst(company, store);
    const sources = [...writeSources(company, join(scratch, `mail-${pages}-${style}`)), store];
    const flags = ["--wiki-pages", pages, "--wiki-links", style];
    const run = archivetool("-q", "extract", ...sources, "-o", output, ...flags, "--extract-attachments");
    expect(run.exitCode, run.stderr).toBe(0);
    files = readdirSync(output, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  });

  it("has no broken link", () => {
    const broken: string[] = [];
    let links = 0;
    for (const file of files) {
      for (const { groups } of readFileSync(join(output, file), "utf8").matchAll(LINKS[style])) {
        links++;
        const target = groups!["target"]!;
        const path = style === "wiki" ? join(output, target) : join(output, dirname(file), decodeURIComponent(target));
        if (!existsSync(`${path}.md`) && !existsSync(path)) broken.push(`${file} -> ${target}`);
      }
    }
    expect(links).toBeGreaterThan(500);
    expect(broken).toEqual([]);
  });

  it("gives every page front matter and a link to the start page", () => {
    for (const file of files) {
      const text = readFileSync(join(output, file), "utf8");
      expect(text, file).toMatch(/^---\ntitle: "/);
      expect(text, file).toMatch(style === "wiki" ? /\[\[index\|Home\]\]/ : /\[Home\]\((?:\.\.\/)*index\.md\)/);
    }
  });

  it("has complete tables: each row has the cells of its header", () => {
    for (const file of files) {
      let cells = 0;
      for (const line of readFileSync(join(output, file), "utf8").split("\n")) {
        const count = line.startsWith("| ") ? line.replaceAll(/\\./g, "").split("|").length : 0;
        if (count > 0 && cells > 0) expect(count, `${file}: ${line.slice(0, 200)}`).toBe(cells);
        cells = count;
      }
    }
  });

  it("renders no mail as HTML", () => {
    for (const file of files) {
      const text = readFileSync(join(output, file), "utf8")
        .replaceAll(/\\./g, "")
        .replaceAll(/^---\n[\s\S]*?\n---\n/g, "")
        .replaceAll(/<details><summary>[\d,]+ quoted lines?<\/summary>|<\/details>/g, "");
      expect(text, file).not.toMatch(/<[a-z!/]/i);
    }
  });
});
