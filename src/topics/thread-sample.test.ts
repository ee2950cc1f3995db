import { describe, expect, it } from "vitest";
import { leastKeys, ThreadKeys } from "./thread-sample.ts";

const HASHES = Uint32Array.from({ length: 1000 }, (_, term) => Math.imul(term + 1, 0x9e3779b1) >>> 0);
/** A thread of two words of its own. */
const threadOf = (number: number): Int32Array => Int32Array.of(number % 1000, Math.floor(number / 1000));

describe("ThreadKeys", () => {
  it("are by the words of threads: a sample keeps its threads when others are gone", () => {
    const keyOf = (numbers: readonly number[]): ReadonlySet<number> => {
      const keys = new ThreadKeys(HASHES);
      const drawn = Uint32Array.from(numbers, (number) => keys.next(threadOf(number)));
      return new Set(Array.from(leastKeys(drawn, 500), (place) => numbers[place]!));
    };
    const all = Array.from({ length: 5000 }, (_, number) => number + 3000);
    const whole = keyOf(all);
    const fewer = keyOf(all.filter((number) => number % 50 !== 7));
    const kept = [...fewer].filter((number) => whole.has(number)).length;
    expect(kept).toBeGreaterThan(470);
  });

  it("are others for equal threads, and the same whatever the order of the words", () => {
    const keys = new ThreadKeys(HASHES);
    const first = keys.next(Int32Array.of(1, 2));
    expect(keys.next(Int32Array.of(1, 2))).not.toBe(first);
    expect(new ThreadKeys(HASHES).next(Int32Array.of(2, 1))).toBe(first);
  });
});

describe("leastKeys", () => {
  it("are those of the least numbers, in the order of the places, of equal ones the first", () => {
    expect([...leastKeys(Uint32Array.of(5, 1, 4, 4, 0, 4), 4)]).toEqual([1, 2, 3, 4]);
    expect([...leastKeys(Uint32Array.of(3, 2), 9)]).toEqual([0, 1]);
    expect([...leastKeys(new Uint32Array(0), 9)]).toEqual([]);
  });
});
