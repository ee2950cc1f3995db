import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ArchiveError } from "../errors.ts";
import { createArchive, openArchiveForAppend } from "./archive-writer.ts";
import type { MessageRow } from "./rows.ts";

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
    const first = createArchive(path);
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
    first.finish();

    const later = openArchiveForAppend(path);
    const skeletons = [...later.messageSkeletons()];
    const { recipients, body, attachments, occurrences, findings, sha256, sizeBytes, language, bodyTokens, location, contentKey, ...kept } =
      whole;
    expect(skeletons[0]).toEqual({ ...kept, contentKey: Buffer.from(contentKey) });
    expect(skeletons[1]).toMatchObject({ ordinal: 2, from: null, fromContact: null, sentAt: null, conversationIndexRoot: null });
    expect([...later.messageKeys()].map((key) => key.messageId)).toEqual(["1@example.org", "2@example.org"]);
    expect(later.hasMessage("1@example.org", contentKey)).toBe(true);
    expect(later.hasMessage("1@example.org", new Uint8Array(16))).toBe(false);
    expect(later.getMeta("model")).toEqual(Buffer.from([1, 2, 3]));
    expect(later.getMeta("none")).toBeNull();
    expect(later.nextOrdinals()).toEqual({ message: 3, contact: 1, thread: 1, topic: 1, event: 1, item: 1 });
    later.abort();
  });

  it("never gives an ordinal out again, even when what had it is gone", () => {
    const path = join(directory, "ordinals.db");
    const first = createArchive(path);
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
    first.finish();
    const later = openArchiveForAppend(path);
    expect(later.nextOrdinals().thread).toBe(10);
    later.abort();
  });

  it("refuses what is no archive, and an archive of another schema", () => {
    const text = join(directory, "text.db");
    writeFileSync(text, "this is no database at all, whatever its name says ".repeat(100));
    expect(() => openArchiveForAppend(text)).toThrow(expect.objectContaining({ code: "NOT_AN_ARCHIVE" }));
    const newer = join(directory, "newer.db");
    const writer = createArchive(newer);
    writer.database().pragma("user_version = 99");
    writer.finish();
    expect(() => openArchiveForAppend(newer)).toThrow(expect.objectContaining({ code: "ARCHIVE_VERSION" }));
    expect(() => createArchive(join(directory, "no-such-directory", "x.db"))).toThrow(ArchiveError);
  });
});
