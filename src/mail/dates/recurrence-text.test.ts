import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeRule, monthDayParts } from "./recurrence-text.ts";

describe("describeRule", () => {
  it.each([
    ["FREQ=DAILY", "every day"],
    ["RRULE:FREQ=DAILY;INTERVAL=3;COUNT=5", "every 3 days, 5 times"],
    ["FREQ=WEEKLY;BYDAY=MO,FR;INTERVAL=2;COUNT=10", "every 2 weeks on Monday and Friday, 10 times"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;WKST=SU", "every weekday"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", "every 2 weeks on Monday, Tuesday, Wednesday, Thursday and Friday"],
    ["FREQ=MONTHLY;BYDAY=3TU;UNTIL=20021231T235959Z", "every month on the third Tuesday, until 2002-12-31"],
    ["FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"],
    ["FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2", "every month on the second Tuesday"],
    [
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "every month on the last Monday, Tuesday, Wednesday, Thursday or Friday",
    ],
    ["FREQ=MONTHLY;BYMONTHDAY=15", "every month on day 15"],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"],
    ["FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1", "every month on day 30, or the last day of a shorter month"],
    ["FREQ=MONTHLY;BYMONTHDAY=28,30;BYSETPOS=-1", "every month on day 28 and day 30"],
    ["FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4", "every year on day 4 of July"],
    ["FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every year on the fourth Thursday of November"],
    ["FREQ=YEARLY;BYMONTH=3,9", "every year in March and September"],
    ["freq=daily;byhour=9,17;count=1", "every day at 09:00 and 17:00, once"],
    ["FREQ=WEEKLY;UNTIL=2002-12-31;INTERVAL=0", "every week, until 2002-12-31"],
    ["FREQ=FORTNIGHTLY", "repeats"],
    ["", "repeats"],
  ])("describes %s as `%s`", (rule, text) => {
    expect(describeRule(rule)).toBe(text);
  });

  it("never throws and stays short", () => {
    fc.assert(fc.property(fc.string(), (rule) => describeRule(rule).length > 0));
    const huge = `FREQ=YEARLY;BYYEARDAY=${Array.from({ length: 10_000 }, (_, day) => day).join(",")}`;
    expect(describeRule(huge).length).toBeLessThan(1_000);
  });
});

it.each([
  [28, null, "BYMONTHDAY=28"],
  [29, null, "BYMONTHDAY=28,29;BYSETPOS=-1"],
  [30, null, "BYMONTHDAY=28,29,30;BYSETPOS=-1"],
  [31, null, "BYMONTHDAY=-1"],
  [29, 2, "BYMONTHDAY=-1"],
  [31, 6, "BYMONTHDAY=-1"],
  [31, 12, "BYMONTHDAY=31"],
])("writes day %i of month %j as %s", (day, month, parts) => {
  expect(monthDayParts(day, month).join(";")).toBe(parts);
});
