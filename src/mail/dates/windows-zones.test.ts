import { describe, expect, it } from "vitest";
import { ianaZone, WINDOWS_ZONES } from "./windows-zones.ts";

describe("ianaZone", () => {
  it.each([
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["Eastern Standard Time", "America/New_York"],
    ["central standard time", "America/Chicago"],
    ["Eastern Daylight Time", "America/New_York"],
    ["W. Europe Summer Time", "Europe/Berlin"],
    [" Tokyo Standard Time ", "Asia/Tokyo"],
    ["UTC", "Etc/UTC"],
    ["UTC+13", "Etc/GMT-13"],
    ["(GMT-06:00) Central Time (US & Canada)", "America/Chicago"],
    ["(GMT-06.00) Central Time (US & Canada)", "America/Chicago"],
    ["(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Berlin"],
    ["(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London", "Europe/London"],
    ["(GMT-08:00) Pacific Time (US & Canada); Tijuana", "America/Los_Angeles"],
    ["(UTC) Coordinated Universal Time", "Etc/UTC"],
    ["(GMT+01.00) Sarajevo/Warsaw/Zagreb", "Europe/Warsaw"],
    ["(GMT-08.00) Pacific Time (US and Canada); Tijuana", "America/Los_Angeles"],
    ["(GMT+01.00) Paris/Madrid/Brussels/Copenhagen", "Europe/Paris"],
    ["(GMT+09:00) Tokyo, Osaka, Sapporo, Seoul, Yakutsk", "Asia/Tokyo"],
    ["(UTC+04:00) Astrakhan, Ulyanovsk", "Europe/Astrakhan"],
    ["(UTC-02:00) Coordinated Universal Time-02", "Etc/GMT+2"],
    ["(UTC+03:00) Minsk", "Europe/Minsk"],
    ["Kamchatka Standard Time", "Asia/Kamchatka"],
  ])("maps %s to %s", (windowsName, zone) => {
    expect(ianaZone(windowsName)).toBe(zone);
  });

  it.each(["", "Europe/Berlin", "Middle Earth Standard Time", "constructor", "__proto__"])(
    "returns null for `%s`",
    (name) => {
      expect(ianaZone(name)).toBeNull();
    },
  );

  it("returns zones that the runtime supports", () => {
    for (const name of [
      "AUS Central Standard Time",
      "Greenwich Standard Time",
      "Nepal Standard Time",
      "Samoa Standard Time",
      "Yukon Standard Time",
    ]) {
      const zone = ianaZone(name);
      expect(zone).not.toBeNull();
      expect(() => new Intl.DateTimeFormat("en", { timeZone: zone ?? "" })).not.toThrow();
    }
  });

  it("has a zone for every display, and each display once", () => {
    const rows = Object.entries(WINDOWS_ZONES).map(([name, row]) => ({ name, displays: row.split("|").slice(1) }));
    const displays = rows.flatMap((row) => row.displays);
    expect(displays.filter((display) => ianaZone(`(GMT+00:00) ${display}`) === null)).toEqual([]);
    expect(displays.filter((display, index) => displays.indexOf(display) !== index)).toEqual([]);
    const astray = rows.flatMap((row) => row.displays.filter((display) => ianaZone(display) !== ianaZone(row.name)));
    expect(astray).toEqual([]);
  });
});
