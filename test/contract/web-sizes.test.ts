import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import type { WebManifest } from "../../src/http/web/web-files.ts";
import { bundlePages } from "./bundled-pages.ts";

/** Download sizes of the application: the first load must also work on slow connections. */

const DIRECTORY = resolve(import.meta.dirname, "../../dist/web");
const MAX_FIRST_LOAD_BYTES = 60_000;
const MAX_ALL_BYTES = 140_000;

let manifest: WebManifest;

beforeAll(async () => {
  await bundlePages();
  manifest = JSON.parse(readFileSync(resolve(DIRECTORY, "manifest.json"), "utf8")) as WebManifest;
});

const gzipped = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(resolve(DIRECTORY, file)), { level: 9 }).length, 0);

it("loads every view with less than 60 KB", () => {
  const { script, style, needed, views } = manifest;
  expect(Object.keys(views)).toContain("search");
  for (const files of Object.values(views))
    expect(gzipped(new Set([script, style, ...needed, ...files]))).toBeLessThan(MAX_FIRST_LOAD_BYTES);
});

it("has less than 140 KB in all", () => {
  expect(manifest.files.length).toBeGreaterThan(3);
  expect(gzipped(manifest.files)).toBeLessThan(MAX_ALL_BYTES);
});
