import fc from "fast-check";
import { expect, it } from "vitest";
import { EARLIEST_INSTANT, LATEST_INSTANT } from "../mail/dates/instant.ts";
import type { Topic } from "../mail/records/topic.ts";
import { TOPIC } from "./extraction-records.ts";
import { publishedDate, publishedScore, requiredDate } from "./published-values.ts";
import { dateSchema } from "./wire-values.ts";

it("writes scores with six significant digits, always finite", () => {
  expect([0.123456789, 1234567.8, 0, Number.NaN, Number.POSITIVE_INFINITY].map(publishedScore)).toEqual([
    0.123457, 1234570, 0, 0, 0,
  ]);
});

it("clamps required dates to the valid range, and keeps others", () => {
  expect(requiredDate(LATEST_INSTANT + 1)).toBe("9999-12-31T23:59:59Z");
  expect(requiredDate(EARLIEST_INSTANT - 1)).toBe("0001-01-01T00:00:00Z");
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (instant) => {
      const date = requiredDate(instant);
      expect(dateSchema.safeParse(date).success).toBe(true);
      expect(publishedDate(instant) ?? date).toBe(date);
    }),
  );
});

it("never uses 1970 for a topic without a date", () => {
  const topic = {
    id: "topic-001",
    name: "",
    description: "",
    messageCount: 0,
    topKeywords: [],
    createdAt: LATEST_INSTANT + 1,
  } as const;
  expect(TOPIC.write(topic as unknown as Topic).created_at).toBe("9999-12-31T23:59:59Z");
});
