import fc from "fast-check";
import { expect, it } from "vitest";
import { parseDate } from "./date-time.ts";
import { standardDate } from "./standard-date.ts";

const two = (value: number): string => String(value).padStart(2, "0");

it("agrees with the full date parser", () => {
  const part = (most: number) => fc.integer({ min: 0, max: most });
  fc.assert(
    fc.property(
      fc.tuple(part(32), part(11), fc.integer({ min: 1960, max: 2100 }), part(24), part(60), part(61)),
      fc.tuple(fc.constantFrom("+", "-"), part(15), part(60)),
      ([day, month, year, hour, minute, second], [sign, hours, minutes]) => {
        const name = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")[month];
        const rest = `${name} ${year} ${two(hour)}:${two(minute)}:${two(second)} ${sign}${two(hours)}${two(minutes)}`;
        const read = standardDate(`Mon, ${day} ${rest}`);
        // Two blanks are not part of the standard form.
        if (read !== null) expect(parseDate(`Mon,  ${day}  ${rest}`)).toBe(read);
      },
    ),
  );
});

it.each([
  ["Tue Dec  2 09:05:07 2003", Date.UTC(2003, 11, 2, 9, 5, 7)],
  ["Tue Mar 16 23:59:59 2004", Date.UTC(2004, 2, 16, 23, 59, 59)],
  ["Mon Feb 29 00:00:00 2016", Date.UTC(2016, 1, 29)],
])("reads asctime as the reader of all forms does: %s", (text, instant) => {
  expect([standardDate(text), parseDate(text.replace(" ", "  "))]).toEqual([instant, instant]);
});

it.each([
  "Sun Feb 30 10:00:00 2003",
  "Sun Feb  0 10:00:00 2003",
  "Mar Feb  3 10:00:00 2003",
  "Sun Feb  2 10:00:60 2003",
  "Mon, 30 Feb 2001 10:00:00 +0000",
  "Mon, 0 Feb 2001 10:00:00 +0000",
  "Mon, 5 Feb 0102 10:00:00 +0000",
  "Mon, 5 Feb 2001 24:00:00 +0000",
  "Mon, 5 Feb 2001 10:00:60 +0000",
  "Mon, 5 Feb 2001 10:00:00 +1500",
  "Mon, 5 Feb 2001 10:00:00 EST",
  "Mon, 5 feb 2001 10:00:00 +0000",
])("returns null for other dates: %s", (text) => {
  expect(standardDate(text)).toBeNull();
});
