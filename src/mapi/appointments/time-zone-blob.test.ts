import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeZoneDefinition, timeZoneStruct } from "../../../test/pst-writer/appointment-blobs.ts";
import {
  ianaName,
  instantOfLocal,
  localOfInstant,
  readTimeZoneDefinition,
  readTimeZoneStruct,
} from "./time-zone-blob.ts";

const BERLIN = {
  bias: -60,
  standard: { month: 10, day: 5, weekday: 0, hour: 3 },
  daylight: { month: 3, day: 5, weekday: 0, hour: 2 },
};
const SYDNEY = {
  bias: -600,
  standard: { month: 4, day: 1, weekday: 0, hour: 3 },
  daylight: { month: 10, day: 1, weekday: 0, hour: 2 },
};

/** The time zone database of the runtime is the oracle. */
function localBy(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const fields = Object.fromEntries(parts.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(fields["year"]!, fields["month"]! - 1, fields["day"]!, fields["hour"]!, fields["minute"]!);
}

describe("time zones of appointments", () => {
  it.each([
    ["Europe/Berlin", BERLIN],
    ["Australia/Sydney", SYDNEY],
  ])("agree with %s", (name, rule) => {
    const zone = readTimeZoneStruct(timeZoneStruct(rule))!;
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2009, 0), max: Date.UTC(2030, 0) }), (time) => {
        const instant = Math.floor(time / 60_000) * 60_000;
        const local = localBy(name, instant);
        expect(localOfInstant(zone, instant)).toBe(local);
        // One hour a year occurs twice; both instants are correct.
        expect(localBy(name, instantOfLocal(zone, local))).toBe(local);
      }),
      { numRuns: 1000 },
    );
  });

  it("change at the hour, not an hour before", () => {
    const zone = readTimeZoneStruct(timeZoneStruct(BERLIN))!;
    const hour = 3_600_000;
    for (const change of [Date.UTC(2025, 2, 30, 1), Date.UTC(2025, 9, 26, 1)]) {
      for (const instant of [change - hour, change - 60_000, change, change + hour]) {
        expect(localOfInstant(zone, instant)).toBe(localBy("Europe/Berlin", instant));
      }
    }
  });

  it("use the rule of the year", () => {
    const zone = readTimeZoneDefinition(
      timeZoneDefinition("Moscow Test", [
        { year: 2000, bias: -240 },
        { year: 2014, bias: -180 },
      ]),
    )!;
    expect(zone.windowsName).toBe("Moscow Test");
    expect(instantOfLocal(zone, Date.UTC(2013, 5, 1, 12))).toBe(Date.UTC(2013, 5, 1, 8));
    expect(instantOfLocal(zone, Date.UTC(2015, 5, 1, 12))).toBe(Date.UTC(2015, 5, 1, 9));
  });

  it("map the Windows name to an IANA name", () => {
    const zone = readTimeZoneDefinition(timeZoneDefinition("W. Europe Standard Time", [{ year: 2000, bias: -60 }]));
    expect(ianaName(zone, null)).toBe("Europe/Berlin");
    expect(ianaName({ windowsName: "Europe/Zurich", rules: [] }, null)).toBe("Europe/Zurich");
    expect(ianaName({ windowsName: "Europe/Atlantis", rules: [] }, null)).toBeNull();
    expect(ianaName(null, "no such zone")).toBeNull();
  });

  it("are null if truncated", () => {
    const struct = timeZoneStruct(BERLIN);
    const definition = timeZoneDefinition("X", [{ year: 2000, bias: 0 }]);
    for (let end = 0; end < struct.length; end++) expect(readTimeZoneStruct(struct.subarray(0, end))).toBeNull();
    for (let end = 0; end < definition.length; end++)
      expect(readTimeZoneDefinition(definition.subarray(0, end))).toBeNull();
  });
});
