import { expect, it } from "vitest";
import { growArray } from "./grow-array.ts";

it.each([new Uint8Array([1, 2]), new Int32Array([-1, 2]), new Float64Array([0.5, -0.5])])(
  "doubles %o, of the same type, with zeros at the end",
  (array) => {
    const larger = growArray(array);
    expect(larger.constructor).toBe(array.constructor);
    expect([...larger]).toEqual([...array, 0, 0]);
    expect(array).toHaveLength(2);
  },
);

it("allocates as much space as requested", () => {
  expect(growArray(new Uint16Array([7, 8]), 9)).toHaveLength(9);
  expect(growArray(new Uint16Array([7, 8]), 3)).toHaveLength(4);
});
