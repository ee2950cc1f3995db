import { expect, it } from "vitest";
import { damagedSources, type Warning } from "./provenance.ts";
import type { WarningCode } from "./warning-codes.ts";

const told = (source: number | null, code: WarningCode, location: string | null): Warning => ({
  code,
  message: "",
  source,
  location,
  sha256: null,
});

it("lists sources with damage that concerns the whole source", () => {
  expect(
    damagedSources([
      told(3, "file-truncated", ""),
      told(1, "tree-rebuilt", null),
      told(3, "block-missing", ""),
      // One item is damaged, one has an anomaly, and a run was stopped: all items are counted as seen.
      told(0, "block-missing", "nid:200304"),
      told(2, "header-damaged", ""),
      told(null, "limit-reached", ""),
    ]),
  ).toEqual(new Set([3, 1]));
  expect(damagedSources([])).toEqual(new Set());
});
