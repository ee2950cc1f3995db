import { describe, expect, it } from "vitest";
import { posixZone, RuleClock, readPosixZone, type YearlyMoment, type YearlyRule } from "./yearly-rule.ts";
import { ZoneClock } from "./zone-clock.ts";
import { zoneOfClock } from "./zone-of-rules.ts";

const moment = (month: number, day: number, hour: number, weekday = 0): YearlyMoment => ({
  year: 0,
  month,
  day,
  weekday,
  minuteOfDay: hour * 60,
});
const rule = (bias: number, daylightStart: YearlyMoment, standardStart: YearlyMoment): YearlyRule => ({
  standardBias: bias,
  daylightBias: bias - 60,
  daylightStart,
  standardStart,
});
const fixed = (bias: number): YearlyRule => ({
  standardBias: bias,
  daylightBias: bias,
  daylightStart: null,
  standardStart: null,
});
const BERLIN = rule(-60, moment(3, 5, 2), moment(10, 5, 3));
const DENVER = rule(420, moment(3, 2, 2), moment(11, 1, 2));
const OLD_DENVER = rule(420, moment(4, 1, 2), moment(10, 5, 2));
const SYDNEY = rule(-600, moment(10, 1, 2), moment(4, 1, 3));
/** Rules that no zone has. */
const ODD = rule(-210, moment(2, 3, 1, 3), moment(8, 5, 0, 5));

describe("the zone of a clock", () => {
  it.each([
    [BERLIN, 2018, "", "Europe/Berlin"],
    [BERLIN, 2018, "(UTC+01:00) Brüssel, Kopenhagen, Madrid, Paris", "Europe/Paris"],
    [DENVER, 2018, "", "America/Denver"],
    [OLD_DENVER, 2004, "", "America/Denver"],
    [SYDNEY, 2018, "", "Australia/Sydney"],
    [fixed(420), 2018, "", "Etc/GMT+7"],
    [fixed(-480), 2018, "Customized Time Zone", "Etc/GMT-8"],
    [fixed(-480), 2018, "(UTC+08:00) Perth", "Australia/Perth"],
    [fixed(0), 2018, "", "UTC"],
    [fixed(-345), 2018, "", "Asia/Katmandu"],
    [ODD, 2018, "", null],
  ])("is the IANA zone with the same rules: %#", (yearly, year, text, zone) => {
    const from = Date.UTC(year, 5, 5);
    const found = zoneOfClock(new RuleClock(yearly), { from, to: from + 366 * 86_400_000 }, text);
    // Runtimes differ in which of two names of one zone they know.
    expect(found === "Asia/Kathmandu" ? "Asia/Katmandu" : found).toBe(zone);
  });
});

describe("the zone of a clock for some weeks", () => {
  const from = Date.UTC(2018, 5, 5);
  const during = (yearly: YearlyRule) =>
    zoneOfClock(new RuleClock(yearly), { from, to: from + 21 * 86_400_000 }, "Customized Time Zone");

  it("is the zone with the same rules for a year, or else the offset of these weeks", () => {
    expect([during(BERLIN), during(DENVER), during(fixed(-480))]).toEqual([
      "Europe/Berlin",
      "America/Denver",
      "Etc/GMT-8",
    ]);
    expect(during(rule(-60, moment(4, 3, 2), moment(9, 2, 3)))).toBe("Etc/GMT-2");
  });
});

describe("rules in POSIX form", () => {
  it.each([
    [ODD, "<+0330>-3:30<+0430>-4:30,M2.3.3/1,M8.5.5/0"],
    [DENVER, "<-07>7<-06>6,M3.2.0/2,M11.1.0/2"],
    [fixed(-345), "<+0545>-5:45"],
  ])("are parsed as written: %#", (yearly, zone) => {
    expect(posixZone(yearly)).toBe(zone);
    expect(readPosixZone(zone)).toEqual(yearly);
  });

  it("do not match other names or a single year", () => {
    for (const name of ["Europe/Berlin", "UTC", "Etc/GMT+5", "", "<+01>"]) expect(readPosixZone(name)).toBeNull();
    expect(posixZone({ ...BERLIN, daylightStart: { ...moment(3, 25, 2), year: 2018 } })).toBeNull();
  });

  it("return the clock of the zone", () => {
    const clock = new RuleClock(readPosixZone("<+01>-1<+02>-2,M3.5.0/2,M10.5.0/3")!);
    const berlin = new ZoneClock("Europe/Berlin");
    const [from, to] = [Date.UTC(2018, 0), Date.UTC(2020, 0)];
    expect(clock.transitions(from, to)).toEqual(berlin.transitions(from, to));
    for (const { at } of clock.transitions(from, to)) {
      expect(clock.localAt(at)).toBe(berlin.localAt(at));
      expect(clock.instantOf(clock.localAt(at + 7_200_000))).toBe(at + 7_200_000);
    }
  });
});
