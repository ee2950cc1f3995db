import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PID } from "../../src/properties/property-ids.ts";
import { buildMsg } from "../msg-writer/msg-writer.ts";
import { text } from "../pst-writer/property-writer.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

/** The hash of a directory is over every message file in it, whatever its format and however many items it holds. */

const scratch = scratchDirectory("directory-hash");
const source = join(scratch, "source");
const output = join(scratch, "output");

const event = (uid: string): readonly string[] => [
  ...["BEGIN:VEVENT", `UID:${uid}`, "DTSTART:20240102T100000Z", `SUMMARY:Pilot ${uid}`, "END:VEVENT"],
];
const FILES: Readonly<Record<string, string | Buffer>> = {
  "a.ics": ["BEGIN:VCALENDAR", ...event("one"), ...event("two"), "END:VCALENDAR", ""].join("\r\n"),
  "b.vcf": ["Ann Lee", "Ben Ray"].map((name) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nEND:VCARD\r\n`).join(""),
  "c.eml": "From: ann@quay.example\r\nSubject: Tide\r\nMessage-ID: <c@quay.example>\r\n\r\nHigh water at noon.\r\n",
  "d.msg": buildMsg({
    properties: [text(PID.messageClass, "IPM.Note"), text(PID.subject, "Buoys"), text(PID.body, "Two are loose.")],
  }),
  "e.eml": "From: ben@quay.example\r\nSubject: Rope\r\nMessage-ID: <e@quay.example>\r\n\r\nNew ropes came.\r\n",
  "f.emlx": '42\nFrom: eve@quay.example\nSubject: Mast\n\nTall.\n<?xml version="1.0"?><plist></plist>\n',
};

interface Provenance {
  readonly source_hash: string;
  readonly sources: readonly { readonly counts: { readonly seen: number; readonly kept: number } }[];
}

const provenance = (): Provenance => JSON.parse(readFileSync(join(output, "provenance.json"), "utf8")) as Provenance;
const sha256 = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");

it("has a line for every message file, and an incremental run sees one that changed", () => {
  mkdirSync(source);
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(source, name), bytes);
  expect(archivetool("-q", "extract", source, "-o", output, "--no-wiki")).toMatchObject({ exitCode: 0 });
  const lines = Object.entries(FILES).map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
  expect(provenance().source_hash).toBe(sha256(lines.join("")));
  const before = provenance().sources[0]!.counts;
  expect(before).toMatchObject({ seen: 8, kept: 8 });

  const changed = {
    ...FILES,
    "a.ics": `${FILES["a.ics"]!}`.replace("END:VCALENDAR", [...event("three"), "END:VCALENDAR"].join("\r\n")),
  };
  writeFileSync(join(source, "a.ics"), changed["a.ics"]);
  expect(archivetool("-q", "extract", source, "-o", output, "--no-wiki", "--incremental")).toMatchObject({
    exitCode: 0,
  });
  const after = Object.entries(changed).map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
  expect(provenance().source_hash).toBe(sha256(after.join("")));
});
