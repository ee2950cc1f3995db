import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { buildZip } from "../zip-file.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";

/** Words inside attachments are stored, found and redacted like the text of messages. */

const scratch = scratchDirectory("attachment-text");

interface File {
  readonly name: string;
  readonly bytes: Buffer;
}

const docx = (...paragraphs: readonly string[]): Buffer =>
  buildZip([
    { name: "word/document.xml", content: paragraphs.map((text) => `<w:p><w:t>${text}</w:t></w:p>`).join("") },
  ]);
const PLAN: File = {
  name: "plan.docx",
  bytes: docx("The hawser of berth nine", "Ask ann@quay.example or call +1 212-555-0123"),
};
const LOCKED: File = {
  name: "locked.docx",
  bytes: buildZip([{ name: "word/document.xml", content: "x", flags: 0x0801 }]),
};
const TABLE: File = { name: "rates.csv", bytes: Buffer.from("harbour;rate\nnorth;42\n") };

function mail(number: number, files: readonly File[]): string {
  return [
    `From x@quay.example Mon May 14 10:00:0${number} 2001`,
    "From: Bo <bo@quay.example>",
    `Subject: Letter ${number}`,
    `Date: Mon, 14 May 2001 10:00:0${number} +0000`,
    `Message-ID: <${number}@quay.example>`,
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "",
    `See the files of letter ${number}.`,
    ...files.flatMap(({ name, bytes }) => [
      "--b",
      `Content-Type: application/octet-stream; name="${name}"`,
      "Content-Transfer-Encoding: base64",
      "",
      bytes.toString("base64"),
    ]),
    "--b--",
    "",
    "",
  ].join("\n");
}

function extract(output: string, mails: string, ...flags: readonly string[]): string {
  const source = join(scratch, `${flags.includes("--incremental") ? "more" : "mail"}.mbox`);
  writeFileSync(source, mails);
  const run = archivetool("extract", source, "-o", output, "--no-wiki", ...flags);
  expect(run.exitCode, run.stderr).toBe(0);
  rmSync(source);
  return run.stdout;
}

async function found(output: string, query: string): Promise<readonly string[]> {
  const run = await command("search", output, query, "--json");
  expect(run.exitCode, run.stderr).toBe(0);
  return (JSON.parse(run.stdout) as { results: { message_id: string }[] }).results
    .map(({ message_id }) => message_id)
    .sort();
}

const optionsOf = (output: string) =>
  (JSON.parse(readFileSync(join(output, "provenance.json"), "utf8")) as { options: object }).options;

it("finds words of attachments by the file's message, and stores the text of each", async () => {
  const output = join(scratch, "plain");
  const mails = mail(1, [PLAN, TABLE]) + mail(2, [LOCKED]) + mail(3, [TABLE]);
  expect(extract(output, mails, "--attachment-text")).toContain("Attachments: 4 (1 file without text)\n");
  expect((await command("stats", output)).stdout).toMatch(/Attachments: +4 \(1 file without text\)\n/);
  expect(await found(output, "attachment:hawser")).toEqual(["msg-000001"]);
  expect(await found(output, "attachment:(berth rate)")).toEqual(["msg-000001"]);
  expect(await found(output, "attachment:harbour -attachment:hawser")).toEqual(["msg-000003"]);
  expect(await found(output, "subject:letter -attachment:harbour")).toEqual(["msg-000002"]);
  // Plain words also find them, and results name the file that contains them.
  expect(await found(output, "hawser")).toEqual(["msg-000001"]);
  expect((await command("search", output, "north harbour")).stdout).toContain(
    "[rates.csv] **harbour**;rate **north**;42",
  );
  // Words of the message are distinguished from words of its files.
  expect(await found(output, "attachment:letter")).toEqual([]);
  expect(optionsOf(output)).toMatchObject({ attachment_text: true });
  const archive = await openArchive(archiveIn(output));
  expect(await archive.messages.fileTexts("msg-000001")).toEqual([
    "The hawser of berth nine\nAsk ann@quay.example or call +1 212-555-0123",
    "harbour;rate\nnorth;42",
  ]);
  expect(await archive.messages.fileTexts("msg-000002")).toEqual([]);
  const { findings } = (await archive.messages.get("msg-000002"))!;
  expect(findings).toEqual([{ code: "attachment-not-read", message: "locked.docx: it is encrypted" }]);
  await archive.close();
});

it("reads them on request, and for mail added to an archive that has them", async () => {
  const output = join(scratch, "asked");
  extract(output, mail(1, [PLAN]));
  expect(await found(output, "attachment:hawser")).toEqual([]);
  expect(optionsOf(output)).toMatchObject({ attachment_text: false });
  expect(JSON.parse((await command("stats", output, "--json")).stdout)).toMatchObject({ files_without_text: null });
  extract(output, mail(1, [PLAN]) + mail(2, [PLAN]), "--incremental", "--attachment-text");
  expect(await found(output, "attachment:hawser")).toEqual(["msg-000002"]);
  expect(extract(output, mail(4, [TABLE]), "--incremental")).toContain("Attachments: 3 (1 file without text)\n");
  expect(await found(output, "attachment:harbour")).toEqual(["msg-000003"]);
});

it("redacts them everywhere", async () => {
  const output = join(scratch, "redacted");
  extract(output, mail(1, [PLAN]), "--attachment-text", "--redact");
  expect(await found(output, "attachment:hawser")).toEqual(["msg-000001"]);
  expect(await found(output, "attachment:ann")).toEqual([]);
  const archive = await openArchive(archiveIn(output));
  const [text] = await archive.messages.fileTexts("msg-000001");
  expect(text).toMatch(/^The hawser of berth nine\nAsk \[[^\]]*\] or call \[[^\]]*\]$/);
  await archive.close();
  expect(readFileSync(join(output, "archive.db")).includes("ann@quay.example")).toBe(false);
});

it("creates the same archive with any number of workers", async () => {
  const mails = Array.from({ length: 9 }, (_, index) => mail(index, [PLAN, TABLE])).join("");
  const texts = await Promise.all(
    ["1", "2"].map(async (jobs) => {
      const output = join(scratch, `jobs-${jobs}`);
      extract(output, mails, "--attachment-text", "--jobs", jobs);
      const archive = await openArchive(archiveIn(output));
      const all = await Promise.all([1, 5, 9].map((number) => archive.messages.fileTexts(`msg-00000${number}`)));
      await archive.close();
      return all;
    }),
  );
  expect(texts[0]).toEqual(texts[1]);
  expect(texts[0]![2]).toHaveLength(2);
});
