import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { readZip } from "../../../../test/zip-reader.ts";
import { publishOutput } from "../../../extraction/publishing/publish.ts";
import { PublishGate } from "../../../extraction/publishing/publish-gate.ts";
import { WIKI_ZIP, WikiZips } from "./wiki-zip.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-wiki-zip-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const PAGES = 30;
const COMPLETED_AT = 0;
/** Milliseconds in which a few pages are packed. */
const SHORT_MS = 100;

/** Pages of an archive that name the run. */
function writePages(directory: string, run: string, from: number): readonly string[] {
  const paths = Array.from({ length: PAGES }, (_, page) => `wiki/page-${from + page}.md`);
  for (const path of ["archive.db", ...paths]) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), run);
  }
  return paths;
}

function makeUpload(name: string) {
  const upload = join(scratch, name);
  const [archiveDirectory, cacheDirectory] = [join(upload, "archive"), join(upload, "cache")];
  mkdirSync(cacheDirectory, { recursive: true });
  const earlier = writePages(archiveDirectory, "old", 0).map((path) => ({ path, seal: null }));
  const root = join(archiveDirectory, ".archivetool-run");
  const run = { root, staging: join(root, "staging"), output: join(root, "output") };
  const stop = { signal: new AbortController().signal, gate: new PublishGate() };
  const publish = async (): Promise<void> => {
    writePages(run.output, "new", PAGES / 2);
    await publishOutput(run, archiveDirectory, { earlier, kept: new Set(), stop });
  };
  /** As an upload does after mail was added. */
  const replaceCache = (): void => {
    renameSync(cacheDirectory, join(upload, "old-cache"));
    mkdirSync(cacheDirectory);
  };
  const untilPacking = async (): Promise<void> => {
    while (readdirSync(cacheDirectory).length === 0) await turn();
  };
  const wiki = { archiveDirectory, cacheDirectory, completedAt: COMPLETED_AT };
  return { wiki, publish, replaceCache, untilPacking };
}

async function pagesIn(cacheDirectory: string): Promise<readonly string[]> {
  const entries = await readZip(readFileSync(join(cacheDirectory, WIKI_ZIP)));
  return Array.from(entries, ([name, bytes]) => `${name} ${bytes}`);
}

const pagesOf = (run: string, from: number) =>
  Array.from({ length: PAGES }, (_, page) => `wiki/page-${from + page}.md ${run}`).sort();
const OLD_PAGES = pagesOf("old", 0);
const NEW_PAGES = pagesOf("new", PAGES / 2);

describe("wiki.zip of an archive that mail is added to", () => {
  it("contains the pages of one archive", async () => {
    const { wiki, publish, untilPacking } = makeUpload("published");
    const packed = new WikiZips().ensure(wiki);
    await untilPacking();
    await publish();
    await packed;
    expect([OLD_PAGES, NEW_PAGES]).toContainEqual(await pagesIn(wiki.cacheDirectory));
    expect(readdirSync(wiki.cacheDirectory)).toEqual([WIKI_ZIP]);
  });

  it("is packed again if its cache is replaced", async () => {
    const { wiki, publish, replaceCache, untilPacking } = makeUpload("cached");
    const zips = new WikiZips();
    const packed = zips.ensure(wiki);
    await untilPacking();
    await publish();
    replaceCache();
    await packed;
    // It may have been packed before.
    await zips.ensure(wiki);
    expect(await pagesIn(wiki.cacheDirectory)).toEqual(NEW_PAGES);
  });

  it("waits for an archive that is being published", async () => {
    const { wiki } = makeUpload("begun");
    const marker = join(wiki.archiveDirectory, ".archivetool-run", "ready.json");
    mkdirSync(dirname(marker));
    writeFileSync(marker, "{}");
    const packed = new WikiZips().ensure(wiki);
    const first = await Promise.race([packed, pause(SHORT_MS, "waiting")]);
    expect([first, readdirSync(wiki.cacheDirectory)]).toEqual(["waiting", []]);
    rmSync(marker);
    await packed;
    expect(await pagesIn(wiki.cacheDirectory)).toEqual(OLD_PAGES);
  });
});
