import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { TextFile } from "./text-file.ts";
import { MAX_PAGE_BYTES } from "./wiki/page-plan.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-text-file-"));
afterAll(() => rmSync(directory, { recursive: true }));

function written(name: string, isThere: ((content: Uint8Array) => boolean) | null): string {
  const path = join(directory, name);
  const file = new TextFile(path, isThere);
  for (let at = 0; at < MAX_PAGE_BYTES; at += 1_000) file.text("x".repeat(1_000));
  file.close();
  return path;
}

it("does not write a page of any size that is already there", () => {
  let compared = 0;
  const path = written("page.md", ({ length }) => {
    compared = length;
    return true;
  });
  expect(compared).toBe(MAX_PAGE_BYTES);
  expect(existsSync(path)).toBe(false);
});

it("writes other files completely", () => {
  expect(readFileSync(written("new.md", null))).toHaveLength(MAX_PAGE_BYTES);
  expect(readFileSync(written("changed.md", () => false))).toHaveLength(MAX_PAGE_BYTES);
});
