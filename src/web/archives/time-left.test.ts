import { expect, it } from "vitest";
import { formatTimeLeft } from "./time-left.ts";

it.each([
  [0, "1 s left"],
  [0.2, "1 s left"],
  [59.4, "60 s left"],
  [61, "2 min left"],
  [3541, "1 h 0 min left"],
  [3600 * 11 + 1, "11 h 1 min left"],
])("shows %d seconds as %s", (seconds, expected) => {
  expect(formatTimeLeft(seconds)).toBe(expected);
});
