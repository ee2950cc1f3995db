import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordAt } from "./query-word.ts";

describe("wordAt", () => {
  it.each([
    ["budget ann", 10, { start: 7, end: 10, sign: "", operator: "", text: "ann" }],
    ["budget ann", 8, { start: 7, end: 10, sign: "", operator: "", text: "a" }],
    ["-from:an plan", 8, { start: 0, end: 8, sign: "-", operator: "from", text: "an" }],
    ["(from:an", 8, { start: 1, end: 8, sign: "", operator: "from", text: "an" }],
    ['mailbox:"Sent It', 16, { start: 0, end: 16, sign: "", operator: "mailbox", text: "Sent It" }],
    ['in:"a b" c', 10, { start: 9, end: 10, sign: "", operator: "", text: "c" }],
    ["", 0, { start: 0, end: 0, sign: "", operator: "", text: "" }],
    ["plan ", 5, { start: 5, end: 5, sign: "", operator: "", text: "" }],
  ])("of %j at %d", (query, at, expected) => {
    expect(wordAt(query, at)).toEqual(expected);
  });

  it("is a piece of any query, around the offset", () => {
    const signs = fc.array(fc.constantFrom("a", ":", " ", '"', "(", ")", "-", "from:"), { maxLength: 12 });
    fc.assert(
      fc.property(signs, fc.nat(60), (parts, offset) => {
        const query = parts.join("");
        const at = Math.min(offset, query.length);
        const { start, end } = wordAt(query, at);
        expect(0 <= start && start <= at && at <= end && end <= query.length).toBe(true);
      }),
    );
  });
});
