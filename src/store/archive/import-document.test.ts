import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SampleDocument, sampleDocuments } from "../../../test/sample-document.ts";
import { SAMPLE_RECORD } from "../../../test/sample-rows.ts";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { writeExtraction } from "../../document/write-extraction.ts";
import type { Archive, EncodedMessage } from "../../mail/archive.ts";
import { plausibleDates } from "../../mail/dates/plausible-dates.ts";
import { contactId, messageId, topicId } from "../../mail/records/ids.ts";
import type { ContactOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import { type ArchiveLocation, archiveAt, archiveIn } from "../contract/archive-location.ts";
import { storeOfDocument } from "./document-cache.ts";
import { importDocument } from "./import-document.ts";
import { locateArchive, locateChecked } from "./locate-archive.ts";
import { openArchive } from "./open-archive.ts";
import { createArchive } from "./write-archive.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-import-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function gathered<T>(batches: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}

/** The archive from which the document was written. */
async function original({ sample, sources, events, items }: SampleDocument, path: string): Promise<Archive> {
  const writer = await createArchive(archiveAt(path));
  await writer.addMessages(sample.messages);
  await writer.replaceContacts(sample.contacts);
  await writer.replaceThreads(sample.threads);
  await writer.replaceTopics(sample.topics);
  await writer.replaceSources(sources);
  await writer.addEvents(events);
  await writer.addItems(items);
  // The document of a redacted archive contains no keys.
  await writer.setRecord({ ...SAMPLE_RECORD, options: { ...SAMPLE_RECORD.options, redact: [] } });
  const dates = sample.messages.map(({ sentAt }) => sentAt ?? Number.NaN);
  await writer.settleDates(plausibleDates(Float64Array.from(dates), SAMPLE_RECORD.extractedAt));
  await writer.finish();
  return await openArchive(archiveAt(path));
}

async function documentOf(archive: Archive): Promise<string> {
  const statistics = await archive.stats();
  const { sources } = await archive.provenance();
  const out = new Utf8Buffer();
  const document = {
    tool: "archivetool",
    toolVersion: "0.6.0",
    extractedAt: statistics.extractedAt,
    sources,
    statistics,
    contacts: archive.contacts.scan(),
    threads: archive.threads.scan(),
    topics: (await archive.topics.list("frequency", 100)).items,
    events: archive.events.scan(),
    items: archive.items.scan(),
    messages: archive.messages.scan(),
  };
  await writeExtraction(document, out);
  return out.view().toString();
}

/** Inferred values are computed again for an indexed archive; the sample is not indexed. */
function withoutInference(message: EncodedMessage): EncodedMessage {
  return { ...message, inferredLanguage: null };
}

/** Results of the readers; a document does not contain the evidence for addresses. */
async function contents(archive: Archive): Promise<unknown> {
  const page = { limit: 100, offset: 0 };
  const details = await Promise.all(
    [1, 2, 3, 4].map((ordinal) => archive.contacts.get(contactId(ordinal as ContactOrdinal))),
  );
  return {
    whole: (await gathered(archive.messages.scan())).map(withoutInference),
    messages: await archive.messages.list("sent_at", page),
    bySubject: await archive.messages.list("subject", page, { from: "ann@example.org", topicId: "topic-001" }),
    mailboxes: await archive.messages.mailboxes(),
    timeline: await archive.messages.timeline(),
    contacts: await archive.contacts.list("name", page, "e"),
    details: details.map((detail) => ({ ...detail, evidence: [] })),
    topics: await Promise.all([0, 1, 2, 3].map((ordinal) => archive.topics.get(topicId(ordinal as TopicOrdinal)))),
    threads: await gathered(archive.threads.scan()),
    newestThreads: await archive.threads.list(page),
    events: await gathered(archive.events.scan()),
    items: await gathered(archive.items.scan()),
    stats: await archive.stats(),
    sources: (await archive.provenance()).sources,
  };
}

/** The same document with its keys in reverse order and different formatting. */
function reversed(text: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse()), null, 1);
}

async function imported(text: string, path: string): Promise<Archive> {
  const writer = await createArchive(archiveAt(path));
  await importDocument(() => [Buffer.from(text)], writer);
  await writer.finish();
  return await openArchive(archiveAt(path));
}

describe("importDocument", () => {
  it("returns the same lists and records as the original, for any order of keys", async () => {
    await fc.assert(
      fc.asyncProperty(sampleDocuments, fc.boolean(), async (document, backwards) => {
        const from = await original(document, join(directory, "original.db"));
        const text = await documentOf(from);
        const to = await imported(backwards ? reversed(text) : text, join(directory, "imported.db"));
        expect(await contents(to)).toEqual(await contents(from));
        await from.close();
        await to.close();
      }),
      { numRuns: 15 },
    );
  });

  const sample = fc.sample(
    sampleDocuments.filter(
      ({ messages, events, items }) => messages.length > 10 && events.length > 0 && items.length > 0,
    ),
    { numRuns: 1, seed: 9 },
  )[0]!;

  it("counts messages from contact to contact, and can be searched", async () => {
    const messages = sample.sample.messages.map((message, index) => ({
      ...message,
      body: Buffer.from(index === 4 ? "a whale" : "plain"),
    }));
    const from = await original({ ...sample, sample: { ...sample.sample, messages } }, join(directory, "original.db"));
    const to = await imported(await documentOf(from), join(directory, "imported.db"));
    expect((await to.search.search("whale", 5)).hits.map((hit) => hit.messageId)).toEqual(["msg-000005"]);
    const invitations = messages.flatMap(({ messageKind, ordinal }) =>
      messageKind === null ? [] : [messageId(ordinal)],
    );
    expect([...(await to.search.matching("kind:meeting", {}))].sort()).toEqual(invitations);
    const pairs = new Map<string, number>();
    for (const { fromContact, recipients } of messages) {
      for (const contact of new Set(recipients.map((recipient) => recipient.contact))) {
        if (fromContact === null || contact === fromContact) continue;
        const pair = `${contactId(fromContact)} ${contactId(contact)}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    }
    const edges = await gathered(to.contacts.edges());
    expect(edges.length).toBeGreaterThan(0);
    expect(new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge.count]))).toEqual(pairs);
    await from.close();
    await to.close();
  });

  it.each<[string, (text: string) => string, string]>([
    ["a broken message", (text) => text.replace('"body_tokens":', '"x":'), "messages[0]"],
    ["a missing key", (text) => text.replace('"topics":', '"tropics":'), "tropics"],
    ["a cut", (text) => text.slice(0, -200), "unexpected end of document"],
    ["a duplicate id", (text) => text.replace('"msg-000002","thread_id"', '"msg-000001","thread_id"'), "duplicate id"],
    [
      "an id out of all bounds",
      (text) => text.replace('"msg-000002","thread_id"', '"msg-99999999","thread_id"'),
      "message ids reach",
    ],
    ["no JSON at all", () => "{]", "a key or }"],
  ])("rejects %s, with its location", async (_, change, message) => {
    const from = await original(sample, join(directory, "original.db"));
    const text = change(await documentOf(from));
    await from.close();
    await expect(imported(text, join(directory, "refused.db"))).rejects.toMatchObject({
      code: "DOCUMENT_INVALID",
      message: expect.stringContaining(message),
    });
  });
});

describe("locateArchive", () => {
  it("accepts an output directory, its archive.db, or a single document, which it reads once", async () => {
    const output = join(directory, "output");
    const cache = join(directory, "cache");
    const storeOf = (documentPath: string): Promise<ArchiveLocation> => storeOfDocument(documentPath, cache, "test");
    mkdirSync(output);
    const document = fc.sample(sampleDocuments, { numRuns: 1, seed: 5 })[0]!;
    const from = await original(document, join(output, "archive.db"));
    expect(await locateArchive(output, storeOf)).toEqual(archiveIn(output));
    expect(await locateArchive(join(output, "archive.db"), storeOf)).toEqual(archiveIn(output));
    expect(locateChecked(output)).toEqual({ archive: archiveIn(output), document: null });

    const moved = join(directory, "moved.json");
    writeFileSync(moved, `\n ${await documentOf(from)}`);
    const first = await locateArchive(moved, storeOf);
    const archive = await openArchive(first);
    expect(await contents(archive)).toEqual(await contents(from));
    expect(await locateArchive(moved, storeOf)).toEqual(first);
    expect(readdirSync(cache)).toHaveLength(1);
    expect(locateChecked(moved)).toEqual({ archive: null, document: moved });
    appendFileSync(moved, "\n");
    expect(await locateArchive(moved, storeOf)).not.toEqual(first);
    await archive.close();
    await from.close();
  });

  it("suggests extract for mail that was not extracted, and removes a broken document", async () => {
    const mbox = join(directory, "a.mbox");
    const broken = join(directory, "broken.json");
    const cache = join(directory, "empty-cache");
    const storeOf = (documentPath: string): Promise<ArchiveLocation> => storeOfDocument(documentPath, cache, "test");
    writeFileSync(mbox, "From a@b Mon Jan  1 00:00:00 2001\nSubject: x\n\nbody\n");
    writeFileSync(broken, '{"messages": [');
    mkdirSync(join(directory, "maildir"));
    for (const source of [mbox, join(directory, "maildir")]) {
      await expect(locateArchive(source, storeOf)).rejects.toMatchObject({
        code: "NOT_AN_ARCHIVE",
        hint: `create one first: archivetool extract ${source}`,
      });
    }
    await expect(locateArchive(join(directory, "nothing"), storeOf)).rejects.toMatchObject({
      code: "SOURCE_NOT_FOUND",
    });
    await expect(locateArchive(broken, storeOf)).rejects.toMatchObject({ code: "DOCUMENT_INVALID" });
    expect(readdirSync(cache)).toEqual([]);
  });
});
