import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countOf, formatCount } from "./format-count.ts";

describe("formatCount", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1,000"],
    [42_661, "42,661"],
    [123_456_789, "123,456,789"],
  ])("%i is %s", (count, text) => expect(formatCount(count)).toBe(text));

  it("writes as English does", () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (count) => {
        expect(formatCount(count)).toBe(count.toLocaleString("en-US"));
      }),
    );
  });
});

it("counts one thing in the singular", () => {
  expect([0, 1, 2, 42_661].map((count) => countOf(count, "message"))).toEqual([
    "0 messages",
    "1 message",
    "2 messages",
    "42,661 messages",
  ]);
});
