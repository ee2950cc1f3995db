import fc from "fast-check";
import { expect, it } from "vitest";
import { QUARTERS, textQuarters, windowEnd } from "./token-estimate.ts";

it("counts words of English four letters a token, and other scripts a sign", () => {
  expect(textQuarters("mooring line") / QUARTERS).toBe(3);
  expect(textQuarters("支払い") / QUARTERS).toBe(3);
  expect(textQuarters("2001-05-14") / QUARTERS).toBe(5);
});

it("divides after a line or word, within the budget", () => {
  const text = "one two three four five six\nseven";
  const end = windowEnd(text, 0, 20, "| ");
  expect(text.slice(0, end)).toBe("one two three ");
  expect(windowEnd(text, end, 1000, "| ")).toBe(text.length);
});

it("divides any text into windows without loss", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.integer({ min: 0, max: 60 }), (text, quarters) => {
      const windows: string[] = [];
      for (let at = 0; at < text.length; ) {
        const end = windowEnd(text, at, quarters, "| ");
        expect(end).toBeGreaterThan(at);
        windows.push(text.slice(at, end));
        at = end;
      }
      expect(windows.join("")).toBe(text);
      expect(windows.every((window) => window.isWellFormed())).toBe(true);
    }),
  );
});
