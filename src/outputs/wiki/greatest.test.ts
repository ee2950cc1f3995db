import fc from "fast-check";
import { expect, it } from "vitest";
import { Greatest } from "./greatest.ts";

it("agrees with a stable sort by date, newest first", () => {
  const dates = fc.array(fc.option(fc.integer({ min: 0, max: 9 })), { maxLength: 30 });
  fc.assert(
    fc.property(dates, fc.integer({ min: 1, max: 8 }), (sentAt, limit) => {
      const newest = new Greatest<number>(limit);
      for (const [index, date] of sentAt.entries()) if (newest.accepts(date)) newest.add(date, index);
      const sorted = sentAt
        .map((date, index) => ({ date: date ?? -1, index }))
        .sort((a, b) => b.date - a.date || a.index - b.index);
      expect(newest.all()).toEqual(sorted.slice(0, limit).map(({ index }) => index));
    }),
  );
});
