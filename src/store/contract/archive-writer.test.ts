import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageRow } from "../../../test/message-row.ts";
import { SAMPLE_RECORD, sampleArchives } from "../../../test/sample-rows.ts";
import { withStoredSample, writeSample } from "../../../test/stored-sample.ts";
import { STORES } from "../../../test/stores.ts";
import type { Archive } from "../../mail/archive.ts";
import { contactId, OTHER_TOPIC, topicId } from "../../mail/records/ids.ts";
import type { ContactOrdinal, MessageOrdinal, ThreadOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import { openArchive } from "../archive/open-archive.ts";
import { createArchive, growArchive } from "../archive/write-archive.ts";
import { MAX_MESSAGES, MAX_VALUE_BYTES, RepeatedOrdinal } from "./archive-writer.ts";
import { type MessageRow, PLACEMENT_FIELDS, RESTORED_FIELDS } from "./rows.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-writer-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function row(ordinal: number, changes: Partial<MessageRow> = {}): MessageRow {
  return messageRow(ordinal, {
    subject: `Subject ${ordinal}`,
    baseSubjectKey: `subject ${ordinal}`,
    from: { name: "Ann", email: "ann@example.org" },
    to: [{ name: "", email: "bob@example.org" }],
    fromContact: 1 as ContactOrdinal,
    recipients: [{ contact: 2 as ContactOrdinal, kind: "to" }],
    sentAt: 1_000 * ordinal,
    flags: ["seen"],
    body: Buffer.from(`body ${ordinal}`),
    bodyTokens: 2,
    ...changes,
  });
}

describe.each(STORES)("ArchiveWriter of $name", (store) => {
  it("rejects a message and a value above the limits, in one line", async () => {
    const writer = await createArchive(store.placeIn(directory, "full.db"));
    const refused = (message: string) => expect.objectContaining({ code: "ARCHIVE_FULL", message });
    await expect(writer.addMessages([row((MAX_MESSAGES + 1) as MessageOrdinal)])).rejects.toEqual(
      refused("an archive can contain at most 124999999 messages"),
    );
    // Never written to, so it does not count as memory.
    const huge = new Uint8Array(MAX_VALUE_BYTES + 1);
    await expect(writer.setMeta("model", huge)).rejects.toEqual(refused("model exceeds 1000000000 bytes"));
    await writer.abort();
  });

  it("gives a later run everything it needs of the stored messages", async () => {
    const path = store.placeIn(directory, "skeletons.db");
    const first = await createArchive(path);
    const whole = row(1, {
      inReplyTo: ["a@x"],
      references: ["b@x", "c@x"],
      conversationIndexRoot: "01".repeat(22),
      gmailThreadId: "17",
      isAutomatic: true,
      sender: { name: "", email: "robot@example.org" },
      cc: [{ name: "Cé", email: "c@x" }],
      replyTo: [{ name: "R", email: "r@x" }],
      receivedAt: 5,
    });
    await first.addMessages([whole, row(2, { from: null, fromContact: null, sentAt: null })]);
    await first.setMeta("model", new Uint8Array([1, 2, 3]));
    await first.setRecord(SAMPLE_RECORD);
    await first.finish();

    const later = await growArchive(path, store.placeIn(directory, "later.db"));
    const skeletons = (await gathered(later.messageSkeletons())).flat();
    const kept = Object.fromEntries(RESTORED_FIELDS.map((field) => [field, whole[field]]));
    expect({ ...skeletons[0], contentKey: Buffer.from(skeletons[0]!.contentKey) }).toEqual({
      ...kept,
      mailbox: whole.mailbox,
      contentKey: Buffer.from(whole.contentKey),
    });
    const placements = (await gathered(later.placements())).flat();
    expect(placements).toEqual(
      skeletons.map((message) => Object.fromEntries(PLACEMENT_FIELDS.map((field) => [field, message[field]]))),
    );
    expect(skeletons[1]).toMatchObject({ ordinal: 2, from: null, sentAt: null, conversationIndexRoot: null });
    expect([...((await later.getMeta("model")) as Uint8Array)]).toEqual([1, 2, 3]);
    expect(await later.getMeta("none")).toBeNull();
    expect(await later.nextOrdinals()).toEqual({ message: 3, contact: 1, thread: 1, topic: 1, event: 1, item: 1 });
    await later.abort();
  });

  it("reads each row before the next, and stores its values at that moment", async () => {
    const place = store.placeIn(directory, "window.db");
    const writer = await createArchive(place);
    const window = Buffer.from("body 0");
    function* rows(): Generator<MessageRow> {
      for (let ordinal = 1; ordinal <= 300; ordinal++) {
        window.fill(48 + (ordinal % 10), 5);
        yield row(ordinal, { body: window });
      }
    }
    await writer.addMessages(rows());
    await writer.setRecord(SAMPLE_RECORD);
    await writer.finish();
    const archive = await openArchive(place);
    for await (const batch of archive.messages.scan())
      for (const { id, body } of batch) expect(Buffer.from(body).toString()).toBe(`body ${Number(id.slice(4)) % 10}`);
    await archive.close();
  });

  it("returns stored rows in batches, in order", async () => {
    const writer = await createArchive(store.placeIn(directory, "batches.db"));
    await writer.addMessages(
      Array.from({ length: 2500 }, (_, index) => row(index + 1, { contentKey: Buffer.alloc(16, `${index}-`) })),
    );
    const batches = await gathered(writer.messageSkeletons());
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(2500);
    expect(batches.flat().map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
    await writer.abort();
  });

  it("rejects two rows with one ordinal, and passes on errors of an iterable", async () => {
    const writer = await createArchive(store.placeIn(directory, "repeated.db"));
    const twice = (async () => {
      await writer.addMessages([row(1), row(1, { messageId: "other@example.org" })]);
      await writer.finish();
    })();
    await expect(twice).rejects.toBeInstanceOf(RepeatedOrdinal);
    await writer.abort();
    const other = await createArchive(store.placeIn(directory, "throws.db"));
    function* failing(): Generator<MessageRow> {
      yield row(1);
      throw new RangeError("the segment ends early");
    }
    await expect(other.addMessages(failing())).rejects.toThrow("the segment ends early");
    await other.abort();
  });

  it("does not change the archive it extends, and removes an abandoned one", async () => {
    const place = store.placeIn(directory, "earlier.db");
    const writer = await createArchive(place);
    await writer.addMessages([row(1)]);
    await writer.setRecord(SAMPLE_RECORD);
    await writer.finish();
    const grown = store.placeIn(directory, "given-up.db");
    const later = await growArchive(place, grown);
    await later.addMessages([row(2)]);
    await later.abort();
    expect(await store.isThere(grown)).toBe(false);
    const archive = await openArchive(place);
    expect((await archive.stats()).totalMessages).toBe(1);
    await archive.close();
  });

  it("replaces an archive while it is read", async () => {
    const place = store.placeIn(directory, "published.db");
    const drafts = await Promise.all(
      [1, 2].map(async (count) => {
        const draft = store.placeIn(directory, `draft-${count}.db`);
        const writer = await createArchive(draft);
        await writer.addMessages([row(1), row(2)].slice(0, count));
        await writer.setRecord(SAMPLE_RECORD);
        await writer.finish();
        return draft;
      }),
    );
    await store.publish(drafts[0]!, place);
    const reader = await openArchive(place);
    await store.publish(drafts[1]!, place);
    expect(await Promise.all(drafts.map(store.isThere))).toEqual([false, false]);
    const now = await openArchive(place);
    expect([(await reader.stats()).totalMessages, (await now.stats()).totalMessages]).toEqual([1, 2]);
    await reader.close();
    await now.close();
  });

  it("never reuses an ordinal, even after a removal", async () => {
    const path = store.placeIn(directory, "ordinals.db");
    const first = await createArchive(path);
    await first.replaceThreads(
      ([7, 9] as ThreadOrdinal[]).map((ordinal) => ({
        ordinal,
        subject: "",
        messageCount: 1,
        participants: [],
        firstMessage: null,
        lastMessage: null,
        topic: OTHER_TOPIC,
      })),
    );
    await first.replaceThreads([]);
    await first.setRecord(SAMPLE_RECORD);
    await first.finish();
    const later = await growArchive(path, store.placeIn(directory, "later.db"));
    expect((await later.nextOrdinals()).thread).toBe(10);
    await later.abort();
  });

  it("grows to the archive of a single run", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, fc.nat(40), async (sample, cut) => {
        const grown = store.placeIn(directory, "grown.db");
        const first = await createArchive(grown);
        await first.addMessages(
          sample.messages.slice(0, cut).map((message) => ({
            ...message,
            thread: 77 as ThreadOrdinal,
            topic: 9 as TopicOrdinal,
            quotes: [],
            occurrences: [],
          })),
        );
        await first.replaceContacts(sample.contacts.slice(0, 1));
        await first.replaceThreads(sample.threads.slice(0, cut).map((thread) => ({ ...thread, subject: "before" })));
        await first.setRecord(SAMPLE_RECORD);
        await first.finish();
        const later = await growArchive(grown, store.placeIn(directory, "later.db"));
        await later.addMessages(sample.messages.slice(cut));
        const old = sample.messages.slice(0, cut);
        const copies = old.flatMap((found) =>
          [...found.occurrences, ...found.occurrences].map((occurrence) => ({
            ...occurrence,
            message: found.ordinal,
            found: { ...found, ...occurrence },
          })),
        );
        const added = old.reduce((sum, { occurrences }) => sum + occurrences.length - 1, 0);
        expect([await later.addCopies(copies), await later.addCopies(copies)]).toEqual([added, 0]);
        await later.setMessageQuotes(old.map(({ ordinal: message, quotes }) => ({ message, quotes })));
        await later.setMessageThreads(old.map(({ ordinal: message, thread, topic }) => ({ message, thread, topic })));
        await later.replaceContacts(sample.contacts);
        const threads = sample.threads.map(({ ordinal }) => ordinal);
        await later.updateThreads(threads, sample.threads);
        await later.replaceTopics(sample.topics);
        await later.finish();
        await withStoredSample(store, sample, async (whole) => {
          const archive = await openArchive(store.placeIn(directory, "later.db"));
          expect(await contents(archive)).toEqual(await contents(whole));
          await archive.close();
        });
      }),
      { numRuns: 10 },
    );
  });

  it("moves messages from contact to contact", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, async (sample) => {
        const path = store.placeIn(directory, "moved.db");
        const writer = await createArchive(path);
        // Other contacts come first.
        const stray = (ordinal: number) => ordinal % 4 === 0;
        await writer.addMessages(
          sample.messages.map((message) => ({
            ...message,
            fromContact: stray(message.ordinal) ? (50 as ContactOrdinal) : message.fromContact,
            recipients: stray(message.ordinal) ? [] : message.recipients,
          })),
        );
        await writer.setMessageContacts(
          sample.messages
            .filter(({ ordinal }) => stray(ordinal))
            .map(({ ordinal: message, fromContact, recipients }) => ({ message, fromContact, recipients })),
        );
        await writer.replaceContacts(sample.contacts);
        await writer.replaceThreads(sample.threads);
        await writer.replaceTopics(sample.topics);
        await writer.setRecord(SAMPLE_RECORD);
        await writer.finish();
        await withStoredSample(store, sample, async (whole) => {
          const archive = await openArchive(path);
          expect(await contents(archive)).toEqual(await contents(whole));
          await archive.close();
        });
      }),
      { numRuns: 10 },
    );
  });

  it("gives messages the topics of their threads", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, async (sample) => {
        const path = store.placeIn(directory, "topics.db");
        const writer = await createArchive(path);
        const messages = sample.messages.map((message) => ({ ...message, topic: 2 as TopicOrdinal }));
        await writeSample(writer, { ...sample, messages });
        await writer.setTopics();
        await writer.finish();
        const topicOf = new Map(sample.threads.map(({ ordinal, topic }) => [ordinal, topic]));
        const given = sample.messages.map((message) => ({ ...message, topic: topicOf.get(message.thread)! }));
        await withStoredSample(store, { ...sample, messages: given }, async (whole) => {
          const archive = await openArchive(path);
          expect(await contents(archive)).toEqual(await contents(whole));
          await archive.close();
        });
      }),
      { numRuns: 10 },
    );
  });
});

async function gathered<T>(batches: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

/** Everything that readers return about contacts, topics and messages. */
async function contents(archive: Archive): Promise<unknown> {
  const page = { limit: 100, offset: 0 };
  return {
    messages: await archive.messages.list("sent_at", page),
    sent: await archive.messages.list("subject", page, { from: "ann@example.org" }),
    mailboxes: await archive.messages.mailboxes(),
    contacts: await Promise.all(
      [1, 2, 3, 4].map((ordinal) => archive.contacts.get(contactId(ordinal as ContactOrdinal))),
    ),
    topics: await Promise.all([0, 1, 2, 3].map((ordinal) => archive.topics.get(topicId(ordinal as TopicOrdinal)))),
    threads: await archive.threads.list(page),
    stats: await archive.stats(),
  };
}
