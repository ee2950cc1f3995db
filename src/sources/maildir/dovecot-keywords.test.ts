import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { openMailTree } from "./maildir.ts";

const scratch = mkdtempSync(join(tmpdir(), "keywords-"));
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

async function flagsOf(folder: string, keywords: string | null, ...names: readonly string[]) {
  const directory = join(scratch, folder);
  for (const part of ["cur", "new", "tmp"]) mkdirSync(join(directory, part), { recursive: true });
  if (keywords !== null) writeFileSync(join(directory, "dovecot-keywords"), keywords);
  for (const name of names) writeFileSync(join(directory, "cur", name), `Subject: ${name}\n\nText\n`);
  const items = await keptItemsOf(openMailTree(scratch).units());
  return items.map((item) => (item.kind === "rfc5322" ? item.flags : item.kind));
}

it("maps letters to Dovecot keywords in each folder", async () => {
  expect(
    await flagsOf(".", "0 $label1\n1 sluice\n2 $MDNSent\n3 $Forwarded\n", "1.a:2,FSab", "2.b:2,bcz", "3.c:2,dS"),
  ).toEqual([["seen", "flagged", "label:Important", "label:sluice"], ["label:sluice"], ["seen", "forwarded"]]);
  expect((await flagsOf(".Projects", "0 tern\r\n", "4.d:2,a")).at(-1)).toEqual(["label:tern"]);
});

it("ignores letters without such a file or line", async () => {
  expect(await flagsOf(".", null, "1.a:2,Sab")).toEqual([["seen"]]);
  expect(await flagsOf(".", "no number\n99999 x\n", "1.a:2,Sab")).toEqual([["seen"]]);
});

it("reads flags from headers if file names have none, as in Thunderbird", async () => {
  mkdirSync(join(scratch, "Inbox/cur"), { recursive: true });
  writeFileSync(join(scratch, "Inbox/cur/1700000000.eml"), "X-Mozilla-Status: 0005\nSubject: a\n\nText\n");
  const [item] = await keptItemsOf(openMailTree(scratch).units());
  expect(item?.kind === "rfc5322" && item.flags).toEqual(["seen", "flagged"]);
});
