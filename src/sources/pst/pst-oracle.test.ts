import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { realData } from "../../../test/real-data.ts";
import type { AttachmentPart, Message } from "../../mail/records/message.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import type { SourceItem } from "../reading/source.ts";
import { pst } from "./pst.ts";

/**
 * Compares our reader with two independent ones, readpst (libpst) and pffexport (libpff), over real stores, item by
 * item. Both have errors. Every known difference was checked and is listed here, so that any new one fails.
 */
const DATA = realData("pst");
const hasReadpst = spawnSync("readpst", ["-V"]).status === 0;
const hasPffexport = spawnSync("pffexport", ["-V"]).status === 0;
const scratch: string[] = [];

/** The password of the two protected stores, found by trying words. */
const PASSWORD = "test";
const PROTECTED = new Set(["pstsdk-test-ansi.pst", "pstsdk-test-unicode.pst"]);

/** Parts that readpst creates itself: the RTF body and its own rendering of a meeting. */
const isMadeByReadpst = (part: AttachmentPart): boolean =>
  part.filename === "rtf-body.rtf" || (part.mediaType === "text/calendar" && /^i\d+\.ics$/.test(part.filename));

/**
 * Subjects of messages whose recipients readpst reads from a header with fewer recipients than the recipients table.
 * The last one has an Exchange recipient without an address, whom readpst omits; pffexport shows the name in the
 * table, and our reader resolves the address from the store.
 */
const RECIPIENTS_OF_TABLE = new Set([
  "Houston",
  "unverified news report",
  "Welcome to your new Outlook.com account",
  "Synchronization Log:",
]);

interface Compared {
  readonly subject: string;
  /** Seconds since 1970: readpst has no higher precision. */
  readonly sentAt: number | null;
  readonly from: string;
  readonly recipients: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly string[];
}

const squeeze = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

function compared(message: Message): Compared {
  const { envelope } = message;
  // readpst does not unwrap addresses of other systems.
  const from = envelope.from === null ? "" : envelope.from.email;
  return {
    subject: squeeze(envelope.subject),
    sentAt: envelope.sentAt === null ? null : Math.floor(envelope.sentAt / 1000),
    from: from === "MAILER-DAEMON" ? "" : from.toLowerCase(),
    recipients: [...envelope.to, ...envelope.cc].map((address) => address.email.toLowerCase()).join(" "),
    text: squeeze(message.textBody),
    html: squeeze(message.htmlBody),
    attachments: message.attachments
      .filter((part) => part.mediaType !== "message/rfc822" && !isMadeByReadpst(part))
      .map((part) => md5(part.bytes()))
      .sort(),
  };
}

/** Associated messages other than rules, according to the nodes of the stores. */
const SETTINGS: Readonly<Record<string, number>> = {
  "java-libpst-dist-list.pst": 3,
  "pst-extractor-outlook2013-4k.ost": 21,
};

async function readOurs(path: string): Promise<readonly SourceItem[]> {
  const password = PROTECTED.has(basename(path)) ? PASSWORD : null;
  const opened = await pst.open(path, { password, skipProtected: false });
  const settings = SETTINGS[basename(path)];
  const noteTexts = opened.notes.map((note) => (note.kind === "note" ? note.message.split(":")[0] : note.kind));
  expect(noteTexts).toEqual(settings === undefined ? [] : [`${settings} folder views and settings skipped`]);
  const items = await keptItemsOf(opened.units());
  // The other readers ignore associated items.
  return items.filter((item) => item.kind !== "item" || item.item.kind !== "rule");
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "pst-oracle-"));
  scratch.push(directory);
  return directory;
}

function readpst(path: string): readonly Message[] {
  const directory = scratchDirectory();
  // One process: several would overwrite each other's files.
  execFileSync("readpst", ["-j", "0", "-e", "-o", directory, path], { stdio: "ignore", timeout: 60_000 });
  return filesBelow(directory)
    .filter((file) => file.endsWith(".eml"))
    .map((file) => parseMessage(readFileSync(file)));
}

const stores = DATA === null ? [] : readdirSync(DATA).filter((name) => /\.(pst|ost)$/.test(name));

afterAll(() => {
  for (const directory of scratch) rmSync(directory, { recursive: true, force: true });
});

describe.skipIf(DATA === null)("real stores", () => {
  const header = DATA === null ? [] : readFileSync(join(DATA, "expected-counts.tsv"), "utf8").trim().split("\n");
  const columns = header[0]?.split("\t") ?? [];
  const rows = header
    .slice(1)
    .map((line) => Object.fromEntries(line.split("\t").map((value, index) => [columns[index]!, value])));

  it("there are some", () => {
    expect(rows.length).toBe(18);
    expect(stores.length).toBe(18);
  });

  it.each(rows.map((row) => [row["file"]!, row] as const))(
    "%s: at least as many items of each kind as the better reader",
    async (name, row) => {
      const items = await readOurs(join(DATA!, name));
      const of = (column: string): number => Number(row[column]);
      const messages = items.filter((item) => item.kind === "object");
      const appointments = items.filter((item) => item.kind === "appointment" && !item.location.includes("/"));
      const contacts = items.filter(
        (item) => item.kind === "item" && (item.item.kind === "contact" || item.item.kind === "distribution_list"),
      );
      const nested = messages.reduce(
        (sum, item) => sum + nestedMessages(item.kind === "object" ? item.message : null).length,
        0,
      );
      expect(items.filter((item) => item.kind === "damaged" || item.kind === "note")).toEqual([]);
      expect(messages.length).toBeGreaterThanOrEqual(of("readpst_eml"));
      // pffexport counts nested messages, and meeting mail as "other".
      if (name === "java-libpst-dist-list.pst") {
        // Two of its "appointments" are changed occurrences stored as attachments of the series; ours are entries of
        // the series.
        expect([appointments.length, items.filter((item) => item.kind === "appointment").length]).toEqual([1, 3]);
      } else expect(appointments.length).toBe(of("pff_appts"));
      expect(messages.length + nested).toBeGreaterThanOrEqual(of("pff_messages") + of("pff_other"));
      expect(contacts.length).toBeGreaterThanOrEqual(of("pff_contacts"));
      expect(appointments.length + contacts.length).toBeGreaterThanOrEqual(of("readpst_ics_vcf"));
    },
  );

  it.skipIf(!hasReadpst).each(stores.filter((name) => !PROTECTED.has(name)))(
    "%s: every message equals that of readpst",
    async (name) => {
      const ours = (await readOurs(join(DATA!, name))).flatMap((item) =>
        item.kind === "object" ? [compared(item.message)] : [],
      );
      for (const message of readpst(join(DATA!, name))) {
        const theirs = compared(message);
        const found = nearest(ours, theirs);
        const expected = { ...theirs };
        const actual = { ...found };
        if (RECIPIENTS_OF_TABLE.has(theirs.subject)) Object.assign(expected, { recipients: found.recipients });
        // Senders readpst does not find, and bodies it leaves in RTF.
        for (const field of ["from", "text", "html"] as const)
          if (theirs[field] === "") Object.assign(expected, { [field]: found[field] });
        expect(actual).toEqual(expected);
      }
    },
  );

  it.skipIf(!hasPffexport).each(stores.filter((name) => !PROTECTED.has(name)))(
    "%s: every item as pffexport reads it",
    async (name) => {
      const directory = join(scratchDirectory(), "out");
      execFileSync("pffexport", ["-q", "-f", "all", "-t", directory, join(DATA!, name)], {
        stdio: "ignore",
        timeout: 60_000,
      });
      const theirs = filesBelow(`${directory}.export`);
      const items = await readOurs(join(DATA!, name));
      const ours = items.flatMap((item) =>
        item.kind === "object" ? [item.message, ...nestedMessages(item.message)] : [],
      );
      const appointments = items.flatMap((item) => (item.kind === "appointment" ? [squeeze(item.entry.subject)] : []));
      for (const file of theirs) {
        const kind = basename(dirname(file)).replace(/\d+$/, "");
        const isHead =
          basename(file) === "OutlookHeaders.txt" || ["Appointment.txt", "Meeting.txt"].includes(basename(file));
        if (!isHead) continue;
        const fields = headerFields(readFileSync(file, "utf8"));
        if (kind === "Appointment") {
          // Changed occurrences do not have a subject of their own.
          if (fields.subject !== "") expect(appointments).toContain(fields.subject);
          continue;
        }
        if (kind !== "Message" && kind !== "Meeting") continue;
        const sameSubject = ours.map(compared).filter((message) => message.subject === fields.subject);
        expect(sameSubject.length, fields.subject).toBeGreaterThan(0);
        // Messages with headers have the date in the header; pffexport shows the property.
        const text = theirs.find((other) => other === join(dirname(file), "Message.txt"));
        if (text !== undefined)
          expect(sameSubject.map((message) => message.text)).toContain(
            squeeze(readFileSync(text, "utf8").replaceAll("\0", "")),
          );
      }
      const attachments = theirs.filter(
        (file) => file.includes("/Attachments/") && /^\d+_/.test(basename(file)) && !file.includes("/Appointment"),
      );
      const ourHashes = new Set(ours.flatMap((message) => message.attachments.map((part) => md5(part.bytes()))));
      for (const file of attachments) expect(ourHashes, basename(file)).toContain(md5(readFileSync(file)));
    },
  );
});

/** Our message with that subject; of several, the one sent nearest to the given time. */
function nearest(ours: readonly Compared[], theirs: Compared): Compared {
  const same = ours.filter(({ subject }) => subject === theirs.subject);
  const distance = (message: Compared): number =>
    Math.abs((message.sentAt ?? 0) - (theirs.sentAt ?? 0)) + (message.text === theirs.text ? 0 : 0.5);
  const [first] = same.sort((a, b) => distance(a) - distance(b));
  if (first === undefined) throw new Error(`no message with the subject ${JSON.stringify(theirs.subject)}`);
  return first;
}

/** Attached messages, read from their rendering as message/rfc822, and those attached to them. */
function nestedMessages(message: Message | null): readonly Message[] {
  const found: Message[] = [];
  const waiting = message === null ? [] : [message];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const part of next.attachments) {
      if (part.mediaType !== "message/rfc822") continue;
      const nested = parseMessage(Buffer.from(part.bytes()));
      found.push(nested);
      waiting.push(nested);
    }
  }
  return found;
}

function headerFields(text: string): { readonly subject: string } {
  return { subject: squeeze(/^Subject:[ \t]*(.*)$/m.exec(text)?.[1]) };
}
