import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { MessageId } from "../../src/mail/records/ids.ts";
import { CSV_ROWS, DOCUMENT_LINES, earlierRecords } from "../../src/outputs/earlier-records.ts";
import { bodiesOf } from "../../src/outputs/wiki/earlier-bodies.ts";
import { writeOutputs } from "../../src/outputs/write-outputs.ts";
import { ALL_FORMATS } from "../extraction-request.ts";
import { propertyRuns } from "../property-runs.ts";
import { extractInline, withArchive } from "./extraction.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-kept-outputs-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Text that resembles the separators between messages in the files. */
const LINES = [
  "grain and wheel",
  "## 2003-01-01 · wheel",
  "- **Thread** x · **Mailbox** 0 · `msg-000002`",
  "```",
  "````text",
  "",
  'a "quoted, word"\r',
  '","id":"msg-000003","x":"',
  "msg-000002,x",
  "münze — €",
  "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-## a\n+```\n ## b\n",
  "Name      Amount      Place\nAnn          12       Mill\n## Bo        13       Quay\n```          14       Quay\n",
  "> one\n> two\n> three\n> four\n> five\n> six\n> seven\n> ```\n",
];

interface Letter {
  readonly id: number;
  readonly parent: number | null;
  /** Default 2003. */
  readonly year?: number;
  readonly subject: string;
  readonly from: string;
  readonly lines: readonly string[];
}

const letter = fc.record<Letter>({
  id: fc.integer({ min: 1, max: 14 }),
  parent: fc.option(fc.integer({ min: 1, max: 14 }), { nil: null }),
  year: fc.constantFrom(2003, 2003, 1903),
  subject: fc.constantFrom("Mill wheel", "Re: Mill wheel", '`msg-000001` ",\n "', "## count"),
  from: fc.constantFrom("Ann Reed <ann@mill.example>", "Reed, Ann <areed@mill.example>", "bo@mill.example"),
  lines: fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 6 }),
});

function render({ id, parent, year = 2003, subject, from, lines }: Letter): string {
  const head = [
    `Message-ID: <${id}@mill.example>`,
    `Date: Wed, ${String(id).padStart(2, "0")} Jan ${year} 10:00:00 +0000`,
    `From: ${from}`,
    "To: cy@mill.example",
    `Subject: ${subject.replaceAll("\n", "\n ")}`,
    "Content-Type: text/plain; charset=utf-8",
    ...(parent === null ? [] : [`References: <${parent}@mill.example>`]),
  ];
  return `From ann@mill.example Wed Jan  1 12:00:00 2003\n${head.join("\n")}\n\n${lines.join("\n")}\n\n`;
}

function filesIn(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:md|csv|json)$/.test(name),
  );
  return Object.fromEntries(
    names.filter((name) => !name.startsWith(".")).map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );
}

it.each(["wiki", "markdown"] as const)("copies unchanged files byte for byte, with %s links", async (wikiLinks) => {
  let runs = 0;
  const letters = fc.array(letter, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(letters, letters, fc.boolean(), fc.boolean(), async (first, second, isTouched, isListed) => {
      runs++;
      // Without lists of messages, unchanged messages are not read.
      const formats = { ...ALL_FORMATS, wikiLinks, json: isListed, csv: isListed };
      const directory = join(scratch, `${wikiLinks}-${runs}`);
      mkdirSync(directory);
      const [paths, grown, whole] = [["a.mbox", "b.mbox"].map((name) => join(directory, name)), "grown", "whole"];
      for (const [index, mail] of [first, second].entries()) writeFileSync(paths[index]!, mail.map(render).join(""));
      const output = join(directory, grown);
      await extractInline(paths.slice(0, 1), output, {}, formats);
      if (isTouched)
        for (const name of [...(isListed ? ["extraction.json", "emails.csv"] : []), "emails/all.md"])
          appendFileSync(join(output, name), "x");
      await extractInline(paths.slice(1), output, { incremental: true }, formats);
      mkdirSync(join(directory, whole));
      await withArchive(output, (archive) => writeOutputs(archive, join(directory, whole), formats));
      const { "provenance.json": _, ...written } = filesIn(output);
      expect(written).toEqual(filesIn(join(directory, whole)));
    }),
    { numRuns: propertyRuns(12) },
  );
});

it.each(["wiki", "markdown"] as const)(
  "writes the same files with several threads, with %s links",
  async (wikiLinks) => {
    const mail = Array.from({ length: 40 }, (_, index) =>
      render({
        id: index + 1,
        parent: index % 3 === 0 ? null : index,
        subject: "Mill wheel",
        from: `"Reed, A${index % 4}" <a${index % 4}@mill.example>`,
        lines: [`letter ${index}`, LINES[index % LINES.length]!],
      }),
    );
    const path = join(scratch, `divided-${wikiLinks}.mbox`);
    writeFileSync(path, mail.join(""));
    const [one, three] = [1, 3].map((jobs) => join(scratch, `divided-${wikiLinks}-${jobs}`)) as [string, string];
    await extractInline([path], one, {}, { ...ALL_FORMATS, wikiLinks });
    await extractInline([path], three, {}, { ...ALL_FORMATS, wikiLinks, jobs: 3, manyMessages: 7 });
    expect(filesIn(three)).toEqual(filesIn(one));
    expect(readdirSync(three).sort()).toEqual(readdirSync(one).sort());
  },
);

it("finds each message in the output of an earlier run", async () => {
  const mail = LINES.map((line, index) =>
    render({ id: index + 1, parent: null, subject: line, from: "bo@mill.example", lines: [line, "end"] }),
  );
  const [path, output] = [join(scratch, "all.mbox"), join(scratch, "all")];
  writeFileSync(path, mail.join(""));
  await extractInline([path], output, {}, ALL_FORMATS);
  const ids = mail.map((_, index) => `msg-${String(index + 1).padStart(6, "0")}` as MessageId);
  const earlier = {
    directory: output,
    files: new Set(["extraction.json", "emails.csv"]),
    isWhole: true,
    isUnchanged: () => true,
    keep: () => false,
  };
  for (const shape of [DOCUMENT_LINES, CSV_ROWS]) {
    const records = earlierRecords(earlier, shape);
    expect(ids.map((id) => records.of(id)?.includes(id))).toEqual(ids.map(() => true));
    records.close();
  }
  // The last message of a page is omitted, because links follow it.
  const page = readFileSync(join(output, "emails/all.md"));
  const bodies = [...bodiesOf(page)];
  expect(bodies.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, -1));
  expect(bodies.map(({ start, end }) => page.subarray(start, end).toString().endsWith("end"))).toEqual(
    bodies.map(() => true),
  );
});
