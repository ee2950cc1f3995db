import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLE_RECORD } from "../../../test/sample-rows.ts";
import { type CorpusMessage, corpusSegments, corpusSource } from "../../../test/search-corpus.ts";
import { lastDocument } from "../../search/posting-codec.ts";
import { Searcher } from "../../search/searcher.ts";
import type { ContactRow, MessageRow, TopicRow } from "../rows.ts";
import { createSqliteArchive, growSqliteArchive } from "./archive-writer.ts";
import { openForReading, type SqliteDatabase } from "./database.ts";
import { removeFromSearch, writeSearchIndex } from "./search-index.ts";
import { searchReader } from "./search-reader.ts";
import { openSearchSource } from "./search-source.ts";

let directory: string;
let files = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-search-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function freshPath(): string {
  files += 1;
  return join(directory, `${files}`);
}

function messageRow(message: CorpusMessage, ordinal: number): MessageRow {
  return {
    ordinal,
    messageId: `${ordinal}@example.org`,
    contentKey: new Uint8Array(16),
    thread: 1,
    topic: message.topic ?? 0,
    inReplyTo: [],
    references: [],
    conversationIndexRoot: null,
    gmailThreadId: null,
    subject: message.subject ?? "",
    baseSubjectKey: "",
    isAutomatic: false,
    from: message.from === undefined ? null : { name: message.from, email: "" },
    sender: null,
    to: [],
    cc: [],
    bcc: [],
    replyTo: [],
    fromContact: message.author ?? null,
    recipients: [],
    sentAt: message.sentAt ?? null,
    receivedAt: null,
    mailbox: "INBOX",
    flags: [],
    source: 0,
    location: "",
    sha256: "ab".repeat(32),
    sizeBytes: 1,
    language: null,
    body: Buffer.from(message.body),
    bodyTokens: 0,
    attachments: [],
    occurrences: [],
    findings: [],
  };
}

const ANN: ContactRow = {
  ordinal: 1,
  name: "Ann Lee",
  email: "ann@example.org",
  messageCount: 1,
  sentCount: 1,
  receivedCount: 0,
  frequency: "low",
  firstSeen: null,
  lastSeen: null,
  sentiment: "neutral",
  community: 1,
  authorityScore: 0,
  hubScore: 0,
  pagerank: 0,
  degree: 0,
  inDegree: 0,
  outDegree: 0,
  aliases: ["Ann.Lee@example.net"],
  domains: [],
  evidence: [],
};
const BUDGETS: TopicRow = { ordinal: 1, name: "Budget", description: "", messageCount: 1, topKeywords: ["annual report"], createdAt: 0 };

/** Writes an archive in as many runs as there are parts, each part in segments of `chunk` messages, and opens it. */
function writeArchive(parts: readonly (readonly CorpusMessage[])[], chunk: number): SqliteDatabase {
  const path = freshPath();
  let first = 1;
  parts.forEach((messages, run) => {
    const writer = run === 0 ? createSqliteArchive(path) : growSqliteArchive(path);
    const start = first;
    writer.addMessages(messages.map((message, i) => messageRow(message, start + i)));
    writer.replaceContacts([ANN]);
    writer.replaceTopics([BUDGETS]);
    writer.setRecord(SAMPLE_RECORD);
    const segments = corpusSegments(messages, chunk, first).map((segment) => {
      const file = freshPath();
      writeFileSync(file, segment);
      return file;
    });
    writeSearchIndex(writer.database(), segments);
    writer.finish();
    first += messages.length;
  });
  return openForReading(path);
}

const TEXT = fc
  .array(fc.constantFrom("the", "of", "budget", "Müller", "東京都", "plan", "planet", "x1", "x2", "x3", "x4"), { maxLength: 12 })
  .map((words) => words.join(" "));
const MESSAGE: fc.Arbitrary<CorpusMessage> = fc.record(
  { subject: TEXT, body: TEXT, from: TEXT, mailbox: TEXT, author: fc.nat(3), sentAt: fc.option(fc.nat(9)), topic: fc.nat(2) },
  { requiredKeys: ["body"] },
);
const MESSAGES = fc.array(MESSAGE, { minLength: 1, maxLength: 30 });

function indexRows(database: SqliteDatabase): unknown {
  return ["ix_block", "ix_post", "ix_doc", "ix_column"].map((table) => database.prepare(`SELECT * FROM ${table}`).raw().all());
}

describe("writeSearchIndex and openSearchSource", () => {
  it("hold what the segments held", () => {
    fc.assert(
      fc.property(MESSAGES, fc.integer({ min: 1, max: 10 }), (messages, chunk) => {
        const database = writeArchive([messages], chunk);
        const stored = openSearchSource(database);
        const expected = corpusSource(messages);
        expect(stored.columns.lengths).toEqual(expected.columns.lengths);
        expect(stored.columns.authors).toEqual(expected.columns.authors);
        expect(stored.columns.topics).toEqual(expected.columns.topics);
        expect(stored.columns.sentAt.subarray(1)).toEqual(expected.columns.sentAt.subarray(1));
        expect([stored.documentCount, stored.averageLength]).toEqual([expected.documentCount, expected.averageLength]);
        for (const prefix of ["p", "plan", "x", "東", ":f", "zz"]) {
          expect(stored.termsWithPrefix(prefix, 3)).toEqual(expected.termsWithPrefix(prefix, 3));
        }
        for (const term of [...expected.termsWithPrefix("", 1000), "absent", "~"]) {
          const found = stored.postings(term);
          expect(found?.documentFrequency).toBe(expected.postings(term)?.documentFrequency);
          expect(found?.lists.map((list) => Array.from(list))).toEqual(expected.postings(term)?.lists.map((list) => Array.from(list)));
        }
        database.close();
      }),
      { numRuns: 12 },
    );
  });

  it("give the same rows wherever the segments were cut", () => {
    const messages = fc.sample(MESSAGE, { numRuns: 40, seed: 7 });
    const whole = writeArchive([messages], 40);
    const cut = writeArchive([messages], 3);
    expect(indexRows(cut)).toEqual(indexRows(whole));
    for (const database of [whole, cut]) database.close();
  });

  it("find the same when messages came in several runs", () => {
    const messages = fc.sample(MESSAGE, { numRuns: 60, seed: 8 });
    const whole = writeArchive([messages], 60);
    // Small additions stand in segments of their own.
    const grown = writeArchive([messages.slice(0, 50), messages.slice(50, 54), [], messages.slice(54)], 7);
    expect(openSearchSource(grown).postings("the")!.lists).toHaveLength(3);
    const [expected, found] = [whole, grown].map((database) => new Searcher(openSearchSource(database)));
    for (const query of ["the budget", "plan* -x1", '"of the"', "from:muller x2", "x1 x2 x3 x4 the of", "after:1970"]) {
      expect(found!.search(query, 20)).toEqual(expected!.search(query, 20));
    }
    for (const database of [whole, grown]) database.close();
  });

  it("become one segment again, the same as built in one run, when additions are many", () => {
    const messages = fc.sample(MESSAGE, { numRuns: 300, seed: 9 });
    const whole = writeArchive([messages], 100);
    const grown = writeArchive([messages.slice(0, 200), messages.slice(200, 210), messages.slice(210)], 90);
    expect(indexRows(grown)).toEqual(indexRows(whole));
    expect(openSearchSource(grown).postings("the")!.lists.map(lastDocument)).toHaveLength(1);
    for (const database of [whole, grown]) database.close();
  });

  it("also when they are small and very many", () => {
    const messages = fc.sample(MESSAGE, { numRuns: 120, seed: 10 });
    const grown = writeArchive([messages.slice(0, 100), ...messages.slice(100).map((message) => [message])], 100);
    const segments = grown.prepare("SELECT count(*) FROM ix_doc").pluck().get() as number;
    expect(segments).toBeLessThanOrEqual(17);
    grown.close();
  });

  it("refuse a file that is no segment", () => {
    const path = freshPath();
    writeFileSync(path, "something else");
    const writer = createSqliteArchive(freshPath());
    expect(() => writeSearchIndex(writer.database(), [path])).toThrow(expect.objectContaining({ code: "INTERNAL_ERROR" }));
    writer.abort();
  });
});

describe("searchReader", () => {
  const messages: readonly CorpusMessage[] = [
    { subject: "Annual budget", body: "The budget\nof the office.", from: "Ann Lee", author: 1, sentAt: 1000, topic: 1 },
    { subject: "Lunch", body: "Budget for lunch?", from: "Ben", author: 2, sentAt: 2000 },
    { subject: "Empty", body: "", sentAt: null },
  ];

  it("answers with what a list of results shows", async () => {
    const database = writeArchive([messages], 10);
    const reader = searchReader(database);
    const found = await reader.search("budget", 5);
    expect(found).toEqual([
      expect.objectContaining({
        messageId: "msg-000001",
        rank: 1,
        snippet: "The **budget** of the office.",
        subject: "Annual budget",
        from: { name: "Ann Lee", email: "" },
        sentAt: 1000,
      }),
      expect.objectContaining({ messageId: "msg-000002", rank: 2 }),
    ]);
    expect(found[0]!.score).toBeGreaterThan(found[1]!.score);
    expect(await reader.search("empty", 5)).toMatchObject([{ from: null, sentAt: null, snippet: "" }]);
    database.close();
  });

  it("takes an address of the author in any spelling, and topics by name", async () => {
    const database = writeArchive([messages], 10);
    const reader = searchReader(database);
    const ids = async (query: string, from?: string): Promise<string[]> =>
      (await reader.search(query, 5, from === undefined ? {} : { from })).map((hit) => hit.messageId);
    expect(await ids("budget", "ANN.LEE@EXAMPLE.NET")).toEqual(["msg-000001"]);
    expect(await ids("budget", "nobody@example.org")).toEqual([]);
    expect(await ids("from:ann@example.org")).toEqual(["msg-000001"]);
    expect(await ids("topic:budget")).toEqual(["msg-000001"]);
    expect(await ids('topic:"annual report"')).toEqual(["msg-000001"]);
    expect(await ids("topic:annual-leave")).toEqual([]);
    expect(await ids("topic:topic-000")).toEqual(["msg-000002", "msg-000003"]);
    database.close();
  });

  it("never finds removed messages", async () => {
    const path = freshPath();
    const writer = createSqliteArchive(path);
    writer.addMessages(messages.map((message, i) => messageRow(message, i + 1)));
    writer.setRecord(SAMPLE_RECORD);
    const segment = freshPath();
    writeFileSync(segment, corpusSegments(messages)[0]!);
    writeSearchIndex(writer.database(), [segment]);
    removeFromSearch(writer.database(), [1, 1]);
    writer.finish();
    const database = openForReading(path);
    expect((await searchReader(database).search("budget", 5)).map((hit) => hit.messageId)).toEqual(["msg-000002"]);
    database.close();
  });

  it("says when an archive has no index", async () => {
    const path = freshPath();
    const writer = createSqliteArchive(path);
    writer.setRecord(SAMPLE_RECORD);
    writer.finish();
    const database = openForReading(path);
    await expect(searchReader(database).search("x", 5)).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
    database.close();
  });

  it("searches an archive without messages", async () => {
    const database = writeArchive([[]], 1);
    expect(await searchReader(database).search("the -x after:2001", 5)).toEqual([]);
    database.close();
  });
});
