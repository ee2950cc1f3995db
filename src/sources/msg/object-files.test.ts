import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { text } from "../../../test/pst-writer/property-writer.ts";
import { writeTnef } from "../../../test/tnef-writer.ts";
import { PID } from "../../properties/property-ids.ts";
import { findSources } from "../finding/find-sources.ts";
import { openSource } from "../formats/detect-format.ts";
import type { SourceItem } from "../reading/source.ts";

const directory = mkdtempSync(join(tmpdir(), "objects-"));
afterAll(() => rmSync(directory, { recursive: true }));

const event = (uid: string): string =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20210514T090000Z\r\nSUMMARY:Launch\r\nEND:VEVENT\r\n`;
const CALENDAR = `BEGIN:VCALENDAR\r\n${event("a")}BEGIN:VTODO\r\nSUMMARY:Paint\r\nEND:VTODO\r\n${event("b")}END:VCALENDAR\r\n`;
const CARDS = "BEGIN:VCARD\nFN:Ann\nEND:VCARD\nBEGIN:VCARD\nFN:Ben\nEND:VCARD\n";

async function readPath(path: string): Promise<readonly SourceItem[]> {
  const opened = await openSource(path, { password: null, skipProtected: false });
  return keptItemsOf(opened.units());
}

it("reads calendars and cards by name and beginning, in directories and as files", async () => {
  const mixed = mkdtempSync(join(directory, "mixed-"));
  writeFileSync(join(mixed, "1.eml"), "From: ann@example.org\nSubject: One\n\nHello\n");
  writeFileSync(join(mixed, "2.ics"), CALENDAR);
  writeFileSync(join(mixed, "3.vcf"), CARDS);
  writeFileSync(join(mixed, "4.ics"), "From: ann@example.org\nSubject: No calendar\n\nHello\n");
  writeFileSync(join(mixed, "5.vcf"), "something else\n");
  writeFileSync(join(mixed, "6.ICS"), Buffer.from(`\ufeff${CALENDAR}`, "utf16le"));
  expect((await readPath(mixed)).map(({ kind, location }) => [kind, location])).toEqual([
    ["rfc5322", "1.eml"],
    ["appointment", "2.ics"],
    ["appointment", "2.ics/event:1"],
    ["skipped", expect.stringMatching(/^2\.ics\/character:\d+$/)],
    ["item", "3.vcf"],
    ["item", "3.vcf/card:1"],
    ["rfc5322", "4.ics"],
    ["skipped", "5.vcf"],
    ["appointment", "6.ICS"],
    ["appointment", "6.ICS/event:1"],
    ["skipped", expect.stringMatching(/^6\.ICS\/character:\d+$/)],
  ]);
  const alone = await openSource(join(mixed, "3.vcf"), { password: null, skipProtected: false });
  expect(alone.format).toBe("vcf");
  expect((await readPath(join(mixed, "2.ics")))[0]).toMatchObject({ kind: "appointment", mailbox: "INBOX" });
});

it("finds them in a tree without mail, as separate sources", () => {
  const tree = mkdtempSync(join(directory, "tree-"));
  writeFileSync(join(tree, "all.vcf"), CARDS);
  writeFileSync(join(tree, "photo.jpg"), "no mail");
  expect(findSources(tree, "found").paths).toEqual([tree]);
});

it("reads a winmail.dat without its message, by name and beginning", async () => {
  const mixed = mkdtempSync(join(directory, "tnef-"));
  const properties = [text(PID.subject, "Gate"), text(PID.messageClass, "IPM.Note"), text(PID.body, "Shut.")];
  const tnef = writeTnef({ properties });
  writeFileSync(join(mixed, "1.eml"), "From: ann@example.org\nSubject: One\n\nHello\n");
  writeFileSync(join(mixed, "other.bin"), tnef);
  writeFileSync(join(mixed, "winmail (1).dat"), "no mail");
  writeFileSync(join(mixed, "winmail.dat"), tnef);
  const items = await readPath(mixed);
  expect(items.map(({ kind, location }) => [kind, location])).toEqual([
    ["rfc5322", "1.eml"],
    ["skipped", "other.bin"],
    ["skipped", "winmail (1).dat"],
    ["object", "winmail.dat"],
  ]);
  expect(items[3]).toMatchObject({ message: { envelope: { subject: "Gate" }, textBody: "Shut." } });
  const alone = await openSource(join(mixed, "winmail.dat"), { password: null, skipProtected: false });
  expect(alone.format).toBe("msg");
  await expect(readPath(join(mixed, "other.bin"))).rejects.toMatchObject({ code: "UNSUPPORTED_FORMAT" });
});
