import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { extractionRequest } from "../../../test/extraction-request.ts";
import { openArchive } from "../../store/archive/open-archive.ts";
import { archiveIn } from "../../store/contract/archive-location.ts";
import { runExtraction } from "../run/run-extraction.ts";

const STORED = Date.UTC(2004, 0, 1, 10, 30);
const mail = (subject: string, more = ""): string =>
  `From: ann@mill.example\nTo: bo@mill.example\nSubject: ${subject}\n${more}\nThe grain.\n`;

it("uses the date of the store only for messages without a date", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "archivetool-stored-"));
  try {
    const line = (second: number) => `From ann@mill.example Thu Jan  1 10:30:0${second} 2004\n`;
    const dated = mail("Dated", "Date: Mon, 06 Jan 2003 12:00:00 +0000\n");
    const numeric = mail("Numeric", "Date: 1/2/2004 9:00\n");
    const late = mail("Late", "Date: Wed, 06 Jan 2010 12:00:00 +0000\n");
    writeFileSync(
      join(scratch, "a.mbox"),
      [mail("Mbox"), dated, late, numeric].map((text, at) => `${line(at)}${text}\n`).join(""),
    );
    // Programs that copy mail into a mailbox may write the same date into all separator lines.
    writeFileSync(
      join(scratch, "copied.mbox"),
      [mail("Copied"), late.replace("Late", "Later"), dated.replace("Dated", "Older")]
        .map((text) => `${line(0)}${text}\n`)
        .join(""),
    );
    const placeholder = "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n";
    writeFileSync(join(scratch, "one.patch.mbox"), `${placeholder}${late.replace("Late", "Patch")}\n`);
    mkdirSync(join(scratch, "b/cur"), { recursive: true });
    writeFileSync(join(scratch, "b/cur/1072953000.M1.quay:2,S"), mail("Maildir"));
    const message = mail("Emlx");
    const list =
      '<?xml version="1.0"?><plist><dict><key>date-received</key><integer>1072953000</integer></dict></plist>';
    writeFileSync(join(scratch, "c.emlx"), `${message.length}\n${message}${list}`);
    await runExtraction(
      extractionRequest(
        ["a.mbox", "b", "c.emlx", "copied.mbox", "one.patch.mbox"].map((name) => join(scratch, name)),
        join(scratch, "output"),
      ),
    );
    const archive = await openArchive(archiveIn(join(scratch, "output")));
    const found: unknown[] = [];
    for await (const batch of archive.messages.scan())
      found.push(...batch.map(({ subject, receivedAt, sortedAt }) => [subject, receivedAt, sortedAt]));
    await archive.close();
    const sent = Date.UTC(2003, 0, 6, 12);
    expect(found).toEqual([
      ["Mbox", STORED, STORED],
      ["Dated", null, sent],
      ["Late", STORED + 2000, STORED + 2000],
      ["Numeric", null, Date.UTC(2004, 0, 2, 9)],
      ["Maildir", STORED, STORED],
      ["Emlx", STORED, STORED],
      ["Copied", null, null],
      ["Later", null, Date.UTC(2010, 0, 6, 12)],
      ["Older", null, sent],
      ["Patch", null, Date.UTC(2010, 0, 6, 12)],
    ]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
