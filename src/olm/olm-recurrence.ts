import { formatInstant } from "../mail/dates/instant.ts";
import { describeRule, monthDayParts } from "../mail/dates/recurrence-text.ts";
import type { Recurrence } from "../mail/records/calendar-event.ts";
import { instantOf, isSet, numberOf } from "./olm-values.ts";
import { childOf, fieldOf, type XmlElement } from "./xml-element.ts";

/** Days of RFC 5545 by the elements that name them. */
const DAYS: Readonly<Record<string, readonly string[]>> = {
  monday: ["MO"],
  tuesday: ["TU"],
  wednesday: ["WE"],
  thursday: ["TH"],
  friday: ["FR"],
  saturday: ["SA"],
  sunday: ["SU"],
  weekdays: ["MO", "TU", "WE", "TH", "FR"],
  weekenddays: ["SA", "SU"],
  allDays: ["MO", "TU", "WE", "TH", "FR", "SA", "SU"],
};
const WEEK = DAYS["allDays"]!;
const LAST_WEEK = 5;

/** Parts of a rule by pattern type. */
const RULES: Readonly<Record<string, readonly [frequency: string, ...parts: readonly RulePart[]]>> = {
  Daily: ["DAILY"],
  Weekly: ["WEEKLY", "days"],
  AbsoluteMonthly: ["MONTHLY", "dayOfMonth"],
  RelativeMonthly: ["MONTHLY", "days", "week"],
  AbsoluteYearly: ["YEARLY", "month", "dayInYear"],
  RelativeYearly: ["YEARLY", "month", "days", "week"],
};
type RulePart = "days" | "dayOfMonth" | "dayInYear" | "week" | "month";

const PARTS: Readonly<Record<RulePart, (pattern: XmlElement) => string | null>> = {
  days: (pattern) => {
    const set = childOf(pattern, "OPFRecurrencePatternDaysOfWeek");
    const named = new Set(
      set === null ? [] : Object.keys(DAYS).flatMap((name) => (isSet(set, name) ? DAYS[name]! : [])),
    );
    return named.size === 0 ? null : `BYDAY=${WEEK.filter((day) => named.has(day)).join(",")}`;
  },
  dayOfMonth: (pattern) => dayOf(pattern, null),
  dayInYear: (pattern) => dayOf(pattern, numberOf(pattern, "OPFRecurrencePatternMonth")),
  week: (pattern) =>
    within(
      numberOf(pattern, "OPFRecurrencePatternWeek"),
      LAST_WEEK,
      (week) => `BYSETPOS=${week === LAST_WEEK ? -1 : week}`,
    ),
  month: (pattern) => within(numberOf(pattern, "OPFRecurrencePatternMonth"), 12, (month) => `BYMONTH=${month}`),
};

function dayOf(pattern: XmlElement, month: number | null): string | null {
  return within(numberOf(pattern, "OPFRecurrencePatternDayOfMonth"), 31, (day) => monthDayParts(day, month).join(";"));
}

function within(value: number | null, most: number, write: (value: number) => string): string | null {
  return value !== null && Number.isInteger(value) && value >= 1 && value <= most ? write(value) : null;
}

/**
 * Recurrence rule of an item; null if it does not recur or the rule is unknown. @param isDate true if it ends on a
 * day without a time
 */
export function recurrenceOf(recurrence: XmlElement | null, isDate: boolean): Recurrence | null {
  const pattern = recurrence === null ? null : childOf(recurrence, "OPFRecurrencePattern");
  if (recurrence === null || pattern === null) return null;
  const type = fieldOf(pattern, "OPFRecurrencePatternType").replace("OPFRecurrencePattern", "");
  if (!Object.hasOwn(RULES, type)) return null;
  const [frequency, ...parts] = RULES[type]!;
  const interval = within(numberOf(pattern, "OPFRecurrencePatternInterval"), 9_999, (number) => `INTERVAL=${number}`);
  const rrule = [
    `FREQ=${frequency}`,
    interval === "INTERVAL=1" ? null : interval,
    ...parts.map((part) => PARTS[part](pattern)),
    endOf(recurrence, isDate),
  ]
    .filter((part) => part !== null)
    .join(";");
  return { rrule, exdates: [], text: describeRule(rrule) };
}

function endOf(recurrence: XmlElement, isDate: boolean): string | null {
  if (isSet(recurrence, "OPFRecurrenceIsNumbered"))
    return within(numberOf(recurrence, "OPFRecurrenceGetOccurenceCount"), 1_000_000, (count) => `COUNT=${count}`);
  const until = isSet(recurrence, "OPFRecurrenceHasEndDate") ? instantOf(recurrence, "OPFRecurrenceCopyEndDate") : null;
  if (until === null) return null;
  const written = formatInstant(until).replace(/[-:]/g, "");
  return `UNTIL=${isDate ? written.slice(0, 8) : written}`;
}
