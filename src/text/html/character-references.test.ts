import { decodeHTML } from "entities";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeReferences } from "./character-references.ts";

/** Longer than the block size of the decoder. */
const UNITS = 150_000;

it("decodes the same in long and short texts", () => {
  const parts = fc.constantFrom(
    "&",
    "&amp",
    "&amp;",
    "&#1",
    "&#x8",
    "&#38;",
    "&nosuch;",
    "&not",
    "&notin;",
    ";",
    "x",
    " ",
    "#",
    "\n",
    "\u{1f600}",
  );
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 12 }), fc.nat(20), (pieces, lead) => {
      const piece = pieces.join("");
      const text = "x".repeat(lead) + piece.repeat(Math.ceil(UNITS / piece.length));
      expect(decodeReferences(text) === decodeHTML(text)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it("leaves a long text without references unchanged", () => {
  const text = "x".repeat(UNITS);
  expect(decodeReferences(text) === text).toBe(true);
  expect(decodeReferences(`${text}&lt;`) === `${text}<`).toBe(true);
});
