import { expect, it } from "vitest";
import { addMonths, daysOf, isMonth, weeksOf } from "./months.ts";

it("counts months over the end of a year", () => {
  expect([addMonths("2001-12", 1), addMonths("2001-01", -1), addMonths("2001-05", 0)]).toEqual([
    "2002-01",
    "2000-12",
    "2001-05",
  ]);
  expect(["2001-05", "2001-13", "2001", ""].map(isMonth)).toEqual([true, false, false, false]);
});

it("fills weeks from Monday to Sunday", () => {
  const weeks = weeksOf("2001-05");
  expect(weeks[0]).toEqual([
    "2001-04-30",
    "2001-05-01",
    "2001-05-02",
    "2001-05-03",
    "2001-05-04",
    "2001-05-05",
    "2001-05-06",
  ]);
  expect(weeks.at(-1)!.at(-1)).toBe("2001-06-03");
  expect(weeksOf("2021-02")).toHaveLength(4);
});

it("returns the days of an event in a month", () => {
  expect(daysOf("2001-05-14T16:00:00Z", "2001-05-15T00:00:00Z", "2001-05")).toEqual(["2001-05-14"]);
  expect(daysOf("2001-04-30T08:00:00Z", "2001-05-02T09:00:00Z", "2001-05")).toEqual(["2001-05-01", "2001-05-02"]);
  expect(daysOf("2001-05-31T08:00:00Z", "2001-07-01T00:00:00Z", "2001-05")).toEqual(["2001-05-31"]);
  expect(daysOf("2001-05-14T16:00:00Z", "2000-01-01T00:00:00Z", "2001-05")).toEqual(["2001-05-14"]);
});
