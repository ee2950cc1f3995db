import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writePst } from "../../examples/company-pst.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { ALL_FORMATS } from "../extraction-request.ts";
import { withFewPages } from "../few-pages-everywhere.ts";
import { extractInline } from "../property/extraction.ts";

/**
 * An archive larger than memory is identical, byte for byte, to one created with enough memory: a complete extraction
 * of the example company and an incremental one, with one page in each memory.
 *
 * To add other data of a run to this test, store it in a column of a `PagedMemory` (`src/columns`): all of them are
 * limited here, and `MEMORIES` is the number of those that must have evicted pages. Data that is bounded in another way
 * (sorted runs) takes its bound as a parameter and is tested next to its code.
 */
const PAGES = 1;
/** Paged memories of a run with a wiki: of the run, of the store, and of the pages of messages. */
const MEMORIES = 3;

const scratch = mkdtempSync(join(tmpdir(), "archivetool-few-pages-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const company = exampleCompany(EXAMPLE_SEED);
const mail = writeSources(company, join(scratch, "mail"));
const store = join(scratch, "halvorsen-pike.pst");
writePst(company, store);

/** Hash of every file of an output, by name. */
function contentOf(output: string): Readonly<Record<string, string>> {
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(output.length), createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );
}

it("writes the same tables and files with few pages in memory", async () => {
  const [roomy, narrow] = [join(scratch, "roomy"), join(scratch, "narrow")];
  const runs = [
    { paths: [store, ...mail.slice(1)], incremental: false },
    { paths: [store, ...mail], incremental: true },
  ];
  for (const { paths, incremental } of runs) {
    const run = (output: string) => extractInline(paths, output, { incremental }, ALL_FORMATS).then(() => undefined);
    await run(roomy);
    const traffic = await withFewPages(PAGES, () => run(narrow));
    expect(traffic.crowded.size).toBe(MEMORIES);
    expect(traffic.returned).toBeGreaterThan(1_000);
    const expected = contentOf(roomy);
    expect(Object.keys(expected).length).toBeGreaterThan(50);
    expect(contentOf(narrow)).toEqual(expected);
  }
});
