import { expect, it } from "vitest";
import { damagedSources, type Warning } from "./provenance.ts";
import type { WarningCode } from "./warning-codes.ts";

const warning = (source: number | null, code: WarningCode, location: string | null): Warning => ({
  code,
  message: "",
  source,
  location,
  sha256: null,
});

it("lists sources with damage that concerns the whole source", () => {
  expect(
    damagedSources([
      warning(3, "file-truncated", ""),
      warning(1, "tree-rebuilt", null),
      warning(3, "block-missing", ""),
      // One item is damaged, one has an anomaly, and a run was stopped: all items are counted as seen.
      warning(0, "block-missing", "nid:200304"),
      warning(2, "header-damaged", ""),
      warning(null, "limit-reached", ""),
    ]),
  ).toEqual(new Set([3, 1]));
  expect(damagedSources([])).toEqual(new Set());
});
