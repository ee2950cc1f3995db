import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { HashIndex, NO_ENTRY } from "./hash-index.ts";
import { PagedHashIndex } from "./paged-hash-index.ts";

function entriesOf(index: HashIndex | PagedHashIndex, hash: number): number[] {
  const entries: number[] = [];
  for (let entry = index.first(hash); entry !== NO_ENTRY; entry = index.next()) entries.push(entry);
  return entries;
}

it("finds the same entries as an index in memory", () => {
  // Few different hashes, so that many collide; some are adjacent in the table, also at its end.
  const hash = fc.oneof(
    fc.nat(40),
    fc.integer(),
    fc.nat(40).map((near) => 0x7fffffff - near),
  );
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), (hashes, pages) => {
      const index = new PagedHashIndex(fewPages(pages));
      const model = new HashIndex();
      for (const one of hashes) {
        entriesOf(index, one);
        entriesOf(model, one);
        expect(index.add()).toBe(model.add());
      }
      expect(index.size).toBe(model.size);
      for (const one of [...hashes, 41, -1])
        expect(entriesOf(index, one).sort((a, b) => a - b)).toEqual(entriesOf(model, one).sort((a, b) => a - b));
    }),
  );
});

it("finds every entry after growing, and none when empty", () => {
  const index = new PagedHashIndex(fewPages(2));
  // Odd multiples reach all hashes; every third value has the hash of its predecessor.
  const hashAt = (entry: number): number => Math.imul(entry - (entry % 3 === 0 ? 1 : 0), 0x01000193);
  const count = 6_000;
  for (let entry = 0; entry < count; entry++) {
    entriesOf(index, hashAt(entry));
    expect(index.add()).toBe(entry);
  }
  for (let entry = 1; entry < count; entry++) expect(entriesOf(index, hashAt(entry))).toContain(entry);
  index.clear();
  expect([index.size, entriesOf(index, hashAt(7))]).toEqual([0, []]);
});

it("rejects entries above its capacity", () => {
  const index = new PagedHashIndex(fewPages(2), 11);
  const fill = (): void => {
    for (let entry = 0; entry < 2_000; entry++) {
      entriesOf(index, entry);
      index.add();
    }
  };
  const message = "a run can store at most 1024 addresses or names";
  expect(fill).toThrow(expect.objectContaining({ code: "ARCHIVE_FULL", message }));
});
