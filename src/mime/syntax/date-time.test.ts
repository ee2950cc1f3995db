import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDate, parseReceivedDate } from "./date-time.ts";

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString().slice(0, 19);

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const two = (value: number): string => String(value).padStart(2, "0");

describe("parseDate", () => {
  it.each([
    ["Tue, 1 Jul 2003 10:52:37 +0200", "2003-07-01T08:52:37"],
    ["1 Jul 2003 10:52 -0000", "2003-07-01T10:52:00"],
    ["1057049557", "2003-07-01T08:52:37"],
    ["1057049557123", "2003-07-01T08:52:37"],
    ["20030701105237", "2003-07-01T10:52:37"],
    ["２００３年７月１日 10:52:37", "2003-07-01T10:52:37"],
    ["Tue, 1 Jul 2003 10:52:37 +00200", "2003-07-01T08:52:37"],
    ["Tue, 1 Jul 2003 10:52:37 W. Europe Daylight Time", "2003-07-01T08:52:37"],
    ["Thu, 2 Jan 2003 10:52:37 Pacific Standard Time", "2003-01-02T18:52:37"],
    ["Tue, 1 Jul 2003 10:52:37 +0200 W. Europe Standard Time", "2003-07-01T08:52:37"],
    ["Tue, 1 Jul 2003 10:52:37 Europe/Berlin", "2003-07-01T08:52:37"],
    ["Thu, 2 Jan 2003 10:52:37 America/Argentina/Buenos_Aires", "2003-01-02T13:52:37"],
    ["2003-07-01 10:52:37 (Europe/Berlin)", "2003-07-01T08:52:37"],
    ["Tue, 1 Jul 2003 10:52:37 +0300 (Europe/Berlin)", "2003-07-01T07:52:37"],
    ["2003-07-01T10:52:37+03:00[Europe/Berlin]", "2003-07-01T07:52:37"],
    ["2003-07-01T10:52:37Z[Europe/Berlin]", "2003-07-01T10:52:37"],
    ["Tue, 1 Jul 2003 10:52:37 GMT Europe/Berlin", "2003-07-01T10:52:37"],
    ["Tue, 1 Jul 2003 10:52:37 Europe/Nowhere", "2003-07-01T10:52:37"],
    ["Mon, 14 May 2001 16:39:00 -0700 (PDT)", "2001-05-14T23:39:00"],
    ["21 Nov 97 09:55:06 GMT", "1997-11-21T09:55:06"],
    ["Tue, 1 Jul 03 10:52:37 EST", "2003-07-01T15:52:37"],
    ["Sat, 24 Dec 0001 22:26:44 -0800 (PST)", "2001-12-25T06:26:44"],
    ["Fri, 5 Jan 101 10:00:00 +0000", "2001-01-05T10:00:00"],
    ["Sat, 1 Jan 19100 10:00:00 +0000", "2000-01-01T10:00:00"],
    ["Mon Jun  3 10:00:00 19124", "2024-06-03T10:00:00"],
    ["3 Jun '24 10:00:00 +0000", "2024-06-03T10:00:00"],
    ["3 Jun 02024 10:00:00 +0000", "2024-06-03T10:00:00"],
    ["1 Jul 2003 10:52:37 CEST", "2003-07-01T08:52:37"],
    ["1 Jul 2003 10:52:37 --0700", "2003-07-01T17:52:37"],
    ["1 Jul 2003 10:52:37 -600", "2003-07-01T16:52:37"],
    ["1 Jul 2003 10:52:37 +02:00", "2003-07-01T08:52:37"],
    ["1 Jul 2003 10:52:37 GMT+2", "2003-07-01T08:52:37"],
    ["1 Jul 2003 10:52:37 +9999", "2003-07-01T10:52:37"],
    ["Di, 1 Jul 2003 10:52:37 0200", "2003-07-01T08:52:37"],
    ["7/13/2003 10:52:37 0200", "2003-07-13T08:52:37"],
    ["1 Jul 2003 10:52:37 XYZ", "2003-07-01T10:52:37"],
    ["1 Jul 2003 10:52:37 ZE2", "2003-07-01T08:52:37"],
    ["1 Jul 2003 10:52:37 ZW10", "2003-07-01T20:52:37"],
    ["30 Jun 2012 23:59:60 +0000", "2012-07-01T00:00:00"],
    ["30 Jun 2012 23:59:61 +0000", "2012-07-01T00:00:00"],
    ["1 Jul 2003 10:52:75 +0200", "2003-07-01T08:53:00"],
    ["1 Jul 2003 10.25.13 +0000", "2003-07-01T10:25:13"],
    ["1 Jul 2003 10:52:37 PM", "2003-07-01T22:52:37"],
    ["Tue Jul  1 10:52:37 2003", "2003-07-01T10:52:37"],
    ["Tue Jul  1 10:52:37 PDT 2003", "2003-07-01T17:52:37"],
    ["2003-07-01T10:52:37+02:00", "2003-07-01T08:52:37"],
    ["2003-07-01 10:52:37", "2003-07-01T10:52:37"],
    ["01-Jul-2003 10:52:37", "2003-07-01T10:52:37"],
    ["7/13/2003 10:52:37", "2003-07-13T10:52:37"],
    ["13/7/2003 10:52:37", "2003-07-13T10:52:37"],
    ["7/7/2003 10:52:37", "2003-07-07T10:52:37"],
    ["Tue, 7/8/2003 10:52:37", "2003-07-08T10:52:37"],
    ["mardi 08/07/2003 10:52:37", "2003-07-08T10:52:37"],
    ["1.7.2003 10:52:37", "2003-07-01T10:52:37"],
    ["Di, 1 Okt 2003 10:52:37 +0200", "2003-10-01T08:52:37"],
    ["1 Jul 2003", "2003-07-01T00:00:00"],
    ["Thu, 13 Feb 1969 23:32:54 -0330", "1969-02-14T03:02:54"],
    ["Tue, 04 Jun 0102 23:35:33 -0800", "2002-06-05T07:35:33"],
    ["mar. 15 août 2023 10:00:00 +0200", "2023-08-15T08:00:00"],
    ["mar. 15 =?utf-8?Q?ao=C3=BBt?= 2023 10:00:00", "2023-08-15T10:00:00"],
    ["mar ago 28 13:55:12 2007", "2007-08-28T13:55:12"],
    ["mar, 15 Aug 2023 10:00:00 +0200", "2023-08-15T08:00:00"],
    ["mar., 5 dic 2023 10:00:00 +0100", "2023-12-05T09:00:00"],
    ["mar, 15/08/2023 10:00:00", "2023-08-15T10:00:00"],
    ["mar. 14 mar. 2023 10:00:00", "2023-03-14T10:00:00"],
    ["Mar 15, 2023 10:00:00", "2023-03-15T10:00:00"],
    ["Tue Mar 14 10:00:00 2023", "2023-03-14T10:00:00"],
    ["wt, 15 sie 2023 10:00:00 +0200", "2023-08-15T08:00:00"],
    ["tiistai 15. elokuuta 2023 10:00:00", "2023-08-15T10:00:00"],
    ["Вт, 15 авг 2023 10:00:00", "2023-08-15T10:00:00"],
    ["15 Ağu 2023 Sal 10:00:00", "2023-08-15T10:00:00"],
    ["martes, 15 de agosto de 2023 3:05 p.m.", "2023-08-15T15:05:00"],
    ["martes, 15 de agosto de 2023 3:05 p. m.", "2023-08-15T15:05:00"],
    ["15 Aug 2023 12:05 a.m. +0000", "2023-08-15T00:05:00"],
    ["2023年8月15日 下午3:05", "2023-08-15T15:05:00"],
    ["Fri, 21 Nov 1997 09(comment):   55  :  06 -0600", "1997-11-21T15:55:06"],
    ["周二, 15 八月 2023 10:00:00 +0800", "2023-08-15T02:00:00"],
    ["火, 15 8月 2023 10:00:00 +0900", "2023-08-15T01:00:00"],
    ["2023년 8월 15일 화요일 오후 3:05", "2023-08-15T15:05:00"],
    ["Th 3, 15 Thg 8 2023 10:00:00 +0700", "2023-08-15T03:00:00"],
    ["Thứ 3, 15 tháng 8, 2023 10:00:00", "2023-08-15T10:00:00"],
    ["יום שלישי, 15 באוגוסט 2023 10:00:00 +0300", "2023-08-15T07:00:00"],
    ["יום ג׳, 15 אוג׳ 2023 10:00:00 +0300", "2023-08-15T07:00:00"],
    ["الثلاثاء، ١٥ أغسطس، ٢٠٢٣ 10:00:00 +0300", "2023-08-15T07:00:00"],
    ["อ., 15 ส.ค. 2566 10:00:00 +0700", "2023-08-15T03:00:00"],
    ["dt., 15 agost 2023 10:00:00 +0200", "2023-08-15T08:00:00"],
    ["uto, 15 kolovoza 2023 10:00:00 +0200", "2023-08-15T08:00:00"],
    ["uto, 15 kol 2023 10:00:00 +0200", "2023-08-15T08:00:00"],
    ["uto, 13. lip. 2023 10:00:00 +0200", "2023-06-13T08:00:00"],
    ["uto, 10. listopada 2023 10:00:00 +0200", "2023-10-10T08:00:00"],
    ["wto, 13 lip 2021 10:00:00 +0200", "2021-07-13T08:00:00"],
    ["A, 15 rugp. 2023 10:00:00 +0300", "2023-08-15T07:00:00"],
    ["1999/01/31", "1999-01-31T00:00:00"],
    ["1999-01-31", "1999-01-31T00:00:00"],
    ["31.01.1999", "1999-01-31T00:00:00"],
    ["19990131", "1999-01-31T00:00:00"],
    ["19990131T101500Z", "1999-01-31T10:15:00"],
  ])("reads %s", (field, expected) => {
    expect(iso(parseDate(Buffer.from(field).toString("latin1")))).toBe(expected);
  });

  it.each([
    "",
    "yesterday",
    "31 Feb 2003 10:00:00",
    "0 Jul 2003 10:00:00",
    "13 zzz 2021 09:55:06 +0200",
    "10:52:37",
    "Tue, 7 00 2026 19:14:51",
    "Jul 2003",
    "7/1/2003 10:52:37",
    "01-07-03 10:52:37",
    "mar. 15 abuztuak 2023 10:00:00",
    "192.168.10.1",
  ])("returns null for %j", (field) => {
    expect(parseDate(field)).toBeNull();
  });

  it("reads the date of a Received field after its last semicolon", () => {
    expect(iso(parseReceivedDate("from a (b; c) by d id 12; Mon, 10 Oct 2022 10:31:15 -0700 (PDT)"))).toBe(
      "2022-10-10T17:31:15",
    );
  });

  it("reads back every date as RFC 5322 writes it", () => {
    const second = fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(9999, 0, 1) / 1000 });
    fc.assert(
      fc.property(second, fc.integer({ min: -12 * 60, max: 14 * 60 }), (seconds, zone) => {
        const local = new Date(seconds * 1000 + zone * 60_000);
        const digits = (value: number): string => String(Math.abs(value)).padStart(2, "0");
        const offset = `${zone < 0 ? "-" : "+"}${digits(Math.trunc(zone / 60))}${digits(zone % 60)}`;
        expect(parseDate(local.toUTCString().replace("GMT", offset))).toBe(seconds * 1000);
      }),
    );
  });
});

describe("parseDate of the standard form", () => {
  it("reads every date of the form that nearly all mail has", () => {
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
        },
      ),
    );
  });
});

describe("parseDate of a day in figures that may be two", () => {
  it.each([
    ["7/1/2003 10:00", "2003-07-01T10:05:00Z", "2003-07-01T10:00:00Z"],
    ["7/1/2003 10:00", "2003-01-08T10:05:00Z", "2003-01-07T10:00:00Z"],
    ["7-1-2003", "2003-07-03T00:00:00Z", "2003-07-01T00:00:00Z"],
    ["7/1/2003 10:00", "2010-01-08T10:05:00Z", null],
    ["5/6/2003 10:00", "2003-05-20T10:00:00Z", null],
    ["Mon, 7/1/2003 10:00", "2003-07-01T10:05:00Z", "2003-07-01T10:00:00Z"],
  ])("%s received %s is %s", (field, near, expected) => {
    expect(parseDate(field)).toBeNull();
    expect(parseDate(field, Date.parse(near))).toBe(expected === null ? null : Date.parse(expected));
  });

  it("reads the hour of French", () => {
    expect(parseDate("jeu. 5 mai 2011 10h30")).toBe(Date.UTC(2011, 4, 5, 10, 30));
  });
});
