import { expect, it } from "vitest";
import { sampleIndexes, seededRandom, shuffledIndexes } from "./seeded-random.ts";

/** The first numbers for seed 1, as integers. */
const SEEDED_ONE = [2_693_262_067, 11_749_833, 2_265_367_787];

it("returns the numbers of mulberry32 for a seed", () => {
  const random = seededRandom(1);
  expect([random(), random(), random()].map((value) => value * 2 ** 32)).toEqual(SEEDED_ONE);
  const again = seededRandom(1);
  expect(again() * 2 ** 32).toBe(SEEDED_ONE[0]);
  expect(seededRandom(2)() * 2 ** 32).not.toBe(SEEDED_ONE[0]);
});

it("shuffles every index once, the same for a seed", () => {
  const shuffled = shuffledIndexes(50, seededRandom(4));
  expect([...shuffled].sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
  expect([...shuffled]).not.toEqual([...Array(50).keys()]);
  expect(shuffledIndexes(50, seededRandom(4))).toEqual(shuffled);
});

it("draws different indexes in order", () => {
  const sample = [...sampleIndexes(1000, 100, seededRandom(3))];
  expect(sample.length).toBe(100);
  expect(new Set(sample).size).toBe(100);
  expect(sample).toEqual([...sample].sort((a, b) => a - b));
  expect([...sampleIndexes(3, 10, seededRandom(3))]).toEqual([0, 1, 2]);
});
