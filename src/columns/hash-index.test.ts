import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HashIndex, NO_ENTRY } from "./hash-index.ts";

/** Texts as the owner of an index stores them; many share a hash. */
class Texts {
  readonly texts: string[] = [];
  readonly index: HashIndex;
  private readonly hashOf: (text: string) => number;

  constructor(hashOf: (text: string) => number, entries?: number) {
    this.index = new HashIndex(entries);
    this.hashOf = hashOf;
  }

  find(text: string): number {
    let entry = this.index.first(this.hashOf(text));
    while (entry !== NO_ENTRY && this.texts[entry] !== text) entry = this.index.next();
    return entry;
  }

  enter(text: string): number {
    const known = this.find(text);
    if (known !== NO_ENTRY) return known;
    this.texts.push(text);
    return this.index.add();
  }
}

const HASHES: readonly [string, (text: string) => number][] = [
  ["one hash for all", () => 7],
  ["few hashes", (text) => text.length % 3],
  ["hashes beyond 31 bits", (text) => 0xffffffff - text.length],
  ["negative hashes", (text) => -text.length],
];

describe.each(HASHES)("an index with %s", (_name, hashOf) => {
  it("numbers entries in order, and finds them across growth", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 6 }), { maxLength: 80 }), (texts) => {
        const known = new Texts(hashOf, 1);
        const order = [...new Set(texts)];
        for (const text of texts) expect(known.enter(text)).toBe(order.indexOf(text));
        expect(known.index.size).toBe(order.length);
        for (const [entry, text] of order.entries()) {
          expect(known.find(text)).toBe(entry);
          expect(known.index.hashOf(entry)).toBe(hashOf(text) >>> 0);
        }
        expect(known.find("a text of another length")).toBe(NO_ENTRY);
      }),
    );
  });
});

it.each(["empty", "clear"] as const)("is empty after clearing (%s), and can be filled again", (forget) => {
  const index = new HashIndex(4);
  const enter = (hash: number): number => {
    const known = index.first(hash);
    return known === NO_ENTRY ? index.add() : known;
  };
  for (let hash = 0; hash < 10_000; hash++) enter(hash);
  expect(index.size).toBe(10_000);
  index[forget]();
  expect(index.size).toBe(0);
  expect(index.first(5)).toBe(NO_ENTRY);
  for (let hash = 9_999; hash >= 0; hash--) expect(enter(hash)).toBe(9_999 - hash);
  expect(index.hashOf(3)).toBe(9_996);
});
