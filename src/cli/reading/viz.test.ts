import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeContractArchive } from "../../../test/contract/contract-archive.ts";
import { createProgram } from "../program.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-viz-"));
const archive = await writeContractArchive();
afterAll(() => {
  archive.remove();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs `viz` and returns the lines it prints. */
async function viz(...args: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const program = await createProgram({
    signal: new AbortController().signal,
    print: (line) => lines.push(line),
    writeError: () => undefined,
  });
  expect(await program.run(["viz", archive.path, ...args])).toBe(0);
  return lines;
}

it("replaces an earlier page completely, and writes nothing else", async () => {
  const out = join(directory, "out");
  mkdirSync(out);
  const file = join(out, "graph.html");
  writeFileSync(file, "an earlier page");
  expect(await viz("-o", file)).toEqual([`Created ${file}`]);
  const page = readFileSync(file, "utf8");
  expect(page).toMatch(/^<!doctype html>.*"generator":"archivetool .*<\/html>\n$/s);
  expect(readdirSync(out)).toEqual(["graph.html"]);
  await viz("-o", file);
  expect(readFileSync(file, "utf8")).toBe(page);
});

it("names the file that cannot be written, and leaves no files", async () => {
  const taken = join(directory, "taken");
  mkdirSync(taken);
  await expect(viz("-o", taken)).rejects.toMatchObject({
    code: "OUTPUT_UNWRITABLE",
    message: expect.stringContaining(taken),
  });
  await expect(viz("-o", join(directory, "missing", "graph.html"))).rejects.toMatchObject({
    code: "OUTPUT_UNWRITABLE",
  });
  expect(readdirSync(directory).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
