import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { extractionRequest } from "../../../test/extraction-request.ts";
import { buildMsg } from "../../../test/msg-writer/msg-writer.ts";
import { text } from "../../../test/pst-writer/property-writer.ts";
import { PID } from "../../properties/property-ids.ts";
import { openSource } from "../../sources/formats/detect-format.ts";
import type { ExtractionReport } from "../run/extraction-request.ts";
import { runExtraction } from "../run/run-extraction.ts";
import { hashSource } from "./hash-source.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-file-hashes-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const event = (uid: string): string =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20210514T090000Z\r\nSUMMARY:Launch ${uid}\r\nEND:VEVENT\r\n`;
const calendar = (...uids: readonly string[]): string =>
  `BEGIN:VCALENDAR\r\n${uids.map(event).join("")}END:VCALENDAR\r\n`;
const CARDS = "BEGIN:VCARD\nFN:Ann\nEND:VCARD\nBEGIN:VCARD\nFN:Ben\nEND:VCARD\n";
const MAIL =
  "Message-ID: <1@harbour.example>\nDate: Mon, 6 Jan 2003 12:00:00 +0000\nFrom: mara@harbour.example\nSubject: Crane\n\nThe offer is in.\n";

function writeTree(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  const root = join(scratch, name);
  mkdirSync(root);
  for (const [path, bytes] of Object.entries(files)) writeFileSync(join(root, path), bytes);
  return root;
}

/** Output of `sha256sum * | sha256sum`. */
function hashOfFiles(files: Readonly<Record<string, string | Buffer>>): string {
  const sha256 = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");
  return sha256(
    Object.keys(files)
      .sort()
      .map((path) => `${sha256(files[path]!)}  ${path}\n`)
      .join(""),
  );
}

async function hashOfTree(root: string): Promise<string> {
  return hashSource(await openSource(root, { password: null, skipProtected: false }));
}

it.each([
  ["events and contacts before a message", { "1.ics": calendar("a", "b"), "2.vcf": CARDS, "3.eml": MAIL }],
  [
    "every format",
    {
      "1.eml": MAIL,
      "2.emlx": '42\nFrom: eve@quay.example\nSubject: Mast\n\nTall.\n<?xml version="1.0"?><plist></plist>\n',
      "3.msg": buildMsg({ properties: [text(PID.messageClass, "IPM.Note"), text(PID.subject, "Buoys")] }),
      "4.vcf": CARDS,
    },
  ],
  ["calendars only", { "1.ics": calendar("a", "b"), "2.ics": calendar("c") }],
  ["a card file without a card", { "1.vcf": "BEGIN:VCARD\nEND:VCARD\n", "2.eml": MAIL }],
])("covers every file of a directory: %s", async (name, files) => {
  const root = writeTree(name, files);
  expect(await hashOfTree(root)).toBe(hashOfFiles(files));
});

it.each([
  ["written just before", 0],
  ["settled, which it reads once", 10_000],
])(
  "records the same hash in an extraction, and an incremental run finds changes of files: %s",
  async (name, afterMs) => {
    const emlx = '42\nFrom: eve@quay.example\nSubject: Mast\n\nTall.\n<?xml version="1.0"?><plist></plist>\n';
    const files: Record<string, string> = {
      "1.ics": calendar("a", "b"),
      "2.vcf": CARDS,
      "3.eml": MAIL,
      "5.emlx": emlx,
    };
    const root = writeTree(name, files);
    const extract = (incremental: boolean): Promise<ExtractionReport> => {
      const startedAt = Date.now() + afterMs;
      return runExtraction(extractionRequest([root], join(scratch, `${name}-output`), { incremental }, { startedAt }));
    };
    const first = await extract(false);
    expect(first.sourceHash).toBe(hashOfFiles(files));
    expect(first.statistics.totalCalendarEvents).toBe(2);
    expect((await extract(true)).isUnchanged).toBe(true);
    files["1.ics"] = calendar("a", "b", "c");
    files["4.ics"] = calendar("d");
    for (const path of ["1.ics", "4.ics"]) writeFileSync(join(root, path), files[path]!);
    const second = await extract(true);
    expect(second.sourceHash).toBe(hashOfFiles(files));
    expect(second.statistics.totalCalendarEvents).toBe(4);
    delete files["5.emlx"];
    rmSync(join(root, "5.emlx"));
    expect((await extract(true)).sourceHash).toBe(hashOfFiles(files));
  },
);
