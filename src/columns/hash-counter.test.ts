import fc from "fast-check";
import { expect, it } from "vitest";
import { HashCounter } from "./hash-counter.ts";

it("counts like a map", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 0xffffffff }), fc.nat(9)), { maxLength: 300 }),
      (additions) => {
        const counter = new HashCounter(4);
        const map = new Map<number, number>();
        for (const [key, amount] of additions) {
          map.set(key, (map.get(key) ?? 0) + amount);
          expect(counter.add(key, amount)).toBe(map.get(key));
        }
        expect([...counter.entries()]).toEqual([...map]);
        expect(counter.size).toBe(map.size);
        counter.set(5, 77);
        expect(counter.get(5)).toBe(77);
        expect(counter.get(6)).toBe(map.get(6) ?? 0);
      },
    ),
  );
});
