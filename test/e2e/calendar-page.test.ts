import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";
import { writeMbox } from "./fixture-mail.ts";

const scratch = scratchDirectory("calendar-page");

/** A mail with one event. */
function invitation(id: string, lines: readonly string[]): string {
  return [
    `Message-ID: <${id}@harbour.example>`,
    "Date: Mon, 06 May 2024 08:00:00 +0000",
    "From: Ada Quay <ada@harbour.example>",
    `Subject: ${id}`,
    "Content-Type: text/calendar; method=REQUEST; charset=utf-8",
    "",
    "BEGIN:VCALENDAR",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `UID:${id}`,
    ...lines,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\n");
}

describe("calendar.md", () => {
  it("shows the last day of all-day events, zone, series and description", () => {
    const mbox = join(scratch, "events.mbox");
    const output = join(scratch, "output");
    writeMbox(mbox, [
      invitation("fair", [
        "DTSTART;VALUE=DATE:20240510",
        "DTEND;VALUE=DATE:20240513",
        "SUMMARY:Boat fair",
        `DESCRIPTION:Stand 4\\nBring | flags ${"and ropes ".repeat(60)}end`,
      ]),
      invitation("round", [
        "DTSTART;TZID=Europe/Berlin:20240507T090000",
        "DTEND;TZID=Europe/Berlin:20240507T093000",
        "RRULE:FREQ=WEEKLY;BYDAY=TU",
        "SUMMARY:Berth round",
        "CLASS:PRIVATE",
        "CATEGORIES:Harbour",
        "X-MICROSOFT-CDO-BUSYSTATUS:OOF",
        "PRIORITY:1",
        "BEGIN:VALARM",
        "TRIGGER:-PT15M",
        "END:VALARM",
        "DESCRIPTION:Who moors where",
      ]),
    ]);
    const run = archivetool("-q", "extract", mbox, "-o", output);
    expect(run.exitCode, run.stderr).toBe(0);
    const rows = readFileSync(join(output, "calendar.md"), "utf8").split("\n");
    const cellsOf = (subject: string): readonly string[] =>
      rows
        .find((row) => row.includes(subject))!
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
    const fair = cellsOf("Boat fair");
    expect(fair.slice(1, 3)).toEqual(["2024-05-10", "2024-05-12"]);
    expect(fair.at(-2)).toMatch(/^Stand 4 Bring \\\| flags and ropes .{200,280} …$/);
    const round = cellsOf("Berth round");
    expect(round.slice(1, 3)).toEqual(["2024-05-07 07:00", "2024-05-07 07:30"]);
    const marks = "out of office, private, high importance, reminder 15 min before, Harbour";
    expect(round.slice(8, -1)).toEqual([expect.stringMatching(/week/i), "Europe/Berlin", marks, "", "Who moors where"]);
  });
});
