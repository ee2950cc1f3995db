import { expect, it } from "vitest";
import { LruCache } from "./lru-cache.ts";

it("evicts the least recently used entry", () => {
  const latest = new LruCache<number>(2);
  latest.keep("a", 1);
  latest.keep("b", 2);
  latest.keep("a", 1);
  latest.keep("c", 3);
  expect(["a", "b", "c"].map((key) => latest.get(key))).toEqual([1, undefined, 3]);
});

it("keeps the last entry even above its limit", () => {
  const latest = new LruCache<number>(0);
  latest.keep("a", 1);
  latest.keep("b", 2);
  expect([latest.get("a"), latest.get("b")]).toEqual([undefined, 2]);
});
