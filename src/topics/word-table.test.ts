import fc from "fast-check";
import { expect, it } from "vitest";
import { lookUpWords } from "./term-segment.ts";
import { WordTable } from "./word-table.ts";

it("keeps the smallest word of each key, in any order", () => {
  const entries = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.string({ unit: fc.constantFrom("a", "b", "é", "天"), minLength: 1 })),
  );
  fc.assert(
    fc.property(entries, (words) => {
      const table = new WordTable();
      const smallest = new Map<number, string>();
      for (const [hash, word] of words) {
        const units = Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
        table.add(hash * 2, { units, start: 0, end: units.length });
        if (!smallest.has(hash) || word < smallest.get(hash)!) smallest.set(hash, word);
      }
      expect(table.size).toBe(smallest.size);
      const found = lookUpWords([table.encode()], new Set(smallest.keys()));
      expect(new Map([...found].map(([hash, { normal }]) => [hash, normal]))).toEqual(smallest);
    }),
  );
});
