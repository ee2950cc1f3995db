import fc from "fast-check";
import { expect, it } from "vitest";
import { Float64Column, Int32Column, Uint8Column, Uint32Column } from "./column.ts";

it("returns pushed values, across growth", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 5000 }), (values) => {
      for (const column of [new Int32Column(), new Uint32Column(), new Float64Column(), new Uint8Column()]) {
        for (const value of values) column.push(value);
        expect(column.length).toBe(values.length);
        expect([...column.view()]).toEqual(values);
        if (values.length > 0) {
          column.set(0, 7);
          expect(column.at(0)).toBe(7);
        }
      }
    }),
    { numRuns: 30 },
  );
});

it("can be cleared and filled again", () => {
  const column = new Uint32Column();
  for (let value = 0; value < 100_000; value++) column.push(value);
  column.clear();
  expect(column.length).toBe(0);
  expect(column.view()).toHaveLength(0);
  for (let value = 0; value < 5_000; value++) column.push(value * 2);
  expect(column.length).toBe(5_000);
  expect([column.at(0), column.at(4_999), ...column.view().subarray(1_023, 1_026)]).toEqual([
    0, 9_998, 2_046, 2_048, 2_050,
  ]);
});

it("is extended by zeros", () => {
  const column = new Float64Column();
  column.push(1.5);
  column.extend(2_000);
  column.push(2.5);
  expect(column.length).toBe(2_001);
  expect([column.at(0), column.at(1), column.at(1_999), column.at(2_000)]).toEqual([1.5, 0, 0, 2.5]);
  column.extend(3);
  expect(column.length).toBe(2_001);
});

it("keeps its values when it moves to a larger buffer, and does not change earlier views", () => {
  const column = new Float64Column();
  for (let value = 0; value < 131_072; value++) column.push(value);
  const before = column.view();
  column.push(0.5);
  column.set(0, -1);
  expect(column.length).toBe(131_073);
  expect([column.at(0), column.at(1), column.at(131_071), column.at(131_072)]).toEqual([-1, 1, 131_071, 0.5]);
  expect(before.at(-1)).toBe(131_071);
  column.extend(5_000_000);
  expect([column.at(1), column.at(131_072), column.at(4_999_999)]).toEqual([1, 0.5, 0]);
});
