import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withSampleFile } from "../../../test/sample-file.ts";
import { SAMPLE_RECORD, sampleArchives } from "../../../test/sample-rows.ts";
import { ArchiveError } from "../../errors.ts";
import type { Archive } from "../../mail/archive.ts";
import { contactId, topicId } from "../../mail/ids.ts";
import { archiveAt } from "../archive-location.ts";
import { openArchive } from "../open-archive.ts";
import type { MessageRow } from "../rows.ts";
import { createSqliteArchive, growSqliteArchive } from "./archive-writer.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-writer-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function row(ordinal: number, changes: Partial<MessageRow> = {}): MessageRow {
  return {
    ordinal,
    messageId: `${ordinal}@example.org`,
    contentKey: new Uint8Array(16).fill(ordinal),
    thread: 1,
    topic: 0,
    inReplyTo: [],
    references: [],
    conversationIndexRoot: null,
    gmailThreadId: null,
    subject: `Subject ${ordinal}`,
    baseSubjectKey: `subject ${ordinal}`,
    isAutomatic: false,
    from: { name: "Ann", email: "ann@example.org" },
    sender: null,
    to: [{ name: "", email: "bob@example.org" }],
    cc: [],
    bcc: [],
    replyTo: [],
    fromContact: 1,
    recipients: [{ contact: 2, kind: "to" }],
    sentAt: 1_000 * ordinal,
    receivedAt: null,
    mailbox: "INBOX",
    flags: ["seen"],
    source: 0,
    location: `offset:${ordinal}`,
    sha256: "ab".repeat(32),
    sizeBytes: 100,
    language: null,
    body: Buffer.from(`body ${ordinal}`),
    bodyTokens: 2,
    attachments: [],
    occurrences: [],
    findings: [],
    ...changes,
  };
}

describe("ArchiveWriter", () => {
  it("gives a later run everything it needs of the messages stored", () => {
    const path = join(directory, "skeletons.db");
    const first = createSqliteArchive(path);
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
    first.addMessages([whole, row(2, { from: null, fromContact: null, sentAt: null })]);
    first.setMeta("model", new Uint8Array([1, 2, 3]));
    first.setRecord(SAMPLE_RECORD);
    first.finish();

    const later = growSqliteArchive(path);
    const skeletons = [...later.messageSkeletons()];
    const { recipients, body, attachments, occurrences, findings, sha256, sizeBytes, language, bodyTokens, location, contentKey, ...kept } =
      whole;
    expect({ ...skeletons[0], contentKey: Buffer.from(skeletons[0]!.contentKey) }).toEqual({
      ...kept,
      contentKey: Buffer.from(contentKey),
    });
    expect(skeletons[1]).toMatchObject({ ordinal: 2, from: null, fromContact: null, sentAt: null, conversationIndexRoot: null });
    expect([...later.messageKeys()].map((key) => key.messageId)).toEqual(["1@example.org", "2@example.org"]);
    expect(later.hasMessage("1@example.org", contentKey)).toBe(true);
    expect(later.hasMessage("1@example.org", new Uint8Array(16))).toBe(false);
    expect([...(later.getMeta("model") as Uint8Array)]).toEqual([1, 2, 3]);
    expect(later.getMeta("none")).toBeNull();
    expect(later.nextOrdinals()).toEqual({ message: 3, contact: 1, thread: 1, topic: 1, event: 1, item: 1 });
    later.abort();
  });

  it("never gives an ordinal out again, even when what had it is gone", () => {
    const path = join(directory, "ordinals.db");
    const first = createSqliteArchive(path);
    first.replaceThreads(
      [7, 9].map((ordinal) => ({
        ordinal,
        subject: "",
        messageCount: 1,
        participants: [],
        firstMessage: null,
        lastMessage: null,
        topic: 0,
      })),
    );
    first.replaceThreads([]);
    first.setRecord(SAMPLE_RECORD);
    first.finish();
    const later = growSqliteArchive(path);
    expect(later.nextOrdinals().thread).toBe(10);
    later.abort();
  });

  it("refuses what is no archive, and an archive of another schema", () => {
    const text = join(directory, "text.db");
    writeFileSync(text, "this is no database at all, whatever its name says ".repeat(100));
    expect(() => growSqliteArchive(text)).toThrow(expect.objectContaining({ code: "NOT_AN_ARCHIVE" }));
    const newer = join(directory, "newer.db");
    const writer = createSqliteArchive(newer);
    writer.database().pragma("user_version = 99");
    writer.setRecord(SAMPLE_RECORD);
    writer.finish();
    expect(() => growSqliteArchive(newer)).toThrow(expect.objectContaining({ code: "ARCHIVE_VERSION" }));
    expect(() => createSqliteArchive(join(directory, "no-such-directory", "x.db"))).toThrow(ArchiveError);
  });

  it("grows to what a single run would have written", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, fc.nat(40), async (sample, cut) => {
        const grown = join(directory, "grown.db");
        const first = createSqliteArchive(grown);
        first.addMessages(sample.messages.slice(0, cut).map((message) => ({ ...message, thread: 77, topic: 9, occurrences: [] })));
        first.replaceContacts(sample.contacts.slice(0, 1));
        first.setRecord(SAMPLE_RECORD);
        first.finish();
        const later = growSqliteArchive(grown);
        later.addMessages(sample.messages.slice(cut));
        const old = sample.messages.slice(0, cut);
        const copies = old.flatMap((found) =>
          [...found.occurrences, ...found.occurrences].map((occurrence) => ({
            ...occurrence,
            message: found.ordinal,
            found: { ...found, ...occurrence },
          })),
        );
        const added = old.reduce((sum, { occurrences }) => sum + occurrences.length - 1, 0);
        expect([later.addCopies(copies), later.addCopies(copies)]).toEqual([added, 0]);
        later.setMessageThreads(old.map(({ ordinal: message, thread, topic }) => ({ message, thread, topic })));
        later.replaceContacts(sample.contacts);
        later.replaceThreads(sample.threads);
        later.replaceTopics(sample.topics);
        later.finish();
        await withSampleFile(sample, async (whole) => {
          const archive = openArchive(archiveAt(grown));
          expect(await contents(archive)).toEqual(await contents(whole));
          await archive.close();
        });
      }),
      { numRuns: 30 },
    );
  });

  it("moves messages from contact to contact", async () => {
    await fc.assert(
      fc.asyncProperty(sampleArchives, async (sample) => {
        const path = join(directory, "moved.db");
        const writer = createSqliteArchive(path);
        // Other contacts first: 11…14 stand for 1…4, and of some messages the contacts are wrong altogether.
        const stray = (ordinal: number) => ordinal % 4 === 0;
        writer.addMessages(
          sample.messages.map((message) => ({
            ...message,
            fromContact: stray(message.ordinal) ? 50 : message.fromContact && message.fromContact + 10,
            recipients: stray(message.ordinal) ? [] : message.recipients.map(({ contact, kind }) => ({ contact: contact + 10, kind })),
          })),
        );
        writer.setMessageContacts(
          sample.messages
            .filter(({ ordinal }) => stray(ordinal))
            .map(({ ordinal: message, fromContact, recipients }) => ({ message, fromContact, recipients })),
        );
        writer.remapContacts([
          { from: 11, to: 1 },
          { from: 12, to: 20 },
          { from: 20, to: 2 },
          { from: 13, to: 3 },
          { from: 14, to: 4 },
          { from: 3, to: 3 },
        ]);
        writer.replaceContacts(sample.contacts);
        writer.replaceThreads(sample.threads);
        writer.replaceTopics(sample.topics);
        writer.setRecord(SAMPLE_RECORD);
        writer.finish();
        await withSampleFile(sample, async (whole) => {
          const archive = openArchive(archiveAt(path));
          expect(await contents(archive)).toEqual(await contents(whole));
          await archive.close();
        });
      }),
      { numRuns: 30 },
    );
  });
});

/** Everything the readers tell of contacts, topics and messages. */
async function contents(archive: Archive): Promise<unknown> {
  const page = { limit: 100, offset: 0 };
  return {
    messages: await archive.messages.list("sent_at", page),
    sent: await archive.messages.list("subject", page, { from: "ann@example.org" }),
    mailboxes: await archive.messages.mailboxes(),
    contacts: await Promise.all([1, 2, 3, 4].map((ordinal) => archive.contacts.get(contactId(ordinal)))),
    topics: await Promise.all([0, 1, 2, 3].map((ordinal) => archive.topics.get(topicId(ordinal)))),
    threads: await archive.threads.list(page),
    stats: await archive.stats(),
  };
}
