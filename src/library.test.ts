import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeLargestSample } from "../test/stored-sample.ts";
import { type ExtractSettings, extract, openArchive } from "./library.ts";
import type { OrdinalRange } from "./mail/archive.ts";
import { createArchive } from "./store/archive/write-archive.ts";
import { archiveIn } from "./store/contract/archive-location.ts";

/** Settings that untyped callers may pass. */
const refused: readonly (readonly [string, object])[] = [
  ['redact does not support type "emails"', { redact: ["email", "emails"] }],
  ["jobs must be a positive integer, not 0", { jobs: 0 }],
  ["maxMessages must be a positive integer, not 1.5", { maxMessages: 1.5 }],
  ['unknown extract option "redacted"', { redacted: ["email"] }],
  ['redactWords: "…" has no letters or digits', { redactWords: ["Condor", "…"] }],
  ['option "redactWords" has the wrong type', { redactWords: "Condor" }],
  ['option "wikiPages" has the wrong type', { wikiPages: "most" }],
  ['option "incremental" has the wrong type', { incremental: "yes" }],
];

it.each(refused)("rejects before reading: %s", async (message, settings) => {
  await expect(extract(["missing.mbox"], "never", settings as ExtractSettings)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message,
  });
});

it.each([null, "json", ["json"]])("rejects options that are not an object: %j", async (settings) => {
  await expect(extract(["missing.mbox"], "never", settings as ExtractSettings)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

it("redacts the words of the caller", async () => {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-library-"));
  const letter = join(directory, "letter.eml");
  writeFileSync(letter, "From: Ann <ann@quay.example>\nSubject: CONDOR, again\n\nCall Jon\nPike about it.\n");
  const output = join(directory, "output");
  await extract([letter], output, { redactWords: ["Condor", "Jon Pike"], json: true, wiki: false, jobs: 1 });
  const text = readFileSync(join(output, "extraction.json"), "utf8");
  expect(text).toContain("[REDACTED:word], again");
  expect(text).toContain("Call [REDACTED:word] about it.");
  rmSync(directory, { recursive: true });
});

it("rejects a run without sources", async () => {
  await expect(extract([], "never")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("reports paths that are not archives", async () => {
  await expect(openArchive("README.md")).rejects.toMatchObject({ code: "NOT_AN_ARCHIVE" });
});

it("rejects paths that are not strings", async () => {
  for (const paths of ["inbox.mbox", [1], null])
    await expect(extract(paths as unknown as string[], "never")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(extract(["inbox.mbox"], {} as unknown as string)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(openArchive(undefined as unknown as string)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

/** Wrong arguments, each of a method that takes some. */
const WRONG: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  contacts: {
    list: ["size", { limit: 1, offset: 0 }],
    get: [1],
    ofAddresses: ["ann@harbour.example"],
  },
  messages: {
    list: ["sent_at", { limit: "ten", offset: 0 }],
    get: [{}],
    fileTexts: [null],
    getMany: ["msg-000001"],
    ofMessageIds: [[1]],
  },
  threads: { list: [{ limit: 1.5, offset: 0 }], get: [], messages: [[]] },
  topics: { list: [{ limit: 10, offset: 0 }], get: [undefined] },
  events: {
    get: [1],
    page: [{ query: "", match: "all", sort: "id", after: "2001", before: null, offset: 0, limit: 1 }],
  },
  items: { get: [1], page: [{ query: "", match: "all", sort: "id", after: null, before: null, offset: 0, limit: 1 }] },
  search: { search: ["crane", -1], matching: ["crane", { topic: "topic-001" }] },
  explore: {
    page: [{ query: "crane", match: "all" }],
    facets: [{ query: "crane", match: "all", of: ["sender"], limit: 1 }],
    timeline: [{ query: "crane", match: "all", by: "week" }],
    hits: ["crane"],
    conversations: [{ query: "crane", match: "all", sort: "newest", offset: Number.NaN, limit: 1 }],
    files: [{ query: "crane", match: "all", search: "", type: "film", sort: "name", offset: 0, limit: 1 }],
  },
};

it("reports a wrong argument as such, not as a damaged archive", async () => {
  const output = mkdtempSync(join(tmpdir(), "archivetool-library-"));
  await writeLargestSample(await createArchive(archiveIn(output)), 1);
  const archive = await openArchive(output);
  const readers = archive as unknown as Record<string, Record<string, (...values: readonly unknown[]) => unknown>>;
  for (const [name, methods] of Object.entries(WRONG)) {
    const reader = readers[name]!;
    for (const [method, values] of Object.entries(methods))
      await expect(reader[method]!(...values), `${name}.${method}`).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  }
  await expect(archive.topics.list({ limit: 10 } as unknown as "name", 1)).rejects.toThrow(
    /^invalid argument to archive\.topics\.list: argument 1: /,
  );
  for (const range of [null, { first: "x", last: 1 }])
    await expect(
      archive.messages
        .scan(range as unknown as OrdinalRange)
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toThrow(/^invalid argument to archive\.messages\.scan: /);
  expect((await archive.topics.list("name", 10)).total).toBeGreaterThan(0);
  await archive.close();
  rmSync(output, { recursive: true });
});
