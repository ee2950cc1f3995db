import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_ENTRY } from "./hash-index.ts";
import { MarkedHashIndex } from "./marked-hash-index.ts";

/** Numbers as the owner of an index stores them; many share a hash. */
class Numbers {
  readonly numbers: number[] = [];
  private readonly hashes: number[] = [];
  readonly index = new MarkedHashIndex({ at: (entry) => this.hashes[entry]! });
  private readonly hashOf: (number: number) => number;

  constructor(hashOf: (number: number) => number) {
    this.hashOf = hashOf;
  }

  find(number: number): number {
    let entry = this.index.first(this.hashOf(number));
    while (entry !== NO_ENTRY && this.numbers[entry] !== number) entry = this.index.next();
    return entry;
  }

  enter(number: number): number {
    const known = this.find(number);
    if (known !== NO_ENTRY) return known;
    this.numbers.push(number);
    this.hashes.push(this.hashOf(number) >>> 0);
    return this.index.add();
  }
}

const HASHES: readonly [string, (number: number) => number][] = [
  ["one hash for all, at the end of the table", () => 0xffff_ffff],
  ["few hashes", (number) => number % 3],
  ["hashes that differ by nothing but their marks", (number) => number & 0xff],
  ["hashes that differ by all but their marks", (number) => Math.imul(number, 0x9e3779b1) & ~0xff],
];

describe.each(HASHES)("an index with %s", (_name, hashOf) => {
  it("numbers entries in order, and finds exactly these", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 200 }), (given) => {
        const known = new Numbers(hashOf);
        const order = [...new Set(given)];
        for (const number of given) expect(known.enter(number)).toBe(order.indexOf(number));
        expect(known.index.size).toBe(order.length);
        for (const [entry, number] of order.entries()) expect(known.find(number)).toBe(entry);
        expect(known.find(501)).toBe(NO_ENTRY);
      }),
      { numRuns: 30 },
    );
  });
});

it("finds everything after growing many times, and nothing after clearing", () => {
  const known = new Numbers((number) => Math.imul(number, 0x9e3779b1) >>> 0);
  for (let number = 0; number < 30_000; number++) known.enter(number);
  for (let number = 0; number < 30_000; number++) expect(known.find(number)).toBe(number);
  expect(known.find(30_000)).toBe(NO_ENTRY);
  known.index.clear();
  expect(known.index.size).toBe(0);
  expect(known.find(7)).toBe(NO_ENTRY);
});
