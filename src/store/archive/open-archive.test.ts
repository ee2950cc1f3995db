import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  modelContacts,
  modelMessage,
  modelMessages,
  modelThreadMessages,
  modelThreads,
} from "../../../test/archive-model.ts";
import { isOf, SAMPLE_RECORD, type SampleArchive, sampleArchives } from "../../../test/sample-rows.ts";
import { withStoredSample } from "../../../test/stored-sample.ts";
import { STORES } from "../../../test/stores.ts";
import { CONTACT_SORTS, type Listed, MESSAGE_SORTS, type MessageFilter, type Page } from "../../mail/archive.ts";
import { contactId, messageId, topicId } from "../../mail/records/ids.ts";
import { INTERNAL_ITEM_DEFAULTS } from "../../mail/records/item.ts";
import type { MessageOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import { openArchive } from "./open-archive.ts";
import { createArchive } from "./write-archive.ts";

const RUNS = 8;

/** Concatenated pages: they must contain the whole list exactly once. */
async function allPages<T>(
  limit: number,
  list: (page: Page) => Promise<Listed<T>>,
): Promise<{ readonly items: readonly T[]; readonly total: number }> {
  const items: T[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = await list({ limit, offset });
    items.push(...page.items);
    if (page.items.length < limit) return { items, total: page.total };
  }
}

async function gathered<T>(batches: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}

const ids = (items: readonly { readonly id: string }[]): readonly string[] => items.map((item) => item.id);

describe.each(STORES)("lists of an archive in $name", (store) => {
  const filters: fc.Arbitrary<MessageFilter> = fc.record(
    {
      from: fc.constantFrom(
        "ann@example.org",
        "ANN.ÖSK@example.ORG",
        "100%_zoe@example.net",
        "/o=example/cn=dave",
        "nobody@example.org",
      ),
      threadId: fc.constantFrom("thread-000001", "thread-000002", "thread-000099", "thread-1"),
      topicId: fc.constantFrom("topic-000", "topic-001", "topic-077", "nonsense"),
    },
    { requiredKeys: [] },
  );

  it("return messages in every order and filter like a plain sort", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, filters, fc.integer({ min: 1, max: 7 }), (sample, filter, limit) =>
        withStoredSample(store, sample, async (archive) => {
          for (const sort of MESSAGE_SORTS) {
            for (const narrowed of [filter, {}]) {
              const { items, total } = await allPages(limit, (page) => archive.messages.list(sort, page, narrowed));
              const expected = modelMessages(sample, sort, narrowed);
              expect(ids(items)).toEqual(expected);
              expect(total).toBe(expected.length);
            }
          }
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it("return contacts in every order and by part of a name or address", async () => {
    const searches = fc.constantFrom(
      "",
      "a",
      "ÖSK",
      "osk",
      "%",
      "_",
      "100%_z",
      "EXAMPLE.ORG",
      "zoe",
      "/o=",
      "\\",
      "nothing like it",
    );
    await fc.assert(
      fc.asyncProperty(sampleArchives, searches, fc.integer({ min: 1, max: 3 }), (sample, search, limit) =>
        withStoredSample(store, sample, async (archive) => {
          for (const sort of CONTACT_SORTS) {
            const { items, total } = await allPages(limit, (page) => archive.contacts.list(sort, page, search));
            const expected = modelContacts(sample, sort, search);
            expect(ids(items)).toEqual(expected);
            expect(total).toBe(expected.length);
          }
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it("return threads by last message, and their messages oldest first", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, fc.integer({ min: 1, max: 3 }), (sample, limit) =>
        withStoredSample(store, sample, async (archive) => {
          const { items, total } = await allPages(limit, (page) => archive.threads.list(page));
          expect(ids(items)).toEqual(modelThreads(sample));
          expect(total).toBe(sample.threads.length);
          for (const thread of await gathered(archive.threads.scan())) {
            const expected = modelThreadMessages(sample, Number(thread.id.slice(-6)));
            expect(thread.messageIds).toEqual(expected);
            expect(ids(await archive.threads.messages(thread.id))).toEqual(expected);
            expect(await archive.threads.get(thread.id)).toEqual(thread);
          }
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it("return topics by size, name and coherence", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, (sample) =>
        withStoredSample(store, sample, async (archive) => {
          const bySize = [...sample.topics].sort((a, b) => b.messageCount - a.messageCount || a.ordinal - b.ordinal);
          expect(ids((await archive.topics.list("frequency", 3)).items)).toEqual(
            bySize.slice(0, 3).map(({ ordinal }) => topicId(ordinal)),
          );
          const byName = await archive.topics.list("name", 10);
          expect(byName).toMatchObject({
            total: 4,
            items: [{ name: "Ångström" }, { name: "Budget" }, { name: "büdget" }, { name: "Other" }],
          });
          const { items } = await archive.topics.list("coherence", 10);
          expect(items.map(({ mentionPercent }) => mentionPercent)).toEqual([80, 80, 42, null]);
          expect(items[0]!.messageCount).toBeGreaterThanOrEqual(items[1]!.messageCount);
        }),
      ),
      { numRuns: 10 },
    );
  });
});

describe.each(STORES)("records of an archive in $name", (store) => {
  it("are returned as written: one, several, and in a scan", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, (sample) =>
        withStoredSample(store, sample, async (archive) => {
          const expected = sample.messages.map(modelMessage);
          const scanned = (await gathered(archive.messages.scan())).map(({ sortedAt: _, ...message }) => ({
            ...message,
            body: Buffer.from(message.body).toString(),
          }));
          expect(scanned).toEqual(expected);
          const backwards = ids(expected).toReversed();
          expect(await archive.messages.getMany([...backwards, "msg-999999", "msg-1", ""])).toEqual(
            expected.toReversed(),
          );
          if (expected.length > 0) expect(await archive.messages.get("msg-000001")).toEqual(expected[0]);
          for (const { ordinal, fileTexts } of sample.messages)
            expect(await archive.messages.fileTexts(messageId(ordinal))).toEqual(fileTexts);
          expect(await archive.messages.fileTexts("nobody")).toEqual([]);
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it("list the messages of a contact, newest first, its topics and the evidence of its addresses", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, (sample) =>
        withStoredSample(store, sample, async (archive) => {
          const newest = modelMessages(sample, "sent_at", {});
          for (const row of sample.contacts) {
            const { ordinal, community, evidence, ...same } = row;
            const own = sample.messages.filter((message) => isOf(message, ordinal));
            const detail = await archive.contacts.get(contactId(ordinal));
            expect(detail).toMatchObject({ ...same, id: contactId(ordinal), communityId: "community-01", evidence });
            expect(detail?.messageIds).toEqual(
              newest.filter((id) => own.some((message) => messageId(message.ordinal) === id)),
            );
            const topics = [0, 1, 2, 3].map((topic) => ({
              topicId: topicId(topic as TopicOrdinal),
              frequency: own.filter((message) => message.topic === topic).length,
            }));
            expect(detail?.commonTopics).toEqual(
              topics.filter((topic) => topic.frequency > 0).sort((a, b) => b.frequency - a.frequency),
            );
          }
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it("list the messages of a topic, newest first, its dates and its contacts", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, (sample) =>
        withStoredSample(store, sample, async (archive) => {
          for (const topic of [0, 1, 2, 3]) {
            const detail = await archive.topics.get(topicId(topic as TopicOrdinal));
            const own = sample.messages.filter((message) => message.topic === topic);
            const dates = own.map((message) => message.sentAt).filter((sentAt) => sentAt !== null);
            expect(detail?.messageIds).toEqual(
              modelMessages(sample, "sent_at", { topicId: topicId(topic as TopicOrdinal) }),
            );
            expect(detail).toMatchObject({
              earliest: dates.length === 0 ? null : Math.min(...dates),
              latest: dates.length === 0 ? null : Math.max(...dates),
            });
            const contacts = sample.contacts.map(({ ordinal, name }) => ({
              contactId: contactId(ordinal),
              name,
              frequency: own.filter((message) => isOf(message, ordinal)).length,
            }));
            expect(detail?.keyContacts).toEqual(
              contacts.filter(({ frequency }) => frequency > 0).sort((a, b) => b.frequency - a.frequency),
            );
          }
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it("add up in statistics, folders and months", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, (sample) =>
        withStoredSample(store, sample, async (archive) => {
          const dates = sample.messages.map((message) => message.sentAt).filter((sentAt) => sentAt !== null);
          expect(await archive.stats()).toMatchObject({
            totalMessages: sample.messages.length,
            totalThreads: sample.threads.length,
            multiMessageThreads: sample.threads.filter((thread) => thread.messageCount > 1).length,
            totalAttachments: sample.messages.reduce((sum, message) => sum + message.attachments.length, 0),
            piiRedactions: 4,
            dateRange: {
              earliest: dates.length === 0 ? null : Math.min(...dates),
              latest: dates.length === 0 ? null : Math.max(...dates),
            },
          });
          const timeline = await archive.messages.timeline();
          expect(timeline.reduce((sum, month) => sum + month.messages, 0)).toBe(dates.length);
          const months = [...new Set(dates.map((date) => new Date(date).toISOString().slice(0, 7)))].sort();
          expect(timeline.map((month) => month.month)).toEqual(months);
          const places = sample.messages.map(
            ({ occurrences }) => new Set(occurrences.map(({ source, mailbox }) => `${source} ${mailbox}`)),
          );
          const folders = [...new Set(places.flatMap((place) => [...place]))];
          const totals = await archive.messages.mailboxes();
          expect(totals.map(({ source, mailbox }) => `${source} ${mailbox}`)).toEqual(folders);
          expect(totals.reduce((sum, total) => sum + total.messages, 0)).toBe(
            places.reduce((sum, { size }) => sum + size, 0),
          );
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it("return any page of a long list", async () => {
    const [sample] = fc.sample(
      sampleArchives.filter(({ messages }) => messages.length > 8),
      { numRuns: 1, seed: 2 },
    ) as [SampleArchive];
    const messages = Array.from({ length: 600 }, (_, index) => ({
      ...sample.messages[index % 8]!,
      ordinal: (index + 1) as MessageOrdinal,
      messageId: `${index}@x`,
      sentAt: index % 3 === 0 ? null : (index * 7919) % 100,
    }));
    const long = { ...sample, messages };
    await withStoredSample(store, long, async (archive) => {
      for (const sort of MESSAGE_SORTS) {
        const expected = modelMessages(long, sort, {});
        for (const offset of [0, 1, 255, 256, 257, 300, 500, 511, 599, 600, 5_000])
          for (const limit of [1, 2, 20, 300]) {
            const { items, total } = await archive.messages.list(sort, { limit, offset });
            expect([ids(items), total]).toEqual([expected.slice(offset, offset + limit), messages.length]);
          }
      }
    });
  });

  it("are null for ids that do not exist or are not written as this tool writes them", async () => {
    await withStoredSample(store, fc.sample(sampleArchives, { numRuns: 1, seed: 7 })[0]!, async (archive) => {
      for (const id of ["msg-1", "msg-000000", "msg-900000", "contact-000001", "", "msg-00000x"])
        expect(await archive.messages.get(id)).toBeNull();
      expect(await archive.contacts.get("contact-000005")).toBeNull();
      expect(await archive.threads.get("thread-000006")).toBeNull();
      expect(await archive.threads.messages("thread-000006")).toEqual([]);
      expect(await archive.topics.get("topic-004")).toBeNull();
    });
  });
});

describe.each(STORES)("openArchive of $name", (store) => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-open-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("returns provenance, events and items as written", async () => {
    const place = store.placeIn(directory, "provenance.db");
    const writer = await createArchive(place);
    const counts = { seen: 4, kept: 1, duplicate: 1, skipped: 1, failed: 1 };
    const none = { seen: 0, kept: 0, duplicate: 0, skipped: 0, failed: 0 };
    const source = {
      path: "a.mbox",
      format: "mbox",
      sha256: "ab".repeat(32),
      sizeBytes: 9,
      counts,
      calendarEvents: 2,
    } as const;
    const sources = [
      {
        ...source,
        mailboxes: [
          { name: "Sent", counts: none },
          { name: "INBOX", counts },
        ],
      },
    ];
    const warning = {
      code: "item-damaged",
      message: "cannot be read",
      source: 0,
      location: "offset:9",
      sha256: null,
      outcome: "failed",
    } as const;
    const run = { extractedAt: 5, toolVersion: "0.6.0", incremental: false, sources: ["a.mbox"], added: counts };
    const item = {
      id: "item-000001",
      kind: "note",
      subject: "S",
      fields: { body: "text" },
      mailbox: "Notes",
      source: 0,
      ...INTERNAL_ITEM_DEFAULTS,
    } as const;
    await writer.replaceSources([{ ...source, mailboxes: [{ name: "Gone", counts }] }]);
    await writer.replaceSources(sources);
    await writer.addWarnings(
      Array.from({ length: 10_001 }, () => warning),
      0,
    );
    await writer.addWarnings([warning], 3);
    await writer.addRun(run);
    await writer.addItems([item]);
    await writer.setRecord(SAMPLE_RECORD);
    await writer.finish();
    const archive = await openArchive(place);
    const provenance = await archive.provenance();
    expect(provenance).toMatchObject({
      ...SAMPLE_RECORD,
      sources,
      warningsTruncated: 5,
      runs: [run],
      statistics: { totalItems: 1 },
    });
    expect(provenance.warnings).toHaveLength(10_000);
    expect(provenance.warnings[0]).toEqual(warning);
    expect(await gathered(archive.items.scan())).toEqual([item]);
    expect(await gathered(archive.events.scan())).toEqual([]);
    await archive.close();
  });

  it("keeps only one batch of a scan in memory, and one huge message is a batch", async () => {
    const sample = fc.sample(
      sampleArchives.filter(({ messages }) => messages.length > 8),
      { numRuns: 1, seed: 1 },
    )[0]!;
    const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, "x");
    const messages = Array.from({ length: 600 }, (_, index) => ({
      ...sample.messages[index % 8]!,
      ordinal: (index + 1) as MessageOrdinal,
      messageId: `${index}@x`,
      body: index === 300 ? megabytes(6) : index < 10 ? megabytes(1) : Buffer.from("small"),
    }));
    await withStoredSample(store, { ...sample, messages }, async (archive) => {
      let seen = 0;
      for await (const batch of archive.messages.scan()) {
        const bytes = batch.reduce((sum, message) => sum + message.body.length, 0);
        expect(batch.length).toBeLessThanOrEqual(256);
        expect(bytes <= 4 * 1024 * 1024 || batch.length === 1).toBe(true);
        seen += batch.length;
      }
      expect(seen).toBe(600);
    });
  });
});
