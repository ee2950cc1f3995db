import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MarkedColumn } from "../../mail/ordinal.ts";
import { numberThreads } from "./thread-rows.ts";

const numbers = <T extends number>(...values: number[]) => Int32Array.from(values) as MarkedColumn<T>;

describe("numberThreads", () => {
  it("numbers threads by their first message", () => {
    expect(numberThreads(numbers(0, 1, 0, 3, 1), numbers(), 1)).toEqual({ ordinalOf: numbers(1, 2, 1, 3, 2), last: 3 });
  });

  it("keeps the number of a thread that an earlier run knew, and the smallest of those that new mail joins", () => {
    // Messages 0 to 2 were threads 4, 7 and 5; a new one joins the first two, another is alone.
    expect(numberThreads(numbers(0, 0, 2, 0, 4), numbers(4, 7, 5), 8)).toEqual({
      ordinalOf: numbers(4, 4, 5, 4, 8),
      last: 8,
    });
  });

  it("gives the number of a thread that new mail parts to its first part, and a new one to the other", () => {
    expect(numberThreads(numbers(0, 1, 1), numbers(3, 3), 4)).toEqual({ ordinalOf: numbers(3, 4, 4), last: 4 });
  });

  it("gives one number to a thread and one thread to a number, whatever was there before", () => {
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
        // The first message of a thread is its own first.
        const firstOf = picks.map((pick, message) => Math.min(pick, message));
        for (const [message, first] of firstOf.entries()) firstOf[message] = firstOf[first]!;
        const { ordinalOf, last } = numberThreads(numbers(...firstOf), numbers(...earlier), 10);
        const pairs = new Set(firstOf.map((first, message) => `${first} ${ordinalOf[message]}`));
        expect(pairs.size).toBe(new Set(firstOf).size);
        expect(new Set(ordinalOf).size).toBe(new Set(firstOf).size);
        for (const [message, ordinal] of ordinalOf.entries())
          expect(ordinal >= 10 ? message : earlier.includes(ordinal)).not.toBe(false);
        expect(last).toBe(ordinalOf.reduce((most, ordinal) => Math.max(most, ordinal), 9));
      }),
    );
  });
});
