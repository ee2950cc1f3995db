import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { olmFile, olmMail } from "../../../test/olm-writer.ts";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { buildStore, sampleMail } from "../../../test/pst-writer/sample-store.ts";
import { buildZip } from "../../../test/zip-file.ts";
import { AddressBook } from "../../contacts/addresses/address-book.ts";
import { FileTextReader } from "../../file-text/file-text-reader.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { openSource } from "../../sources/formats/detect-format.ts";
import { openMbox } from "../../sources/mbox/mbox.ts";
import type { OpenedSource } from "../../sources/reading/source.ts";
import { readUnit } from "../../sources/work-units.ts";
import type { ExtractionEvent } from "../extraction-event.ts";
import { Ledger } from "../ledger/deduplicate.ts";
import { createTaskRunner } from "../run/task-runner.ts";
import { AttachmentTexts } from "./attachment-text.ts";
import { parseUnit } from "./parse-unit.ts";
import { parseSources } from "./parsing-phase.ts";

/** Reading progress as users see it, for Outlook stores and text mailboxes. */

const directory = mkdtempSync(join(tmpdir(), "archivetool-progress-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const LIMITS = { password: null, skipProtected: false };
const UNICODE = { layout: "unicode", encoding: "permute" } as const;
const MAILS = 600;

function mail(number: number): string {
  return `From: ann@quay.example\nMessage-ID: <${number}@quay.example>\nSubject: n${number}\n\nText of ${number}\n`;
}

function put(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function putTree(): string {
  const root = join(directory, "tree");
  mkdirSync(root);
  for (let number = 0; number < MAILS; number++) writeFileSync(join(root, `${number}.eml`), mail(number));
  // Files that are read but contain no mail.
  writeFileSync(join(root, "chart.png"), Buffer.from(`\x89PNG\r\n\x1a\n${"\0".repeat(1 << 20)}`, "latin1"));
  return root;
}

function putMbox(): string {
  const mails = Array.from({ length: MAILS }, (_, number) => `From a@b Mon May 14 16:39:00 2001\n${mail(number)}\n`);
  return put("box.mbox", mails.join(""));
}

function putPst(): string {
  const store = buildStore(UNICODE, (writer) => {
    const folder = writer.addFolder("Inbox");
    for (let number = 0; number < MAILS; number++) writer.addMessage(folder, sampleMail(number));
  });
  return put("box.pst", store);
}

function putOlm(): string {
  const parts = Array.from({ length: MAILS }, (_, number) => ({
    name: `Local/com.microsoft.__Messages/Inbox/m${number}.xml`,
    content: olmFile("emails", [["email", olmMail({ OPFMessageCopyMessageID: `${number}@quay.example` })]]),
  }));
  return put("box.olm", buildZip(parts));
}

const TREE = putTree();
const STORE = putPst();
const SOURCES: readonly (readonly [string, number, () => Promise<OpenedSource>])[] = [
  ["a tree of messages", 4, () => openSource(TREE, LIMITS)],
  ["an MBOX", 9, () => openMbox(putMbox(), { mailbox: "box", unitBytes: 8_000 })],
  ["a PST", 3, () => openSource(STORE, LIMITS)],
  ["an archive of Outlook for Mac", 2, () => openSource(putOlm(), LIMITS)],
  ["a single message", 1, () => openSource(put("one.eml", mail(1)), LIMITS)],
];

type ReadingEvent = Extract<ExtractionEvent, { kind: "reading" }>;

async function readingOf(
  source: OpenedSource,
  maxMessages = Number.POSITIVE_INFINITY,
): Promise<readonly ReadingEvent[]> {
  const events: ReadingEvent[] = [];
  const request = {
    sources: [{ source: { ...source, name: source.path }, index: 0, stored: [] }],
    startedAt: 0 as Instant,
    memory: fewPages(),
    stagingDirectory: mkdtempSync(join(directory, "staging-")),
    ...{ saveAttachments: false, attachmentText: false, keepCopies: false, charset: null, redact: [], maxMessages },
    onEvent: (event: ExtractionEvent) => void (event.kind === "reading" && events.push(event)),
    onSegment: () => undefined,
  };
  const ledger = new Ledger(new AddressBook(fewPages()), fewPages(), () => undefined);
  await parseSources(request, ledger, createTaskRunner(0, new AbortController().signal, null));
  return events;
}

describe("reading progress", () => {
  it.each(SOURCES)("is reported for %s, unit by unit up to its size", async (_, units, open) => {
    const source = await open();
    expect([...source.units()]).toHaveLength(units);
    expect(source.unitCount).toBe(units);
    const events = await readingOf(source);
    expect(events.map(({ bytes, totalBytes }) => [bytes, totalBytes])).toEqual(
      Array.from({ length: units }, (__, done) => [
        Math.round((source.sizeBytes * (done + 1)) / units),
        source.sizeBytes,
      ]),
    );
  });

  it("counts the bytes of a unit, also if it is stored as fields", async () => {
    const [unit] = (await openSource(STORE, LIMITS)).units();
    let sizeBytes = 0;
    for (const item of await readUnit(unit!)) if (item.kind === "object") sizeBytes += item.sizeBytes;
    const task = {
      ...({ kind: "parse", unit: unit!, segmentPath: join(directory, "segment"), attachmentDirectory: null } as const),
      ...{ attachmentText: false, keepCopies: false, redact: [], continues: null, lost: null },
    };
    const { bytes } = await parseUnit(task, new AttachmentTexts(new FileTextReader()));
    expect(sizeBytes).toBeGreaterThan(200 * 20);
    expect(bytes).toBe(sizeBytes);
  });

  it("continues while skipped files are hashed", async () => {
    const source = await openSource(TREE, LIMITS);
    expect((await readingOf(source, 10)).at(-1)).toMatchObject({ bytes: source.sizeBytes, messages: 10 });
  });
});
