import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { extractInline, withArchive } from "./extraction.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-repeats-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Mail {
  readonly from: string;
  readonly to: string;
  readonly day: number;
  readonly subject: string;
  readonly text: string;
}

const REPORT = "The harbour is closed to barges above ninety metres until the dredger has left the northern quay.";
const MAILS: readonly Mail[] = [
  { from: "Ida Brook <ida@quay.example>", to: "jon@quay.example", day: 1, subject: "Closed", text: REPORT },
  // The same text by the same author: with other recipients and line breaks, with a quotation, and redrawn.
  {
    from: "ida@quay.example",
    to: "cy@quay.example",
    day: 1,
    subject: "Closed",
    text: REPORT.replace("above ", "above\n"),
  },
  {
    from: "Ida Brook <ida@quay.example>",
    to: "mara@quay.example",
    day: 9,
    subject: "Re: Closed",
    text: `${REPORT}\n\n> Is it open?`,
  },
  {
    from: "Ida Brook <ida@quay.example>",
    to: "jon@quay.example",
    day: 12,
    subject: "Closed",
    text: REPORT.replace("ninety", "eighty"),
  },
  // The same words by another author with another subject, and texts that only the subject explains.
  { from: "Cy Lund <cy@quay.example>", to: "jon@quay.example", day: 3, subject: "Notice", text: REPORT },
  {
    from: "Ida Brook <ida@quay.example>",
    to: "jon@quay.example",
    day: 4,
    subject: "Berths of May",
    text: "All barges.",
  },
  {
    from: "Ida Brook <ida@quay.example>",
    to: "jon@quay.example",
    day: 5,
    subject: "Berths of June",
    text: "All barges.",
  },
  { from: "Cy Lund <cy@quay.example>", to: "jon@quay.example", day: 6, subject: "Berths of May", text: "all barges" },
];

function writeMails(name: string, mails: readonly Mail[]): string {
  const directory = join(scratch, name);
  mkdirSync(directory);
  for (const [index, { from, to, day, subject, text }] of mails.entries()) {
    const date = `0${day}`.slice(-2);
    const head = `From: ${from}\nTo: ${to}\nDate: ${date} Jan 2003 12:00:00 +0000\nMessage-ID: <${name}-${index}@quay.example>`;
    writeFileSync(join(directory, `${index}.eml`), `${head}\nSubject: ${subject}\n\n${text}\n`);
  }
  return directory;
}

describe("messages with the same text", () => {
  it.each(["one run", "two runs", "copies kept"])("are one hit that lists the others, after %s", async (how) => {
    const name = how.replace(" ", "-");
    const output = join(scratch, `${name}-output`);
    if (how === "two runs") {
      await extractInline([writeMails(`${name}-1`, MAILS.slice(0, 2))], output);
      await extractInline([writeMails(`${name}-2`, MAILS.slice(2))], output, { incremental: true });
    } else await extractInline([writeMails(name, MAILS)], output, { keepCopies: how === "copies kept" });
    await withArchive(output, async (archive) => {
      const found = async (query: string) =>
        (await archive.search.search(query, 10)).hits.map(({ messageId, sameText }) => [messageId, ...sameText]);
      const hits = await found("barges");
      expect(hits.map(([first, ...others]) => [first, others.length]).sort()).toEqual([
        ["msg-000004", 0],
        ["msg-000005", 3],
        ["msg-000007", 0],
        ["msg-000008", 1],
      ]);
      expect(hits).toContainEqual(["msg-000005", "msg-000001", "msg-000002", "msg-000003"]);
      expect(await found("+harbour to:cy@quay.example")).toEqual([["msg-000002"]]);
      expect((await archive.search.search("barges", 3)).hits.length).toBe(3);
      expect((await archive.search.matching("barges")).length).toBe(MAILS.length);
    });
  });
});
