import fc from "fast-check";
import { expect, it } from "vitest";
import { EARLIEST_INSTANT, formatInstant, LATEST_INSTANT, parseInstant } from "./instant.ts";

it("writes every instant of years 1 to 9999 as Date does", () => {
  fc.assert(
    fc.property(fc.integer({ min: EARLIEST_INSTANT, max: LATEST_INSTANT }), (instant) => {
      const text = formatInstant(instant);
      expect(text).toBe(`${new Date(instant).toISOString().slice(0, 19)}Z`);
      expect(parseInstant(text)).toBe(Math.floor(instant / 1000) * 1000);
    }),
    { numRuns: 2_000 },
  );
  for (const edge of [
    EARLIEST_INSTANT,
    LATEST_INSTANT,
    0,
    -1,
    Date.UTC(2000, 1, 29),
    Date.UTC(1900, 1, 28),
    Date.UTC(2003, 11, 31),
  ]) {
    expect(formatInstant(edge)).toBe(`${new Date(edge).toISOString().slice(0, 19)}Z`);
  }
});

it("keeps null, and parses only full dates", () => {
  expect(formatInstant(null)).toBeNull();
  for (const text of ["", "2003", "2003-01-01", "2003-13-01T00:00:00Z", "2003-01-01T00:00:00", "yesterday"])
    expect(parseInstant(text)).toBeNull();
  expect(parseInstant("2003-01-01T02:00:00+02:00")).toBe(Date.UTC(2003, 0, 1));
});
