import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages, PagesInMemory } from "../../test/pages-in-memory.ts";
import {
  MAX_PAGED_LENGTH,
  PagedFloat64Column,
  PagedInt32Column,
  PagedUint8Column,
  PagedUint32Column,
} from "./paged-column.ts";
import { PAGE_BYTES, PagedMemory } from "./paged-memory.ts";

const WORDS_A_PAGE = PAGE_BYTES / Uint32Array.BYTES_PER_ELEMENT;

type Step = { readonly column: number; readonly value: number } & (
  | { readonly kind: "push"; readonly times: number }
  | { readonly kind: "extend"; readonly times: number }
  | { readonly kind: "set" | "write" | "clear"; readonly at: number }
);

const step: fc.Arbitrary<Step> = fc
  .oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constantFrom("push" as const, "extend" as const),
        times: fc.nat(2 * PAGE_BYTES),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constantFrom("set" as const, "write" as const), at: fc.nat() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), at: fc.nat() }) },
  )
  .chain((what) => fc.record({ column: fc.nat(3), value: fc.nat(255) }).map((rest) => ({ ...what, ...rest })));

it("equals an array with few pages in memory", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (steps, pages) => {
      const memory = fewPages(pages);
      const columns = [
        new PagedInt32Column(memory),
        new PagedUint32Column(memory),
        new PagedFloat64Column(memory),
        new PagedUint8Column(memory),
      ] as const;
      const arrays: number[][] = [[], [], [], []];
      for (const taken of steps) {
        const [column, array] = [columns[taken.column]!, arrays[taken.column]!];
        if (taken.kind === "push")
          for (let time = 0; time < taken.times; time++) {
            column.push((taken.value + time) & 255);
            array.push((taken.value + time) & 255);
          }
        else if (taken.kind === "extend") {
          column.extend(taken.times, taken.value);
          while (array.length < taken.times) array.push(taken.value);
        } else if (taken.kind === "write") {
          // Writes the first half over existing values from some position on, and beyond the end.
          const from = taken.at % (array.length + 1);
          const values = column.slice(0, array.length >>> 1);
          column.write(from, values as never);
          for (const [at, value] of values.entries()) array[from + at] = value;
        } else if (taken.kind === "clear") {
          column.clear();
          array.length = 0;
        } else if (array.length > 0) {
          column.set(taken.at % array.length, taken.value);
          array[taken.at % array.length] = taken.value;
        }
      }
      for (const [index, column] of columns.entries()) {
        expect(column.length).toBe(arrays[index]!.length);
        expect([...column.slice()]).toEqual(arrays[index]);
        const half = column.length >>> 1;
        expect([...column.slice(half >>> 1, half)]).toEqual(arrays[index]!.slice(half >>> 1, half));
        expect([...column.values()]).toEqual(arrays[index]);
      }
    }),
    { numRuns: 60 },
  );
});

it("frees its memory on request, without waiting for garbage collection", () => {
  const memory = fewPages(4);
  const column = new PagedUint32Column(memory);
  const bytes = memory.take(column, 0);
  expect(bytes.length).toBe(PAGE_BYTES);
  memory.clear();
  expect(bytes.length).toBe(0);
});

it("creates no file while everything fits into memory, and reuses pages", () => {
  const file = new PagesInMemory();
  const memory = new PagedMemory(file, 4 * PAGE_BYTES);
  const first = new PagedUint32Column(memory);
  for (let value = 0; value < 4 * WORDS_A_PAGE; value++) first.push(value);
  expect(file.written).toBe(0);
  for (let value = 0; value < 4 * WORDS_A_PAGE; value++) first.push(value);
  expect(file.written).toBe(4);
  for (let round = 0; round < 5; round++) {
    first.clear();
    const next = new PagedUint32Column(memory);
    for (let value = 0; value < 8 * WORDS_A_PAGE; value++) next.push(round);
    expect(next.at(0)).toBe(round);
    next.clear();
  }
  expect(file.places).toBeLessThanOrEqual(8);
});

it("rejects a value above its capacity, without overwriting", () => {
  const column = new PagedUint8Column(fewPages(2));
  column.push(7);
  column.length = MAX_PAGED_LENGTH - 1;
  column.push(8);
  expect(() => column.push(9)).toThrow(expect.objectContaining({ code: "ARCHIVE_FULL" }));
  expect([column.at(0), column.at(MAX_PAGED_LENGTH - 1)]).toEqual([7, 8]);
});
