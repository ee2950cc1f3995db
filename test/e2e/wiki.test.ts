import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writePst } from "../../examples/company-pst.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

const scratch = scratchDirectory("wiki");

describe.each(["main", "all"])("the wiki of the example company, --wiki-pages %s", (pages) => {
  const output = join(scratch, pages);
  let files: string[] = [];

  beforeAll(() => {
    const company = exampleCompany(EXAMPLE_SEED);
    const store = join(scratch, `${pages}.pst`);
    writePst(company, store);
    const sources = [...writeSources(company, join(scratch, `mail-${pages}`)), store];
    const run = archivetool("-q", "extract", ...sources, "-o", output, "--wiki-pages", pages, "--extract-attachments");
    expect(run.exitCode, run.stderr).toBe(0);
    files = readdirSync(output, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  });

  it("has no broken link", () => {
    const broken: string[] = [];
    let links = 0;
    for (const file of files) {
      for (const [, target] of readFileSync(join(output, file), "utf8").matchAll(
        /(?<!\\)\[\[([^\]|\\]+)(?:\\?\|[^\]]*)?\]\]/g,
      )) {
        links++;
        const path = join(output, target!);
        if (!existsSync(`${path}.md`) && !existsSync(path)) broken.push(`${file} -> ${target}`);
      }
    }
    expect(links).toBeGreaterThan(500);
    expect(broken).toEqual([]);
  });

  it("gives every page front matter and a way home", () => {
    for (const file of files) {
      const text = readFileSync(join(output, file), "utf8");
      expect(text, file).toMatch(/^---\ntitle: "/);
      expect(text, file).toContain("[[index|Home]]");
    }
  });

  it("keeps every table whole: each row has the cells of its header", () => {
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
        .replaceAll(/^---\n[\s\S]*?\n---\n/g, "");
      expect(text, file).not.toMatch(/<[a-z!/]/i);
    }
  });
});
