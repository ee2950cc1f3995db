import { describe, expect, it } from "vitest";
import { KeyNodes, textHash } from "./key-nodes.ts";

describe("KeyNodes", () => {
  it("assigns a key one node, and another in another space", () => {
    const nodes = new KeyNodes();
    let made = 0;
    const make = (): number => made++;
    expect([nodes.nodeOf(1, "a", make), nodes.nodeOf(1, "b", make), nodes.nodeOf(1, "a", make)]).toEqual([0, 1, 0]);
    expect(nodes.nodeOf(2, "a", make)).toBe(2);
    expect([nodes.find(1, "b"), nodes.find(2, "b"), made]).toEqual([1, null, 3]);
  });

  it("distinguishes many keys, and clears them all", () => {
    const nodes = new KeyNodes();
    const keys = Array.from({ length: 20_000 }, (_, number) => `message-${number}@x.example`);
    for (const [number, key] of keys.entries()) nodes.nodeOf(0, key, () => number);
    expect(keys.every((key, number) => nodes.find(0, key) === number)).toBe(true);
    nodes.clear();
    expect(keys.some((key) => nodes.find(0, key) !== null)).toBe(false);
  });
});

it("distinguishes spaces that differ in one character", () => {
  const nodes = new KeyNodes();
  const keys = [1, 2, 3, 4].flatMap((space) =>
    [..."abcdefgh"].map((letter) => [space, `${letter}@x.example`] as const),
  );
  let made = 0;
  for (const [space, key] of keys) nodes.nodeOf(space, key, () => made++);
  expect(made).toBe(keys.length);
});

it("hashes texts to 32 bits, different texts differently", () => {
  const hashes = new Set(Array.from({ length: 10_000 }, (_, number) => textHash(`text ${number}`)));
  expect(hashes.size).toBeGreaterThan(9_990);
  expect([...hashes].every((hash) => hash === (hash | 0))).toBe(true);
  expect(textHash("")).toBe(textHash(""));
});
