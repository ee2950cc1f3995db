import { MINUTE_MS } from "../mail/dates/instant.ts";
import { readLocalTime } from "./event-times.ts";
import { type Observance, offsetOf } from "./time-zones.ts";

/**
 * Summer time of one year in vCalendar 1.0, `TRUE;+02;20100328T020000;20101031T030000;CET;CEST`; none if it is
 * unreadable. @param standard minutes east of Greenwich by TZ
 */
export function readDaylight(value: string, standard: number): readonly Observance[] {
  const [isUsed = "", shift = "", begin = "", end = ""] = value.split(";", 4);
  const offset = offsetOf(shift);
  const first = readLocalTime(begin);
  const last = readLocalTime(end);
  if (!/^true$/i.test(isUsed.trim()) || offset === null || first === null || last === null) return [];
  return [
    { start: localOf(first, standard), offsetBefore: standard, offset, yearly: null },
    { start: localOf(last, offset), offsetBefore: offset, offset: standard, yearly: null },
  ];
}

function localOf({ local, isUtc }: { readonly local: number; readonly isUtc: boolean }, offset: number): number {
  return isUtc ? local + offset * MINUTE_MS : local;
}
