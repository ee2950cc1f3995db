import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeImport, storeOfDocument } from "./document-cache.ts";
import { acquireFileLock } from "./sqlite/file-lock.ts";

let cache = "";
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "archivetool-cache-"));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

/** What an import has in the cache while it is at work. */
function leave(work: string): string {
  mkdirSync(join(cache, `import-${work}`));
  writeFileSync(join(cache, `import-${work}`, "archive.db"), "mail");
  return join(cache, `import-${work}.lock`);
}

it("removes what killed imports have left, and nothing of those at work", async () => {
  leave("of-an-earlier-version");
  acquireFileLock(leave("killed"))?.release();
  writeFileSync(join(cache, "import-killed-early.lock"), "");
  writeFileSync(join(cache, "0123-v9.db"), "a finished store");
  const lock = acquireFileLock(leave("at-work"));
  const broken = join(cache, "broken.json");
  writeFileSync(broken, "{");
  await expect(storeOfDocument(broken, cache, "mine")).rejects.toMatchObject({ code: "DOCUMENT_INVALID" });
  expect(readdirSync(cache).sort()).toEqual(["0123-v9.db", "broken.json", "import-at-work", "import-at-work.lock"]);
  lock?.release();
  removeImport(cache, "at-work");
  expect(existsSync(join(cache, "import-at-work.lock"))).toBe(false);
});
