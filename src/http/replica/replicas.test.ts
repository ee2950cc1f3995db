import { describe, expect, it } from "vitest";
import { holdersOf } from "./replicas.ts";

describe("who holds a range", () => {
  const addresses = ["10.0.0.1:9410", "10.0.0.2:9410", "10.0.0.3:9410", "[::1]:9410"];
  const ranges = Array.from({ length: 400 }, (_, at) => `7 ${at * 4_000_000}`);

  it("is the same for everybody, in whatever order replicas are known", () => {
    for (const range of ranges) expect(holdersOf(range, addresses.toReversed())).toEqual(holdersOf(range, addresses));
  });

  it("is each of them of about as many", () => {
    for (const address of addresses) {
      const held = ranges.filter((range) => holdersOf(range, addresses)[0] === address).length;
      expect(held).toBeGreaterThan(70);
      expect(held).toBeLessThan(130);
    }
  });

  it("is another one only of those that a replica held which went, or holds which came", () => {
    const left = addresses.slice(1);
    for (const range of ranges) {
      const [holder, next] = holdersOf(range, addresses);
      expect(holdersOf(range, left)[0]).toBe(holder === addresses[0] ? next : holder);
    }
  });
});
