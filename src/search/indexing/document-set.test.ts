import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo, countOfSet, documentsOf } from "./document-set.ts";

const SET = fc
  .array(fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1), { maxLength: 70 })
  .map((members) => Uint8Array.from(members));
const members = (set: Uint8Array): number[] => Array.from(set.keys()).filter((document) => set[document] === 1);

describe("a set of messages", () => {
  it("is counted and listed for any length and offset", () => {
    fc.assert(
      fc.property(SET, fc.nat(7), (set, start) => {
        for (const part of [set, set.subarray(Math.min(start, set.length))]) {
          expect(countOfSet(part)).toBe(members(part).length);
          expect(Array.from(documentsOf(part))).toEqual(members(part));
        }
      }),
    );
  });

  it("adds another set", () => {
    fc.assert(
      fc.property(SET, SET, fc.nat(7), (left, right, start) => {
        const from = Math.min(start, left.length, right.length);
        const length = Math.min(left.length, right.length) - from;
        const [set, further] = [left.slice(from, from + length), right.subarray(from, from + length)];
        const both = members(Uint8Array.from(set, (member, document) => member | further[document]!));
        addTo(set, further);
        expect(members(set)).toEqual(both);
      }),
    );
  });

  it("contains all of many", () => {
    const all = new Uint8Array(100_003).fill(1);
    expect([countOfSet(all), documentsOf(all).at(-1)]).toEqual([100_003, 100_002]);
  });
});
