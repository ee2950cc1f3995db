import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SAMPLE_RECORD } from "../../../test/sample-rows.ts";
import { STORES } from "../../../test/stores.ts";
import type { Archive } from "../../mail/archive.ts";
import type { ItemRequest, RecordPage } from "../../mail/located-records.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import { eventId, itemId } from "../../mail/records/ids.ts";
import { type ArchivedItem, INTERNAL_ITEM_DEFAULTS, type ItemKind } from "../../mail/records/item.ts";
import { indexedItem } from "../../search/indexing/indexed-record.ts";
import { makeRecordIndex, type RecordStore, recordPages } from "../reading/record-reader.ts";
import { openArchive } from "./open-archive.ts";
import { openArchiveWithSearchThread } from "./open-with-search-thread.ts";
import { createArchive, growArchive } from "./write-archive.ts";

const DAY = 86_400_000;

function event(ordinal: number, changes: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    ...{ id: eventId(ordinal), uid: `uid-${ordinal}`, recurrenceId: null, seriesAllDay: null, method: null },
    ...{ status: "confirmed", sequence: 0, subject: `Meeting ${ordinal}`, description: "", location: "" },
    ...{ start: null, end: null, allDay: false, timezone: null, organizer: null, attendees: [], recurrence: null },
    ...{ sensitivity: null, importance: null, categories: [], reminderMinutes: null, ownAnswer: null, attachments: [] },
    ...{ busyStatus: null, createdAt: null, updatedAt: null, messageId: null, source: 0 },
    ...{ mailbox: "Calendar", origin: null, item: null, duplicates: [] },
    ...changes,
  };
}

function item(ordinal: number, kind: ItemKind, subject: string, fields: ArchivedItem["fields"] = {}): ArchivedItem {
  return {
    id: itemId(ordinal),
    kind,
    subject,
    fields,
    source: 0,
    mailbox: "Private papers",
    ...INTERNAL_ITEM_DEFAULTS,
  };
}

const ANN = { name: "Ann Quay", email: "ann@harbour.example" };
const CY = { name: "Cy Oak", email: "cy@harbour.example" };
const EVENTS = [
  event(1, { subject: "Crane inspection", description: "Bring the\nload chart.", start: 30 * DAY, organizer: ANN }),
  event(2, { subject: "Lunch", location: "Élodie's crane bar", start: 10 * DAY }),
  event(3, {
    subject: "Annual budget",
    attendees: [ANN, CY].map((person) => ({ ...person, role: "req-participant", status: "accepted" })),
    start: 20 * DAY,
  }),
  event(4, { subject: "Some day", mailbox: "Old plans" }),
];
const PHOTO = { filename: "ann.png", mediaType: "image/png", sizeBytes: 4, sha256: "a".repeat(64) };
const ITEMS: readonly ArchivedItem[] = [
  {
    ...item(1, "contact", "Ann Quay", {
      email_1: "ann@harbour.example",
      company: "Crane and Sons",
      mobile_phone: "555 0100",
    }),
    attachments: [{ ...PHOTO, linkTarget: null, path: null }],
    origin: { source: 0, mailbox: "Private papers", location: "nid:200024", sha256: "b".repeat(64) },
  },
  item(2, "task", "Order rope", { due_date: "2001-05-14", status: "not started" }),
  item(5, "note", "Crane keys", { body: "With the master.", created: "2001-05-13T10:00:00Z" }),
];

const ASKED: ItemRequest = {
  ...{ query: "", match: "all", sort: "id", after: null, before: null, offset: 0, limit: 10, kind: null },
};

const ids = ({ found }: RecordPage<{ readonly id: string }>): readonly string[] => found.map(({ record }) => record.id);

async function events(archive: Archive, request: Partial<ItemRequest>): Promise<readonly string[]> {
  const { kind: _, ...asked } = { ...ASKED, ...request };
  return ids(await archive.events.page(asked)).map((id) => id.slice(-1));
}

async function items(archive: Archive, request: Partial<ItemRequest>): Promise<readonly string[]> {
  return ids(await archive.items.page({ ...ASKED, ...request })).map((id) => id.slice(-1));
}

describe.each(STORES)("events and items of an archive of $name", (store) => {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-records-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const place = store.placeIn(directory, "records");

  async function write(): Promise<void> {
    const writer = await createArchive(place);
    await writer.addEvents(EVENTS);
    await writer.addItems(ITEMS);
    await writer.setRecord(SAMPLE_RECORD);
    await writer.finish();
  }

  it("are found by words, phrases, people, folders, kinds and dates", async () => {
    await write();
    const archive = await openArchive(place);
    for (const [query, expected] of [
      ["", ["1", "2", "3", "4"]],
      ["...", []],
      ["crane", ["1", "2"]],
      ["CRANE elodie", ["2"]],
      ['"the load chart"', ["1"]],
      ['"crane inspection"', ["1"]],
      ['"crane load"', []],
      ["cra*", ["1", "2"]],
      ["subject:crane", ["1"]],
      ["from:ann@harbour.example", ["1"]],
      ["person:quay", ["1", "3"]],
      ['"cy oak"', ["3"]],
      ['"example cy"', []],
      ['to:"cy oak"', ["3"]],
      ['to:"example cy"', []],
      ["-crane", ["3", "4"]],
      ["in:plans", ["4"]],
      ["kind:event", ["1", "2", "3", "4"]],
      ["kind:appointment crane", ["1", "2"]],
      ["kind:contact", []],
      ["after:1970-01-15", ["1", "3"]],
      ["is:undated", ["4"]],
      ["has:attachment", []],
      ["topic:budget OR lunch", ["2"]],
    ] as const)
      expect(await events(archive, { query }), query).toEqual(expected);
    for (const [query, expected] of [
      ["crane", ["1", "5"]],
      ["kind:note", ["5"]],
      ["person:ann", ["1"]],
      ["person:ann@harbour.example", ["1"]],
      ["5550100 OR 0100", ["1"]],
      ["on:2001-05", ["2", "5"]],
      ['mailbox:"Private papers" -kind:task', ["1", "5"]],
    ] as const)
      expect(await items(archive, { query }), query).toEqual(expected);
    await archive.close();
  });

  it("are returned by id, with the location of their attachments", async () => {
    const archive = await openArchive(place);
    expect(await archive.events.get("event-000002")).toEqual(EVENTS[1]);
    expect(await archive.items.get("item-000001")).toEqual(ITEMS[0]);
    expect(ITEMS[0]!.origin).not.toBeNull();
    expect([await archive.events.get("event-000099"), await archive.items.get("event-000001")]).toEqual([null, null]);
    await archive.close();
  });

  it("are sorted by date or relevance, and come a page at a time", async () => {
    const archive = await openArchive(place);
    expect(await events(archive, { sort: "oldest" })).toEqual(["2", "3", "1", "4"]);
    expect(await events(archive, { sort: "newest" })).toEqual(["1", "3", "2", "4"]);
    expect(await events(archive, { sort: "oldest", offset: 1, limit: 2 })).toEqual(["3", "1"]);
    expect(await events(archive, { sort: "newest", after: 10 * DAY, before: 20 * DAY })).toEqual(["3", "2"]);
    expect(await events(archive, { sort: "relevance", query: "crane bar lunch", match: "any" })).toEqual(["2", "1"]);
    const page = await archive.items.page({ ...ASKED, query: "crane", kind: "note", limit: 1 });
    expect(page).toMatchObject({
      total: 1,
      kinds: [
        { kind: "contact", count: 1 },
        { kind: "note", count: 1 },
      ],
      found: [{ record: ITEMS[2] }],
    });
    const [found] = (await archive.events.page({ ...ASKED, query: "chart" })).found;
    expect(found).toEqual({ record: EVENTS[0], snippet: expect.stringContaining("**chart**") });
    await archive.close();
  });

  it("are found alike in the thread of a server", async () => {
    const archive = await openArchiveWithSearchThread(place);
    expect(await events(archive, { query: "crane" })).toEqual(["1", "2"]);
    expect(await items(archive, { query: "crane" })).toEqual(["1", "5"]);
    await archive.close();
  });

  it("are found after a later run", async () => {
    const later = store.placeIn(directory, "later");
    const writer = await growArchive(place, later);
    await writer.replaceEvents([
      ...EVENTS.slice(0, 1),
      event(2, { subject: "Dinner" }),
      event(5, { subject: "Crane" }),
    ]);
    await writer.removeItems([1]);
    await writer.addItems([item(6, "journal", "Called about the crane")]);
    await writer.finish();
    const archive = await openArchive(later);
    expect(await events(archive, { query: "crane" })).toEqual(["1", "5"]);
    expect(await events(archive, { query: "lunch" })).toEqual([]);
    expect(await items(archive, { query: "crane" })).toEqual(["5", "6"]);
    await archive.close();
  });
});

describe("an archive without an index of its records", () => {
  const stored = (index: Uint8Array | null): RecordStore<ArchivedItem> => ({
    index: async () => index,
    async *scan() {
      yield ITEMS;
    },
    at: async (ordinals) => ordinals.map((ordinal) => ITEMS.find(({ id }) => id === itemId(ordinal))!),
    sourcePaths: async () => ["/mail/ann.pst"],
  });

  it("returns the same results", async () => {
    const index = await makeRecordIndex([ITEMS], indexedItem);
    const [without, having] = [recordPages(stored(null), indexedItem), recordPages(stored(index), indexedItem)];
    for (const query of ["crane", "kind:task", "source:ann", "rope OR keys", "larger:20 -smaller:21"]) {
      const page = await without({ ...ASKED, query });
      expect(page.total, query).toBeGreaterThan(0);
      expect(page, query).toEqual(await having({ ...ASKED, query }));
    }
  });

  it("may have none", async () => {
    const none = recordPages<ArchivedItem>({ ...stored(null), async *scan() {} }, indexedItem);
    expect(await none({ ...ASKED, query: "crane", sort: "relevance" })).toEqual({ total: 0, kinds: [], found: [] });
    expect(await none({ ...ASKED, sort: "newest" })).toEqual({ total: 0, kinds: [], found: [] });
  });
});
