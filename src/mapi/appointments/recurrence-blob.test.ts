import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recurrenceBlob, type SeriesPattern } from "../../../test/pst-writer/appointment-blobs.ts";
import { readRecurrence } from "./recurrence-blob.ts";

const START = Date.UTC(2024, 0, 9);
const TIMES = { start: START, startMinute: 540, endMinute: 600 };
const latin1 = (bytes: Buffer): string => bytes.toString("latin1");

function ruleOf(pattern: Omit<SeriesPattern, "start" | "startMinute" | "endMinute">): string {
  return readRecurrence(recurrenceBlob({ ...TIMES, ...pattern }), latin1)!.rule.join(";");
}

describe("readRecurrence", () => {
  it.each([
    ["FREQ=DAILY", { frequency: "daily", type: 0, period: 1440 }],
    ["FREQ=DAILY;INTERVAL=3;COUNT=4", { frequency: "daily", type: 0, period: 4320, end: { count: 4 } }],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;WKST=SU", { frequency: "daily", type: 1, period: 1, specific: [0x3e] }],
    [
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
      { frequency: "weekly", type: 1, period: 2, specific: [0x14], firstWeekday: 1 },
    ],
    ["FREQ=MONTHLY;BYMONTHDAY=15", { frequency: "monthly", type: 2, period: 1, specific: [15] }],
    ["FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1", { frequency: "monthly", type: 2, period: 2, specific: [31] }],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", { frequency: "monthly", type: 4, period: 1, specific: [31] }],
    ["FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1", { frequency: "monthly", type: 2, period: 1, specific: [30] }],
    ["FREQ=MONTHLY", { frequency: "monthly", type: 2, period: 1, specific: [0] }],
    ["FREQ=MONTHLY;BYDAY=2TU", { frequency: "monthly", type: 3, period: 1, specific: [0x04, 2] }],
    ["FREQ=MONTHLY;BYDAY=-1FR", { frequency: "monthly", type: 3, period: 1, specific: [0x20, 5] }],
    [
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      { frequency: "monthly", type: 3, period: 1, specific: [0x3e, 5] },
    ],
    ["FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=31", { frequency: "yearly", type: 2, period: 12, specific: [31] }],
    ["FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=3MO", { frequency: "yearly", type: 3, period: 24, specific: [0x02, 3] }],
    ["RSCALE=HIJRI;FREQ=MONTHLY;BYMONTHDAY=10", { frequency: "monthly", type: 10, period: 1, specific: [10] }],
  ] as const)("%s", (rule, pattern) => {
    expect(ruleOf(pattern)).toBe(rule);
  });

  it("returns the end, deleted and changed occurrences in local time", () => {
    const blob = recurrenceBlob({
      ...TIMES,
      frequency: "weekly",
      type: 1,
      period: 1,
      specific: [0x04],
      end: { until: Date.UTC(2024, 2, 5) },
      deleted: [Date.UTC(2024, 0, 16)],
      exceptions: [
        {
          original: Date.UTC(2024, 0, 23, 9),
          start: Date.UTC(2024, 0, 24, 11),
          end: Date.UTC(2024, 0, 24, 12),
          subject: "Größer",
          location: "東京",
          busyStatus: 3,
          reminderMinutes: 30,
          hasReminder: false,
        },
        { original: Date.UTC(2024, 0, 30, 9), start: Date.UTC(2024, 0, 30, 10), end: Date.UTC(2024, 0, 30, 11) },
      ],
    });
    expect(readRecurrence(blob, latin1)).toEqual({
      rule: ["FREQ=WEEKLY", "BYDAY=TU", "WKST=SU"],
      startLocal: Date.UTC(2024, 0, 9, 9),
      untilLocal: Date.UTC(2024, 2, 5, 9),
      lastLocal: Date.UTC(2024, 2, 5, 9),
      deletedLocal: [Date.UTC(2024, 0, 16, 9)],
      exceptions: [
        {
          originalLocal: Date.UTC(2024, 0, 23, 9),
          startLocal: Date.UTC(2024, 0, 24, 11),
          endLocal: Date.UTC(2024, 0, 24, 12),
          subject: "Größer",
          location: "東京",
          busyStatus: 3,
          reminderMinutes: 30,
          hasReminder: false,
          isAllDay: null,
        },
        {
          originalLocal: Date.UTC(2024, 0, 30, 9),
          startLocal: Date.UTC(2024, 0, 30, 10),
          endLocal: Date.UTC(2024, 0, 30, 11),
          subject: null,
          location: null,
          busyStatus: null,
          reminderMinutes: null,
          hasReminder: null,
          isAllDay: null,
        },
      ],
    });
  });

  it("computes the end of a series with only a count", () => {
    const start = Date.UTC(2005, 5, 7);
    const pattern = { frequency: "weekly", type: 1, period: 2, specific: [0x24], end: { count: 6 } } as const;
    const blob = readRecurrence(recurrenceBlob({ ...pattern, start, startMinute: 0, endMinute: 60 }), () => "");
    expect(blob?.lastLocal).toBe(Date.UTC(2005, 6, 19));
  });

  it("keeps the rule of a series whose dates are damaged", () => {
    const pattern = { frequency: "weekly", type: 1, period: 2, specific: [4], firstWeekday: 1 } as const;
    const blob = recurrenceBlob({ ...TIMES, ...pattern, end: { until: START }, deleted: [START] });
    blob.writeUInt32LE(0xffff_ffff, 38);
    expect(readRecurrence(blob, latin1)).toEqual({
      rule: ["FREQ=WEEKLY", "INTERVAL=2", "BYDAY=TU", "COUNT=10"],
      startLocal: null,
      untilLocal: null,
      lastLocal: null,
      deletedLocal: [],
      exceptions: [],
    });
    const yearly = { frequency: "yearly", type: 2, period: 12, specific: [9] } as const;
    expect(readRecurrence(recurrenceBlob({ ...TIMES, ...yearly }).subarray(0, 40), latin1)).toBeNull();
  });

  it("returns the part before a truncation, and never throws", () => {
    const blob = recurrenceBlob({
      ...TIMES,
      frequency: "daily",
      type: 0,
      period: 1440,
      exceptions: [{ original: START, start: START, end: START, subject: "x" }],
    });
    for (let end = 0; end < blob.length; end++) {
      const read = readRecurrence(blob.subarray(0, end), latin1);
      if (read !== null) expect(read.rule).toEqual(["FREQ=DAILY"]);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(blob.length - 1), (noise, at) => {
        const damaged = Buffer.concat([blob.subarray(0, at), Buffer.from(noise)]);
        readRecurrence(damaged, latin1);
      }),
    );
  });
});
