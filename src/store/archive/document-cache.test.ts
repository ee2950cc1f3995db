import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { layUnderDisk } from "../../../test/disk-layer.ts";
import { acquireFileLock } from "../sqlite/files/file-lock.ts";
import { removeDeadImports, removeImport, storeOfDocument } from "./document-cache.ts";

const NOW = 2_000_000_000_000;

let cache = "";
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "archivetool-cache-"));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

/** Files of a running import in the cache. */
function leave(work: string): string {
  mkdirSync(join(cache, `import-${work}`));
  writeFileSync(join(cache, `import-${work}`, "archive.db"), "mail");
  return join(cache, `import-${work}.lock`);
}

it("removes and reports leftovers of killed imports, and does not touch running ones", async () => {
  leave("of-an-earlier-version");
  acquireFileLock(leave("killed"))?.release();
  const alone = join(cache, "import-killed-early.lock");
  writeFileSync(alone, "");
  const young = join(cache, "import-at-its-beginning.lock");
  writeFileSync(young, "");
  utimesSync(alone, NOW / 1000 - 61, NOW / 1000 - 61);
  utimesSync(young, NOW / 1000 - 59, NOW / 1000 - 59);
  writeFileSync(join(cache, "0123-v9.db"), "a finished store");
  const lock = acquireFileLock(leave("at-work"));
  const removedText = (work: string): string =>
    `an import was interrupted: removed its temporary files from ${join(cache, `import-${work}`)}`;
  expect(removeDeadImports(cache, NOW)).toEqual([removedText("killed"), removedText("of-an-earlier-version")]);
  const rest = ["0123-v9.db", "import-at-its-beginning.lock", "import-at-work", "import-at-work.lock"];
  expect(readdirSync(cache).sort()).toEqual(rest);
  expect(removeDeadImports(cache, NOW)).toEqual([]);
  lock?.release();
  removeImport(cache, "at-work");
  expect(existsSync(join(cache, "import-at-work.lock"))).toBe(false);
});

it("keeps the lock of a killed import until its files are removed", () => {
  leave("killed");
  let wasLocked: boolean | null = null;
  const takeAway = layUnderDisk(({ name, args }) => {
    if (name === "rmSync" && String(args[0]).endsWith("import-killed"))
      wasLocked = acquireFileLock(join(cache, "import-killed.lock")) === null;
    return null;
  });
  removeDeadImports(cache, NOW);
  takeAway();
  expect(wasLocked).toBe(true);
});

it("removes a failed import", async () => {
  const broken = join(cache, "broken.json");
  writeFileSync(broken, "{");
  await expect(storeOfDocument(broken, cache, "mine")).rejects.toMatchObject({ code: "DOCUMENT_INVALID" });
  expect(readdirSync(cache)).toEqual(["broken.json"]);
});

it("is empty before the first import", () => {
  expect(removeDeadImports(join(cache, "never"), NOW)).toEqual([]);
});
