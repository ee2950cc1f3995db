import { describe, expect, it } from "vitest";
import { emlxDate, maildirDate, separatorDate } from "./stored-dates.ts";

const NEW_YEAR = Date.UTC(2004, 0, 1, 10, 30);

describe("the date of a message in its store", () => {
  it.each([
    ["From ann@mill.example Thu Jan  1 10:30:00 2004", NEW_YEAR],
    ["From - Thu Jan 01 10:30:00 2004\r\n", NEW_YEAR],
    ["From Thu Jan  1 10:30:00 2004", NEW_YEAR],
    ["From ann at mill.example  Thu Jan  1 10:30:00 2004", NEW_YEAR],
    ["From 1786@xxx Thu Jan 01 10:30:00 +0000 2004", NEW_YEAR],
    ["From ann@mill.example Thu Jan  1 12:30:00 2004 +0200", NEW_YEAR],
    ["From ann@mill.example", null],
    ["From ", null],
    ["", null],
  ])("is in the separator line: %s", (line, date) => {
    expect(separatorDate(line)).toBe(date);
  });

  it("is read from a Maildir file name", () => {
    expect(maildirDate("1072953000.M20P5.quay:2,S")).toBe(NEW_YEAR);
    expect(maildirDate("1072953000_0.123.quay,U=5,FMD5=ab:2,S")).toBe(NEW_YEAR);
    expect(["letter.eml", "12", "123456789012.x", ""].map(maildirDate)).toEqual([null, null, null, null]);
  });

  it("is in the property list of an .emlx file", () => {
    expect(emlxDate("<dict>\n\t<key>date-received</key>\n\t<integer>1072953000</integer>")).toBe(NEW_YEAR);
    expect(emlxDate("<key>date-received</key><real>1072953000.25</real>")).toBe(NEW_YEAR);
    expect(emlxDate("<key>date-sent</key><integer>1072953000</integer>")).toBeNull();
  });
});
