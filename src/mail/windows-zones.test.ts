import { describe, expect, it } from "vitest";
import { ianaZone } from "./windows-zones.ts";

describe("ianaZone", () => {
  it.each([
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["Eastern Standard Time", "America/New_York"],
    ["central standard time", "America/Chicago"],
    [" Tokyo Standard Time ", "Asia/Tokyo"],
    ["UTC", "Etc/UTC"],
    ["UTC+13", "Etc/GMT-13"],
  ])("maps %s to %s", (windowsName, zone) => {
    expect(ianaZone(windowsName)).toBe(zone);
  });

  it.each(["", "Europe/Berlin", "Middle Earth Standard Time", "constructor", "__proto__"])("does not know `%s`", (name) => {
    expect(ianaZone(name)).toBeNull();
  });

  it("names zones that the runtime can compute with", () => {
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
});
