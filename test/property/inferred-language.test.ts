import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { extractInline, withArchive } from "./extraction.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-inferred-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const GERMAN = "Der Kran am Kai ist seit gestern wieder frei, und wir können die Ladung morgen holen.";
const ENGLISH = "The crane at the quay has been free since yesterday, and we can fetch the cargo tomorrow.";
const MAILS: readonly (readonly [from: string, text: string])[] = [
  ...[1, 2, 3].map((n) => ["Uwe Kai <uwe@quay.example>", `${GERMAN} ${n}`] as const),
  ...[4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => ["Ida Brook <ida@quay.example>", `${ENGLISH} ${n}`] as const),
  ["Uwe Kai <uwe@quay.example>", "Passt"],
  ["Jon Pike <jon@quay.example>", "Ok, 7"],
  ["Uwe Kai <uwe@quay.example>", "***"],
];

function writeMails(name: string, from: number, to: number): string {
  const directory = join(scratch, name);
  mkdirSync(directory);
  for (const [index, [sender, text]] of MAILS.slice(from, to).entries()) {
    const head = `From: ${sender}\nTo: desk@quay.example\nDate: Wed, 01 Jan 2003 12:00:${10 + from + index} +0000`;
    const id = `Message-ID: <${name}-${index}@quay.example>`;
    writeFileSync(
      join(directory, `${String(index).padStart(2, "0")}.eml`),
      `${head}\n${id}\nSubject: Crane\n\n${text}\n`,
    );
  }
  return directory;
}

it.each(["one run", "two runs"])("languages of short texts are inferred, after %s", async (how) => {
  const output = join(scratch, `output of ${how}`);
  if (how === "one run") await extractInline([writeMails("all", 0, MAILS.length)], output);
  else {
    // The short ones come first: nothing can be inferred for them until the others arrive.
    await extractInline([writeMails("short", 12, MAILS.length)], output);
    await extractInline([writeMails("long", 0, 12)], output, { incremental: true });
  }
  await withArchive(output, async (archive) => {
    const found: Record<string, readonly (string | null)[]> = {};
    for await (const batch of archive.messages.scan())
      for (const { body, language, inferredLanguage } of batch)
        found[Buffer.from(body).toString().trim().slice(0, 9)] = [language, inferredLanguage];
    expect(found).toEqual({
      "Der Kran ": ["de", null],
      "The crane": ["en", null],
      Passt: [null, "de"],
      // Jon is unknown; most of his mailbox is English, and it is separate in the two runs.
      "Ok, 7": [null, how === "one run" ? "en" : null],
      "***": [null, null],
    });
    expect(await archive.search.matching("lang:de")).toHaveLength(3);
  });
});
