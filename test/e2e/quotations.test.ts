import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";

const scratch = scratchDirectory("quotations");

const QUESTION = [
  "From ann@mill.example Mon May 14 16:39:00 2001",
  "From: Ann Reed <ann@mill.example>",
  "To: bo@mill.example",
  "Subject: Mill wheel",
  "Date: Mon, 14 May 2001 16:39:00 +0000",
  "",
  "Shall we repair the wheel before harvest?",
  "",
].join("\n");
/** Another subject, so that only the quoted header joins it. */
const ANSWER = [
  "From bo@mill.example Tue May 15 09:00:00 2001",
  "From: bo@mill.example",
  "To: cy@quay.example",
  "Subject: Repairs",
  "Date: Tue, 15 May 2001 09:00:00 +0000",
  "",
  "See below.",
  "",
  "-----Original Message-----",
  "From: Ann Reed",
  "Sent: Monday, May 14, 2001 4:39 PM",
  "To: Bo Lund",
  "Subject: Mill wheel",
  "",
  "Shall we repair the wheel before harvest?",
  "",
].join("\n");

function extracted(output: string, sources: readonly (readonly [string, string])[]): void {
  for (const [index, [name, text]] of sources.entries()) {
    writeFileSync(join(scratch, name), text);
    const added = index === 0 ? [] : ["--incremental"];
    const run = archivetool("-q", "extract", join(scratch, name), "-o", output, "--json", ...added);
    expect(run.exitCode, run.stderr).toBe(0);
  }
}

function messagesOf(output: string): readonly { readonly id: string; readonly quotes?: readonly string[] }[] {
  return JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")).messages;
}

it("lists the mail that a message quotes, also if that mail is added by a later run", () => {
  const output = join(scratch, "later");
  extracted(output, [
    ["answer.mbox", ANSWER],
    ["question.mbox", QUESTION],
  ]);
  expect(messagesOf(output).map(({ id, quotes }) => [id, quotes])).toEqual([
    ["msg-000001", ["msg-000002"]],
    ["msg-000002", undefined],
  ]);
  expect(archivetool("show", output, "msg-000001").stdout).toContain("Quotes:      msg-000002\n");
  const pages = readdirSync(join(output, "emails")).map((file) => readFileSync(join(output, "emails", file), "utf8"));
  expect(pages.some((page) => page.includes("- **Quotes** `msg-000002`\n"))).toBe(true);
  const validation = archivetool("validate", join(output, "extraction.json"));
  expect(validation.exitCode, validation.stderr).toBe(0);
});

it("keeps quotations in a document for mail that is not read again", () => {
  const output = join(scratch, "imported");
  extracted(output, [["both.mbox", QUESTION + ANSWER]]);
  rmSync(join(output, "archive.db"));
  writeFileSync(join(scratch, "more.mbox"), QUESTION.replaceAll("wheel", "stone"));
  const run = archivetool("-q", "extract", join(scratch, "more.mbox"), "-o", output, "--json", "--incremental");
  expect(run.exitCode, run.stderr).toBe(0);
  expect(messagesOf(output).map(({ quotes }) => quotes)).toEqual([undefined, ["msg-000001"], undefined]);
});
