import { describe, expect, it } from "vitest";
import { binCounts, binFrame, datesWithin, mainRangeBetween, type TimeRange, timelineFrom } from "./timeline-bins.ts";

/** Dates of some days, counted from a first day. */
function daily(from: string, days: number, each = 1): number[] {
  const first = Date.parse(from);
  return Array.from({ length: days * each }, (_, at) => first + Math.floor(at / each) * 86_400_000);
}

const mainRange = (dates: Float64Array): TimeRange | null => {
  const sorted = dates.toSorted();
  return mainRangeBetween(sorted.length, sorted, sorted);
};

describe("the time that mail is from", () => {
  it("ends before a year without mail; later dates are counted by year", () => {
    const mail = daily("2000-02-01", 780, 10);
    const dates = Float64Array.from([...daily("1999-07-02", 3), ...mail, ...daily("2004-02-04", 8, 4)]);
    const range = mainRange(dates);
    const figures = datesWithin(dates, range);
    const frame = binFrame(figures, "month");
    const timeline = timelineFrom({ figures, range, frame }, binCounts(frame, dates));
    expect([timeline.bins[0]!.span, timeline.bins.at(-1)!.span]).toEqual(["1999-07", "2002-03"]);
    expect(timeline.strays).toEqual([{ side: "after", year: 2002, clause: "after:2003", count: 32 }]);
  });

  it("includes all connected months, with any number of messages", () => {
    const dates = Float64Array.from([
      ...daily("1996-01-01", 1),
      ...daily("1996-11-01", 1),
      ...daily("1997-09-01", 900),
    ]);
    expect(mainRange(dates)!.first).toBe(dates[0]);
  });

  it("does not depend on a few outliers", () => {
    const dates = Float64Array.from([...daily("1996-01-01", 1), ...daily("2004-09-01", 18)]);
    expect(mainRange(dates)!.first).toBe(dates[0]);
  });
});
