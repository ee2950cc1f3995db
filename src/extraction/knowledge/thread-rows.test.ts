import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { PagedInt32Column } from "../../columns/paged-column.ts";
import { numberThreads } from "./thread-rows.ts";

/** Resulting threads for the given first messages and earlier numbers. */
function numbered(firstOf: readonly number[], before: readonly number[], next: number) {
  const memory = fewPages();
  const column = (values: readonly number[]): PagedInt32Column => {
    const paged = new PagedInt32Column(memory);
    for (const value of values) paged.push(value);
    return paged;
  };
  const { ordinals, last } = numberThreads(column(firstOf), {
    earlier: column(before),
    released: new Map(),
    next,
    memory,
  });
  return { ordinals: [...ordinals.values()], last };
}

describe("numberThreads", () => {
  it("numbers threads by their first message", () => {
    expect(numbered([0, 1, 0, 3, 1], [], 1)).toEqual({ ordinals: [1, 2, 1, 3, 2], last: 3 });
  });

  it("keeps the number of an existing thread, and the smallest one of joined threads", () => {
    // Messages 0 to 2 were threads 4, 7 and 5. A new message joins the first two; another has its own thread.
    expect(numbered([0, 0, 2, 0, 4], [4, 7, 5], 8)).toEqual({ ordinals: [4, 4, 5, 4, 8], last: 8 });
  });

  it("keeps the number of a split thread for its first part", () => {
    expect(numbered([0, 1, 1], [3, 3], 4)).toEqual({ ordinals: [3, 4, 4], last: 4 });
  });

  it("assigns each thread one number, whatever the earlier numbers", () => {
    const cases = fc
      .integer({ min: 1, max: 30 })
      .chain((messages) =>
        fc.tuple(
          fc.array(fc.nat(messages - 1), { minLength: messages, maxLength: messages }),
          fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: messages }),
        ),
      );
    fc.assert(
      fc.property(cases, ([picks, earlier]) => {
        // The first message of a thread refers to itself.
        const firstOf = picks.map((pick, message) => Math.min(pick, message));
        for (const [message, first] of firstOf.entries()) firstOf[message] = firstOf[first]!;
        const { ordinals, last } = numbered(firstOf, earlier, 10);
        const pairs = new Set(firstOf.map((first, message) => `${first} ${ordinals[message]}`));
        expect(pairs.size).toBe(new Set(firstOf).size);
        expect(new Set(ordinals).size).toBe(new Set(firstOf).size);
        for (const [message, ordinal] of ordinals.entries())
          expect(ordinal >= 10 ? message : earlier.includes(ordinal)).not.toBe(false);
        expect(last).toBe(ordinals.reduce((most, ordinal) => Math.max(most, ordinal), 9));
      }),
    );
  });
});
