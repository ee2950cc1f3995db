import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inBatches, type SampleDocument, sampleDocuments } from "../../test/sample-document.ts";
import { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { INTERNAL_ITEM_DEFAULTS } from "../mail/records/item.ts";
import { ELEMENTS, type Elements, MESSAGE, type MessageJson, type ThreadJson } from "./extraction-records.ts";
import { extractionJsonSchema, extractionSchema } from "./extraction-schema.ts";
import type { Published } from "./published-record.ts";
import { readExtraction } from "./read-extraction.ts";
import { type DocumentError, validateExtraction } from "./validate-extraction.ts";
import { writeExtraction } from "./write-extraction.ts";

async function written(document: SampleDocument): Promise<string> {
  const out = new Utf8Buffer();
  const written = {
    ...document,
    tool: "archivetool",
    toolVersion: "0.6.0",
    extractedAt: document.statistics.extractedAt,
    contacts: inBatches(document.contacts),
    threads: inBatches(document.threads),
    events: inBatches(document.events),
    items: inBatches(document.items),
    messages: inBatches(document.messages.map((message) => ({ ...message, body: Buffer.from(message.body) }))),
  };
  await writeExtraction(written, out);
  return out.view().toString();
}

function* cut(text: string, sizes: readonly number[]): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

const chunkSizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 });
const RUNS = 20;

async function errorsOf(text: string): Promise<readonly DocumentError[]> {
  return (await validateExtraction([Buffer.from(text)])).errors;
}

describe("extraction.json", () => {
  it("survives a round trip with any chunk size", async () => {
    await fc.assert(
      fc.asyncProperty(sampleDocuments, chunkSizes, async (document, sizes) => {
        const found: Record<string, unknown[]> = {};
        for await (const part of readExtraction(cut(await written(document), sizes))) {
          expect(part.kind).not.toBe("fault");
          if (part.kind === "array") found[part.key] = [];
          else if (part.kind === "element") found[part.key]!.push(part.element);
        }
        const read = (key: keyof Elements): unknown[] => {
          const described: Published<unknown, unknown> = ELEMENTS[key];
          return found[key]!.map((element) => described.read(element));
        };
        expect(read("sources").map((source) => ({ ...(source as object), mailboxes: [] }))).toEqual(document.sources);
        expect(read("contacts")).toEqual(document.contacts);
        expect(read("threads")).toEqual(document.threads);
        expect(read("topics")).toEqual(document.topics);
        // Only an archive stores the locations of records with attachments.
        const unplaced = (key: "calendar_events" | "items", defaults: object) =>
          read(key).map((record) => ({ ...(record as object), ...defaults }));
        expect(unplaced("calendar_events", { origin: null, item: null })).toEqual(document.events);
        expect(unplaced("items", INTERNAL_ITEM_DEFAULTS)).toEqual(document.items);
        expect(read("messages")).toEqual(document.messages);
      }),
      { numRuns: RUNS },
    );
  });

  it("matches its schema, in zod and in draft-07, and validates without errors", async () => {
    const accepts = new Ajv({ strict: true }).compile(extractionJsonSchema());
    await fc.assert(
      fc.asyncProperty(sampleDocuments, chunkSizes, async (document, sizes) => {
        const text = await written(document);
        const parsed: unknown = JSON.parse(text);
        expect(extractionSchema.parse(parsed)).toEqual(parsed);
        expect(accepts(parsed), JSON.stringify(accepts.errors)).toBe(true);
        const report = await validateExtraction(cut(text, sizes));
        expect(report.errors).toEqual([]);
        expect(report).toMatchObject({
          errorCount: 0,
          summary: { messages: document.messages.length, events: document.events.length, topics: 4 },
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("has one message a line, its message_id first, and the keys in their order", async () => {
    const document = fc.sample(sampleDocuments, { numRuns: 1, seed: 4 })[0]!;
    const text = await written(document);
    expect(text.split("\n").filter((line) => line.startsWith('{"message_id":'))).toHaveLength(document.messages.length);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(extractionSchema.shape));
    const message = {
      ...document.messages[0]!,
      contentKey: "0f".repeat(16),
      inferredLanguage: "de",
      quotes: [document.messages[0]!.id],
      occurrences: [...document.messages[0]!.occurrences, { source: 1, mailbox: "x", location: "y" }],
    };
    const record = MESSAGE.write({ ...message, findings: [{ code: "subject-cut", message: "m" }] });
    expect(Object.keys(record)).toEqual(Object.values(MESSAGE.fields).map(([name]) => name));
  });

  it("contains only valid Unicode, four-digit years and finite scores", async () => {
    const document = fc.sample(
      sampleDocuments.filter(({ messages }) => messages.length > 1),
      { numRuns: 1, seed: 2 },
    )[0]!;
    const message = { ...document.messages[0]!, subject: "a\ud800b", body: "x\0y", mailbox: "\udc00", sentAt: 9e15 };
    const contact = {
      ...document.contacts[0]!,
      pagerank: Number.NaN,
      hubScore: 1 / 3,
      authorityScore: Number.POSITIVE_INFINITY,
    };
    const text = await written({ ...document, messages: [message], contacts: [contact] });
    expect(text).not.toMatch(/\\ud800|\\u0000|\\udc00/);
    const parsed = extractionSchema.parse(JSON.parse(text));
    expect(parsed.messages[0]).toMatchObject({ subject: "a\ufffdb", body: "xy", mailbox: "\ufffd", sent_at: null });
    expect(parsed.contacts[0]).toMatchObject({ pagerank: 0, hub_score: 0.333333, authority_score: 0 });
  });
});

describe("validateExtraction", () => {
  const document = fc.sample(
    sampleDocuments.filter(
      ({ messages, events, threads }) => messages.length > 5 && events.length > 0 && threads.length > 1,
    ),
    { numRuns: 1, seed: 3 },
  )[0]!;
  type Writable<T> = { -readonly [K in keyof T]: T[K] };
  type Parsed = Record<string, unknown> & {
    messages: Writable<MessageJson>[];
    threads: Writable<ThreadJson>[];
    statistics: Record<string, unknown>;
  };

  async function broken(change: (parsed: Parsed) => void): Promise<readonly string[]> {
    const parsed = JSON.parse(await written(document)) as Parsed;
    change(parsed);
    return (await errorsOf(JSON.stringify(parsed, null, 2))).map(({ path, message }) => `${path} ${message}`);
  }

  it.each<[string, (parsed: Parsed) => void, string]>([
    ["a missing key", (parsed) => delete parsed["topics"], "topics is missing"],
    ["an unknown key", (parsed) => (parsed["extra"] = 1), "extra is an unknown key"],
    ["another version", (parsed) => (parsed["schema_version"] = "2.0"), "schema_version Invalid"],
    ["an object for an array", (parsed) => (parsed["items"] = {}), "items must be an array"],
    ["an array for a value", (parsed) => (parsed["tool"] = []), "tool must not be an array"],
    [
      "a wrong type",
      (parsed) => ((parsed.messages[1]! as { subject: unknown }).subject = 7),
      "messages[1].subject Invalid",
    ],
    ["a bad date", (parsed) => (parsed.messages[1]!.sent_at = "yesterday"), "messages[1].sent_at must be a date-time"],
    ["a repeated id", (parsed) => (parsed.messages[1]!.id = "msg-000001"), "messages[1].id duplicate id msg-000001"],
    [
      "an id of another width",
      (parsed) => (parsed.messages[1]!.id = "msg-0000002"),
      "messages[1].id msg-0000002 is not a valid id",
    ],
    [
      "a thread that is not there",
      (parsed) => (parsed.messages[2]!.thread_id = "thread-000099"),
      "messages[2].thread_id thread 99",
    ],
    ["a source that is not there", (parsed) => (parsed.messages[2]!.source = 9), "messages[2].source source 9"],
    ["a wrong count", (parsed) => (parsed.statistics["total_attachments"] = 99), "statistics.total_attachments is 99"],
    ["a wrong thread size", (parsed) => parsed.threads[0]!.message_count++, "threads[0].message_count is"],
    [
      "a wrong range",
      (parsed) => (parsed.statistics["date_range"] = { earliest: "1980-01-01T00:00:00Z", latest: null }),
      "statistics.date_range.earliest is 1980",
    ],
  ])("finds %s", async (_, change, expected) => {
    expect((await broken(change)).some((error) => error.startsWith(expected))).toBe(true);
  });

  it("reports one broken message once", async () => {
    expect(await broken((parsed) => ((parsed.messages[1]! as { body: unknown }).body = null))).toEqual([
      expect.stringContaining("messages[1].body"),
    ]);
  });

  it("counts every error, lists 100, and returns correct offsets", async () => {
    const text = JSON.stringify({ messages: Array.from({ length: 500 }, () => ({})) });
    const report = await validateExtraction([Buffer.from(text)]);
    expect(report.errors).toHaveLength(100);
    expect(report.errorCount).toBeGreaterThan(500);
    const marked = (await written(document)).replace('"body_tokens":', '"body_tokns":');
    const offset = (await errorsOf(marked)).find((error) => error.path.startsWith("messages["))!.offset!;
    expect(Buffer.from(marked).subarray(offset).toString()).toMatch(/^\{"message_id":.*"body_tokns":/);
  });
});
