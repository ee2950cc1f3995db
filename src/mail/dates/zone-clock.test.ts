import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "./instant.ts";
import { ZoneClock } from "./zone-clock.ts";

describe("ZoneClock", () => {
  const berlin = new ZoneClock("Europe/Berlin");

  it("shows winter and summer time of a zone", () => {
    expect([Date.UTC(2021, 0, 1), Date.UTC(2021, 6, 1)].map((instant) => berlin.offsetAt(instant))).toEqual([60, 120]);
    expect(berlin.localAt(Date.UTC(2021, 6, 1, 23))).toBe(Date.UTC(2021, 6, 2, 1));
  });

  it("converts local times to instants, back and forth over clock changes", () => {
    for (let hour = 0; hour < 24 * 365; hour += 7) {
      const instant = Date.UTC(2021, 0, 1, hour);
      const local = berlin.localAt(instant);
      expect(berlin.localAt(berlin.instantOf(local))).toBe(local);
      // The last hour before winter time has the same local times as the first one of it.
      if (instant !== Date.UTC(2021, 9, 31, 1)) expect(berlin.instantOf(local)).toBe(instant);
    }
  });

  it.each([
    ["Europe/Berlin", "2024-10-27T02:30", "2024-10-27T00:30"],
    ["Europe/Berlin", "2024-03-31T02:30", "2024-03-31T01:30"],
    ["Europe/Berlin", "2024-03-31T03:00", "2024-03-31T01:00"],
    ["America/New_York", "2024-11-03T01:30", "2024-11-03T05:30"],
    ["America/New_York", "2024-03-10T02:30", "2024-03-10T07:30"],
    ["America/New_York", "2024-03-10T01:59", "2024-03-10T06:59"],
    ["Australia/Lord_Howe", "2024-04-07T01:45", "2024-04-06T14:45"],
    ["Pacific/Kiritimati", "2024-01-01T00:00", "2023-12-31T10:00"],
  ])("in %s reads %s, in a repeated or skipped hour too", (zone, local, instant) => {
    const found = new ZoneClock(zone).instantOf(Date.parse(`${local}Z`));
    expect(new Date(found).toISOString().slice(0, 16)).toBe(instant);
  });

  it("finds its changes to the minute", () => {
    expect(berlin.transitions(Date.UTC(2021, 0, 1), Date.UTC(2022, 0, 1))).toEqual([
      { at: Date.UTC(2021, 2, 28, 1), offsetBefore: 60, offset: 120 },
      { at: Date.UTC(2021, 9, 31, 1), offsetBefore: 120, offset: 60 },
    ]);
    expect(new ZoneClock("Asia/Tokyo").transitions(Date.UTC(2021, 0, 1), Date.UTC(2022, 0, 1))).toEqual([]);
  });

  it("reads years before our era and clocks that differed by seconds", () => {
    expect(berlin.localAt(Date.UTC(-10, 0, 1))).toBeLessThan(Date.UTC(0));
    expect(berlin.offsetAt(Date.UTC(1850, 0, 1))).toBe(Math.round((53 * 60 + 28) / 60));
    expect(berlin.instantOf(Date.UTC(2021, 0, 1)) % MINUTE_MS).toBe(0);
  });

  it("throws for an unknown zone", () => {
    expect(() => new ZoneClock("Middle/Earth")).toThrow(RangeError);
  });
});
