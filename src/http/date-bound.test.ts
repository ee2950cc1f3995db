import fc from "fast-check";
import { expect, it } from "vitest";
import { parseDateBound } from "./date-bound.ts";

const span = (first: string, last: string) => ({ first: Date.parse(first), last: Date.parse(last) });

it.each([
  ["2001", span("2001-01-01T00:00:00.000Z", "2001-12-31T23:59:59.999Z")],
  ["2001-05", span("2001-05-01T00:00:00.000Z", "2001-05-31T23:59:59.999Z")],
  ["2001-05-14", span("2001-05-14T00:00:00.000Z", "2001-05-14T23:59:59.999Z")],
  ["2001-05-14T16:39", span("2001-05-14T16:39:00.000Z", "2001-05-14T16:39:59.999Z")],
  ["2001-05-14T16:39:05", span("2001-05-14T16:39:05.000Z", "2001-05-14T16:39:05.999Z")],
  ["2001-05-14T16:39:05Z", span("2001-05-14T16:39:05.000Z", "2001-05-14T16:39:05.999Z")],
  ["2001-05-14t16:39:05z", span("2001-05-14T16:39:05.000Z", "2001-05-14T16:39:05.999Z")],
  ["2001-05-14T16:39:05.250Z", span("2001-05-14T16:39:05.250Z", "2001-05-14T16:39:05.250Z")],
  ["2001-05-14T16:39:05+02:00", span("2001-05-14T14:39:05.000Z", "2001-05-14T14:39:05.999Z")],
  ["2001-05-14T16:39:05-0530", span("2001-05-14T22:09:05.000Z", "2001-05-14T22:09:05.999Z")],
  ["2000-02-29", span("2000-02-29T00:00:00.000Z", "2000-02-29T23:59:59.999Z")],
])("%s", (text, expected) => {
  expect(parseDateBound(text)).toEqual(expected);
});

it.each([
  "",
  "x",
  "2001-02-29",
  "2001-13-01",
  "2001-5-14",
  "14.05.2001",
  "2001-05-14T25:00Z",
  "2001-05-14T10:60",
  "2001-05-14 10:00",
  "2001-05-14T10:00:00+24:00",
  "20010514",
  "2001-05-14T10:00:00Zulu",
  "-2001-05-14",
  "2001-02-30T00:00:00Z",
])("%j is not a date", (text) => expect(parseDateBound(text)).toBeNull());

it("reads every instant that is published", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
      (date) => {
        const found = parseDateBound(`${date.toISOString().slice(0, 19)}Z`);
        expect(found?.first).toBeLessThanOrEqual(date.getTime());
        expect(found?.last).toBeGreaterThanOrEqual(date.getTime());
      },
    ),
  );
});
