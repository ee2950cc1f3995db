import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withArchive } from "../property/extraction.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

const scratch = scratchDirectory("stray-dates");
const OUTPUT = join(scratch, "out");

function letter(subject: string, date: string | null, received: string | null): string {
  return [
    "From ann@mill.example Thu Jan  1 00:00:00 2004",
    ...(received === null ? [] : [`Received: from a.example by b.example; ${received}`]),
    ...(date === null ? [] : [`Date: ${date}`]),
    "From: Ann <ann@mill.example>",
    "To: bo@mill.example",
    `Subject: ${subject}`,
    "",
    `The ${subject} grain.`,
    "",
    "",
  ].join("\n");
}

/** Letters in separate files, whose store has no date for them. */
const ALONE = [letter("Far", "Fri, 01 Jan 9999 00:00:00 +0000", null), letter("Nothing", null, null)].map((text) =>
  text.slice(text.indexOf("\n") + 1),
);

/** 30 letters on consecutive days, and between them letters with wrong or missing dates. */
const MAIL = [
  letter("Delivered", "Fri, 01 Jan 9999 00:00:00 +0000", "Fri, 10 Jan 2003 12:00:00 +0000"),
  letter("Reset", "Tue, 01 Jan 1980 00:00:00 +0000", null),
  letter("Dateless", null, "Sat, 11 Jan 2003 12:00:00 +0000"),
  ...Array.from({ length: 30 }, (_, day) =>
    letter(`Day ${day + 1}`, new Date(Date.UTC(2003, 0, day + 1)).toUTCString(), null),
  ),
];

describe("mail with implausible dates", () => {
  it("is listed last, marked in the wiki, counted in a warning, and in no range, in every output", async () => {
    const mbox = join(scratch, "mail.mbox");
    writeFileSync(mbox, MAIL.join(""));
    const alone = ALONE.map((text, at) => {
      const path = join(scratch, `${at}.eml`);
      writeFileSync(path, text);
      return path;
    });
    expect(archivetool("extract", mbox, ...alone, "-o", OUTPUT, "--json").exitCode).toBe(0);
    const { warnings } = JSON.parse(readFileSync(join(OUTPUT, "provenance.json"), "utf8"));
    expect(warnings).toMatchObject([
      { code: "date-doubted", message: expect.stringMatching(/^2 messages with an implausible date/) },
    ]);

    const headings = readFileSync(join(OUTPUT, "emails/all.md"), "utf8").match(/^## .*$/gm)!;
    expect(headings[0]).toBe("## 2003-01-30 00:00 · Day 30");
    expect(headings.slice(18, 22)).toEqual([
      "## 2003-01-12 00:00 · Day 12",
      "## 2003-01-11 12:00 (received) · Dateless",
      "## 2003-01-11 00:00 · Day 11",
      "## 9999-01-01 00:00 (implausible date, received 2003-01-10 12:00) · Delivered",
    ]);
    expect(headings.slice(-3)).toEqual([
      "## 1980-01-01 00:00 · Reset",
      "## 9999-01-01 00:00 (implausible date) · Far",
      "## undated · Nothing",
    ]);

    const range = { earliest: "1980-01-01T00:00:00Z", latest: "2003-01-30T00:00:00Z" };
    expect(JSON.parse(archivetool("stats", OUTPUT, "--json").stdout).date_range).toEqual(range);
    expect(archivetool("stats", OUTPUT).stdout).toContain(`${range.earliest} to ${range.latest}`);
    const document = JSON.parse(readFileSync(join(OUTPUT, "extraction.json"), "utf8"));
    expect(document.statistics.date_range).toEqual(range);
    expect(document.messages[0].sent_at).toBe("9999-01-01T00:00:00Z");
    expect(archivetool("validate", join(OUTPUT, "extraction.json")).exitCode).toBe(0);

    await withArchive(OUTPUT, async (archive) => {
      const newest = await archive.messages.list("sent_at", { limit: 100, offset: 0 });
      expect(newest.items.map(({ subject }) => subject)[0]).toBe("Day 30");
      expect(newest.items.slice(-3).map(({ subject, sentAt }) => [subject, sentAt])).toEqual([
        ["Reset", Date.UTC(1980, 0, 1)],
        ["Far", Date.UTC(9999, 0, 1)],
        ["Nothing", null],
      ]);
      const [ann] = (await archive.contacts.list("last_seen", { limit: 1, offset: 0 })).items;
      expect([ann?.firstSeen, ann?.lastSeen]).toEqual([Date.UTC(1980, 0, 1), Date.UTC(2003, 0, 30)]);
      const { hits: found } = await archive.search.search("grain", 100, { after: Date.UTC(2003, 0, 31) });
      expect(found).toEqual([]);
      const { hits: old } = await archive.search.search("grain", 100, { before: Date.UTC(1981, 0, 1) });
      expect(old).toHaveLength(1);
      expect((await archive.threads.list({ limit: 1, offset: 0 })).items[0]?.subject).toBe("Day 30");
    });
  });
});
