import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { extractionRequest } from "../../../test/extraction-request.ts";
import { realData } from "../../../test/real-data.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import type { Counts } from "../../mail/records/provenance.ts";
import { checkArchive } from "../../store/archive/check-archive.ts";
import { openArchive } from "../../store/archive/open-archive.ts";
import { archiveIn } from "../../store/contract/archive-location.ts";
import type { ExtractionEvent } from "../extraction-event.ts";
import type { ExtractionReport } from "./extraction-request.ts";
import { runExtraction } from "./run-extraction.ts";

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "archivetool-accounted-"));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const output = (): string => join(scratch, "output");

const event = (uid: string, summary: string, more = ""): string =>
  `BEGIN:VEVENT\nUID:${uid}@harbour.example\nSUMMARY:${summary}\nDTSTART:20230501T100000Z\n${more}END:VEVENT\n`;
const calendar = (...events: readonly string[]): string => `BEGIN:VCALENDAR\n${events.join("")}END:VCALENDAR\n`;

const INVITATION = [
  "Message-ID: <1@harbour.example>\nDate: Mon, 1 May 2023 10:00:00 +0000\nFrom: mara@harbour.example\n",
  "To: jon@harbour.example\nSubject: Later\nMIME-Version: 1.0\nContent-Type: text/calendar; method=REQUEST\n\n",
  `${calendar(event("one", "Later", "SEQUENCE:7\n")).replace("BEGIN:VCALENDAR\n", "BEGIN:VCALENDAR\nMETHOD:REQUEST\n")}`,
].join("");

function write(name: string, text: string): string {
  const path = join(scratch, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

interface Extracted {
  readonly report: ExtractionReport;
  readonly counted: readonly Counts[];
}

async function extract(paths: readonly string[], incremental = false): Promise<Extracted> {
  const counted: Counts[] = [];
  const report = await runExtraction(
    extractionRequest(
      paths,
      output(),
      { incremental },
      {
        onEvent: (found: ExtractionEvent) => void (found.kind === "source" && counted.push(found.counts)),
      },
    ),
  );
  return { report, counted };
}

async function storedEvents(): Promise<readonly CalendarEvent[]> {
  const archive = await openArchive(archiveIn(output()));
  try {
    const events: CalendarEvent[] = [];
    for await (const batch of archive.events.scan()) events.push(...batch);
    return events;
  } finally {
    await archive.close();
  }
}

const countsOf = ({ report }: Extracted): readonly Counts[] => report.sources.map(({ record }) => record.counts);
const counts = (kept: number, duplicate: number): Counts => ({
  ...{ seen: kept + duplicate, kept, duplicate },
  ...{ skipped: 0, failed: 0 },
});

async function expectSound(): Promise<void> {
  expect((await checkArchive(archiveIn(output()))).faults).toEqual([]);
}

describe("calendar items with one UID", () => {
  it("are one event: the replaced state is a duplicate with its location", async () => {
    const paths = [
      write("1.ics", calendar(event("one", "First"))),
      write("2.ics", calendar(event("one", "Second"), event("two", "Other"))),
    ];
    const run = await extract(paths);
    expect(countsOf(run)).toEqual([counts(0, 1), counts(2, 0)]);
    expect(run.counted).toEqual(countsOf(run));
    expect(run.report.sources[0]!.record.mailboxes.map((mailbox) => mailbox.counts)).toEqual([counts(0, 1)]);
    expect(await storedEvents()).toMatchObject([
      { subject: "Second", item: { source: 1 }, duplicates: [{ source: 0, location: "1.ics" }] },
      { subject: "Other", item: { source: 1 }, duplicates: [] },
    ]);
    await expectSound();
  });

  it("are duplicates of the message with a later state", async () => {
    const run = await extract([write("1.ics", calendar(event("one", "First"))), write("2.eml", INVITATION)]);
    expect(countsOf(run)).toEqual([counts(0, 1), counts(1, 0)]);
    expect(await storedEvents()).toMatchObject([{ subject: "Later", item: null, duplicates: [{ location: "1.ics" }] }]);
    await expectSound();
  });

  it("are counted over several runs, also in a source that is not read again", async () => {
    const first = write("1.ics", calendar(event("one", "First")));
    expect(countsOf(await extract([first]))).toEqual([counts(1, 0)]);
    const second = write("2.ics", calendar(event("one", "Second", "SEQUENCE:1\n"), event("two", "Other")));
    const both = await extract([first, second], true);
    expect(countsOf(both)).toEqual([counts(0, 1), counts(2, 0)]);
    await expectSound();
    writeFileSync(second, calendar(event("two", "Other")));
    const third = await extract([first, second], true);
    expect(countsOf(third)).toEqual([counts(0, 1), counts(1, 0)]);
    expect(await storedEvents()).toMatchObject([
      { subject: "Second", item: null, duplicates: [{ source: 0 }] },
      { subject: "Other", item: { source: 1 } },
    ]);
    await expectSound();
  });
});

describe("imported items of real stores", () => {
  const stores = realData("pst");
  it
    .skipIf(stores === null)
    .each([
      "tika-testPST.pst",
      "pst-extractor-outlook2013-4k.ost",
      "hiraoka-three-items.pst",
      "java-libpst-dist-list.pst",
      "pst-extractor-enron-lokay.pst",
    ])("is in the archive: %s", async (name) => {
    const { report } = await extract([join(stores!, name)]);
    const [source] = report.sources;
    const items = (await storedEvents()).filter(({ item }) => item !== null).length + report.statistics.totalItems;
    expect(source!.record.counts.kept).toBe(source!.messages + items);
    await expectSound();
  });
});
