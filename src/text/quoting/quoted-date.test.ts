import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quotedMinutes } from "./quoted-date.ts";

const MINUTE_MS = 60_000;
const MAY_14 = Date.UTC(2001, 4, 14, 16, 39) / MINUTE_MS;

describe("the date in the header of a quoted mail", () => {
  it.each([
    "Monday, May 14, 2001 4:39 PM",
    "Mon, 14 May 2001 16:39:07 -0500",
    "14. Mai 2001 16:39",
    "Montag, 14. Mai 2001 16:39",
    "lundi 14 mai 2001 16:39",
    "le mar. 14 mai 2001 à 16h39",
    "lunes, 14 de mayo de 2001 04:39 p.m.",
    "maandag 14 mei 2001 16:39",
    "poniedziałek, 14 maja 2001 16:39",
    "14 мая 2001 г. 16:39",
    "2001-05-14 16:39",
    "2001年5月14日 16:39",
    "2001년 5월 14일 오후 4:39",
    "2001年5月14日 下午 04:39",
    "14-May-01 16:39",
    "14.05.2001 16:39",
    "14.5.2001 kl. 16.39",
    "05/14/2001 04:39:22 PM",
  ])("%s", (text) => expect(quotedMinutes(text)).toEqual([MAY_14]));

  it("has two readings if day and month are ambiguous", () => {
    const readings = [Date.UTC(2001, 3, 5, 10, 33), Date.UTC(2001, 4, 4, 10, 33)].map((instant) => instant / MINUTE_MS);
    expect(quotedMinutes("04/05/2001 10:33")).toEqual([readings[0], Date.UTC(2001, 4, 4, 10, 33) / MINUTE_MS]);
    expect(quotedMinutes("04/04/01 10:33")).toHaveLength(1);
  });

  it.each([
    "",
    "yesterday",
    "May 14, 2001",
    "14:39",
    "31 February 2001 10:00",
    "14 May 2001 25:00",
    "99/99/2001 10:00",
  ])("rejects %s", (text) => expect(quotedMinutes(text)).toEqual([]));

  it("accepts any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => void quotedMinutes(text)));
    expect(quotedMinutes("1".repeat(1_000_000))).toEqual([]);
  });
});
