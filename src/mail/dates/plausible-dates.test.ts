import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOutlier, plausibleDates, receivedByStore, sortingDate } from "./plausible-dates.ts";

const DAY = 86_400_000;
const EXTRACTED = Date.UTC(2026, 0, 1);
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
const YEAR_9999 = day("9999-01-01");
/** 200 messages of 2001, one per day. */
const ORDINARY = Array.from({ length: 200 }, (_, index) => day("2001-01-01") + index * DAY);
const strays = (dates: readonly number[], extractedAt = EXTRACTED): readonly number[] => {
  const believed = plausibleDates(Float64Array.from(dates), extractedAt);
  return dates.filter((date) => isOutlier(date, believed));
};

const date = fc.integer({ min: day("1965-01-01"), max: day("2100-01-01") });

describe("plausibleDates", () => {
  it("believes old and single dates, however far they are from the others", () => {
    expect(strays(ORDINARY)).toEqual([]);
    const recent = Array.from({ length: 300 }, (_, index) => day("2023-01-01") + index * DAY);
    expect(strays([...recent, ...Array.from({ length: 5 }, () => day("2016-06-01"))])).toEqual([]);
    expect(strays([...recent, day("1971-01-01"), day("1980-01-01")])).toEqual([]);
  });

  it("rejects dates before email existed, and after the extraction", () => {
    const wrong = ["0001-01-01", "1970-01-01", "2043-01-01", "9999-12-31"].map(day);
    expect(strays([...wrong, ...ORDINARY])).toEqual(wrong);
  });

  it("accepts all dates between 1971 and the extraction for a few messages", () => {
    const few = ["1970-01-01", "1971-01-01", "1999-05-05", "2026-01-02", "2026-01-03", "9999-01-01"].map(day);
    expect(strays(few)).toEqual(["1970-01-01", "2026-01-03", "9999-01-01"].map(day));
    expect(strays([YEAR_9999])).toEqual([YEAR_9999]);
  });

  it("ignores a clock that is earlier than most of the mail", () => {
    expect(strays([...ORDINARY, YEAR_9999], day("1970-01-01"))).toEqual([YEAR_9999]);
  });

  it("depends only on the dates to the second, in any order, and does not change them", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(date, fc.constant(Number.NaN)), { maxLength: 60 }), date, (dates, extractedAt) => {
        const column = Float64Array.from(dates);
        const believed = plausibleDates(column, extractedAt);
        expect([...column]).toEqual(dates);
        expect(plausibleDates(column.toReversed(), extractedAt)).toEqual(believed);
        const seconds = column.map((one) => Math.floor(one / 1000) * 1000);
        expect(plausibleDates(seconds, Math.floor(extractedAt / 1000) * 1000)).toEqual(believed);
        expect([...seconds].map((one) => isOutlier(one, believed))).toEqual(
          dates.map((one) => isOutlier(one, believed)),
        );
      }),
    );
  });

  it("rejects dates more than a day after the extraction, unless most are", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 * 365 * DAY }), { minLength: 40, maxLength: 60 }),
        date,
        (offsets, extractedAt) => {
          const dates = offsets.map((offset) => extractedAt - offset);
          const possible = dates.filter((one) => one >= Date.UTC(1971, 0, 1));
          const late = extractedAt + DAY + 1000;
          expect(strays([...dates, late], extractedAt).filter((one) => possible.includes(one))).toEqual([]);
          expect(strays([...dates, late], extractedAt)).toContain(late);
        },
      ),
    );
  });
});

describe("sortingDate", () => {
  const believed = plausibleDates(Float64Array.from(ORDINARY), EXTRACTED);
  const [sent, received] = [day("2001-02-03"), day("2001-02-04")];

  it("is the date sent, or else received, whichever is plausible first", () => {
    expect(sortingDate(sent, received, believed)).toBe(sent);
    expect(sortingDate(null, received, believed)).toBe(received);
    expect(sortingDate(YEAR_9999, received, believed)).toBe(received);
    expect(sortingDate(YEAR_9999, YEAR_9999, believed)).toBeNull();
    expect(sortingDate(YEAR_9999, null, believed)).toBeNull();
    expect(sortingDate(null, null, believed)).toBeNull();
  });

  it("is the date received if it contradicts the date sent", () => {
    expect(sortingDate(received + 3 * DAY, received, believed)).toBe(received);
    expect(sortingDate(received + DAY, received, believed)).toBe(received + DAY);
    expect(sortingDate(day("1980-01-01"), received, believed)).toBe(received);
    // Mail that was downloaded again years later.
    expect(sortingDate(day("1996-01-01"), received, believed)).toBe(day("1996-01-01"));
    expect(sortingDate(sent, YEAR_9999, believed)).toBe(sent);
  });
});

describe("receivedByStore", () => {
  it("is the date of the store for messages without a plausible date", () => {
    const stored = day("2004-01-01");
    expect([null, day("1970-01-01"), day("2004-01-04")].map((sent) => receivedByStore(sent, stored))).toEqual(
      Array(3).fill(stored),
    );
    expect([day("1980-01-01"), day("2004-01-02")].map((sent) => receivedByStore(sent, stored))).toEqual([null, null]);
  });
});
