import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeContractArchive } from "../../../test/contract/contract-archive.ts";
import type { Archive, ArchivedMessage } from "../../mail/archive.ts";
import { openArchive } from "../../store/archive/open-archive.ts";
import { archiveAt } from "../../store/contract/archive-location.ts";
import type { ExportContent } from "./export-content.ts";
import { ExportTarget } from "./export-target.ts";
import type { Manifest } from "./manifest.ts";
import { documentOf, indexOf, writeOpenSearch } from "./opensearch.ts";

const root = mkdtempSync(join(tmpdir(), "archivetool-opensearch-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Field {
  readonly type?: string;
  readonly ignore_above?: number;
  readonly properties?: Readonly<Record<string, Field>>;
}
const { mappings } = indexOf() as {
  readonly mappings: { readonly dynamic: string; readonly properties: Record<string, Field> };
};

/** The instants that `strict_date_optional_time` accepts, with a zone. */
const STRICT_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const ACCEPTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  keyword: (value) => typeof value === "string",
  text: (value) => typeof value === "string",
  date: (value) => typeof value === "string" && STRICT_DATE.test(value) && !Number.isNaN(Date.parse(value)),
  long: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === "boolean",
};

/** Paths of the parts of a value that an index with `dynamic: strict` would reject. */
function rejected(value: unknown, field: Field | undefined, path: string): readonly string[] {
  if (field === undefined) return [`${path}: no such field`];
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap((element) => rejected(element, field, path));
  if (field.properties !== undefined) {
    if (typeof value !== "object") return [`${path}: no object`];
    const { properties } = field;
    return Object.entries(value).flatMap(([name, inner]) => rejected(inner, properties[name], `${path}.${name}`));
  }
  return ACCEPTS[field.type ?? ""]?.(value) === true ? [] : [`${path}: not a ${field.type}`];
}

interface Pair {
  readonly id: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Pairs of action and document in a bulk request (NDJSON that ends with a line end). */
function pairsOf(text: string): readonly Pair[] {
  if (text === "") return [];
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.slice(0, -1).split("\n");
  expect(lines.length % 2).toBe(0);
  return Array.from({ length: lines.length / 2 }, (_, at) => {
    const action = JSON.parse(lines[2 * at]!) as { readonly index: { readonly _id: string } };
    expect(Object.keys(action)).toEqual(["index"]);
    expect(Object.keys(action.index)).toEqual(["_id"]);
    // OpenSearch rejects longer ids.
    expect(Buffer.byteLength(action.index._id)).toBeLessThanOrEqual(512);
    return { id: action.index._id, document: JSON.parse(lines[2 * at + 1]!) as Pair["document"] };
  });
}

async function written(archive: Archive, name: string, maxBulkBytes: number) {
  const content = {
    archive,
    provenance: await archive.provenance(),
    async *messages() {
      for await (const batch of archive.messages.scan())
        yield* await archive.messages.getMany(batch.map(({ id }) => id));
    },
  } as unknown as ExportContent;
  const directory = join(root, name);
  const listed: string[] = [];
  const manifest = { add: ({ path }: { readonly path: string }) => listed.push(path) } as unknown as Manifest;
  const place = { target: new ExportTarget(directory), fileName: "", room: 200, manifest };
  await writeOpenSearch(content, place, maxBulkBytes);
  const files = readdirSync(directory)
    .filter((file) => file.endsWith(".ndjson"))
    .sort();
  return {
    files,
    listed,
    index: JSON.parse(readFileSync(join(directory, "index.json"), "utf8")) as object,
    pairs: files.map((file) => pairsOf(readFileSync(join(directory, file), "utf8"))),
    sizes: files.map((file) => readFileSync(join(directory, file)).length),
  };
}

describe("the bulk requests of an archive", () => {
  it("are accepted by the mapping, have stable ids, and are divided between documents", async () => {
    const file = await writeContractArchive();
    const archive = await openArchive(archiveAt(file.path));
    const total = (await archive.provenance()).statistics.totalMessages;
    const whole = await written(archive, "whole", 64 << 20);
    expect(whole.index).toEqual(indexOf());
    expect(whole.files).toEqual(["bulk-00001.ndjson"]);
    const pairs = whole.pairs.flat();
    expect(pairs.length).toBe(total);
    expect(pairs.flatMap(({ document }) => rejected(document, mappings, "document"))).toEqual([]);
    expect(new Set(pairs.map(({ id }) => id)).size).toBe(total);
    const cut = await written(archive, "cut", 1);
    expect(cut.pairs.map((all) => all.length)).toEqual(pairs.map(() => 1));
    expect(cut.pairs.flat()).toEqual(pairs);
    expect(cut.listed).toEqual(cut.files);
    const limit = Math.max(...cut.sizes) * 2;
    const packed = await written(archive, "packed", limit);
    expect(packed.pairs.flat()).toEqual(pairs);
    expect(Math.max(...packed.sizes)).toBeLessThanOrEqual(limit);
    await archive.close();
    file.remove();
  });

  it("stay below the size limit for any message", async () => {
    const file = await writeContractArchive();
    const archive = await openArchive(archiveAt(file.path));
    const [first] = await archive.messages.getMany(["msg-000001"]);
    const message: ArchivedMessage = { ...first!, body: "\u0001".repeat(70) };
    expect(documentOf(message, ["abc", "", "defgh"], 75)).toMatchObject({
      body: message.body,
      attachment_texts: ["abc", "de"],
      text_truncated: true,
    });
    const exact = documentOf(message, ["abc", "de"], 75);
    expect(exact).toMatchObject({ attachment_texts: ["abc", "de"] });
    expect(exact).not.toHaveProperty("text_truncated");
    expect(documentOf(message, ["abc"], 70)).not.toHaveProperty("attachment_texts");
    await archive.close();
    file.remove();
  });
});

describe("the mapping", () => {
  it("rejects unknown fields, and indexes no term that Lucene would reject", () => {
    expect(mappings.dynamic).toBe("strict");
    const keywords = JSON.stringify(mappings).match(/"type":"keyword"/g)!.length;
    expect(JSON.stringify(mappings).match(/"ignore_above":8191/g)!.length).toBe(keywords);
    expect(8191 * 4).toBeLessThan(32_766);
  });

  it("declares dates, and text fields for words", () => {
    const { sent_at, received_at, body, subject, from, size_bytes, message_id } = mappings.properties;
    expect([sent_at, received_at].map((field) => field!.type)).toEqual(["date", "date"]);
    expect([body, subject, from!.properties!["name"]].map((field) => field!.type)).toEqual(["text", "text", "text"]);
    expect([size_bytes, message_id].map((field) => field!.type)).toEqual(["long", "keyword"]);
  });
});
