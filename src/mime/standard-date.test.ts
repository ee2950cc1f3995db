import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDate } from "./date-time.ts";
import { standardDate } from "./standard-date.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const two = (value: number): string => String(value).padStart(2, "0");

describe("standardDate", () => {
  it("reads every date of its form", () => {
    const instant = fc.integer({ min: Date.UTC(1971, 0, 1) / 1000, max: Date.UTC(2099, 11, 31) / 1000 });
    const zone = fc.record({
      hours: fc.integer({ min: 0, max: 13 }),
      minutes: fc.integer({ min: 0, max: 59 }),
      sign: fc.constantFrom("+", "-"),
    });
    fc.assert(
      fc.property(
        instant,
        zone,
        fc.boolean(),
        fc.constantFrom("", " (PDT)"),
        (seconds, { hours, minutes, sign }, isPadded, comment) => {
          const local = new Date(seconds * 1000 + (hours * 60 + minutes) * (sign === "+" ? 60_000 : -60_000));
          const day = isPadded ? two(local.getUTCDate()) : local.getUTCDate();
          const date = `${day} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()}`;
          const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map(two).join(":");
          const text = `${WEEKDAYS[local.getUTCDay()]}, ${date} ${time} ${sign}${two(hours)}${two(minutes)}${comment}`;
          expect(parseDate(text)).toBe(seconds * 1000);
          const isLeapDay = local.getUTCMonth() === 1 && local.getUTCDate() === 29;
          if (!isLeapDay && local.getUTCFullYear() > 1970 && local.getUTCFullYear() < 2100)
            expect(standardDate(text)).toBe(seconds * 1000);
        },
      ),
    );
  });

  it.each([
    "Tue, 31 Jun 2003 10:52:37 +0200",
    "Thu, 29 Feb 2024 10:52:37 +0200",
    "Sat, 29 Feb 2003 10:52:37 +0200",
    "Mar, 1 Jul 2003 10:52:37 +0200",
    "Tue, 1 Jul 03 10:52:37 +0200",
    "Tue, 1 Jul 2003 10:52:60 +0200",
    "Tue, 1 Jul 2003 10:52 +0200",
    "Tue, 1 Jul 2003 10:52:37 +02000",
    "Tue, 1 Jul 2003 10:52:37 +0260",
    "Tue, 1 Jul 2003 10:52:37 GMT",
    "Tue, 1 Jul 2003 10:52:37 +0200 (a) pm",
    "Tue, 1 Juli 2003 10:52:37 +0200",
    "Tue, 1 Jul 2003",
    "",
  ])("leaves %j to the full reader", (text) => {
    expect(standardDate(text)).toBeNull();
  });
});
