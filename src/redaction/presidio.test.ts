import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scoreSentences } from "../../test/labeled-sentences.ts";
import { realData } from "../../test/real-data.ts";
import { DEFAULT_PII_TYPES, PII_TYPES } from "../mail/records/provenance.ts";

const directory = realData("labelled/presidio-tests-data");

describe.skipIf(directory === null)("labeled sentences of Presidio", () => {
  it.each([
    ["generated_small.json", DEFAULT_PII_TYPES],
    ["generated_large.json", PII_TYPES],
  ] as const)("reaches the required precision and recall on %s", (file, types) => {
    const scores = scoreSentences(JSON.parse(readFileSync(join(directory!, file), "utf8")));
    for (const type of types) {
      const { found, right, labeled, covered } = scores[type];
      expect(labeled, type).toBeGreaterThan(0);
      expect(right / found, `precision of ${type}`).toBeGreaterThanOrEqual(0.94);
      expect(covered / labeled, `recall of ${type}`).toBeGreaterThanOrEqual(type === "phone" ? 0.8 : 0.99);
    }
  });
});
