import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { bundleThread } from "../../../test/bundled-thread.ts";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "../../contacts/addresses/address-book.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { FIRST_MESSAGE, ordinalAt } from "../../mail/records/ordinal.ts";
import { addsUp, type PiiType, sumCounts, type Warning } from "../../mail/records/provenance.ts";
import type { WarningCode } from "../../mail/records/warning-codes.ts";
import { openSource } from "../../sources/formats/detect-format.ts";
import { openMbox } from "../../sources/mbox/mbox.ts";
import type { OpenedSource } from "../../sources/reading/source.ts";
import { Ledger } from "../ledger/deduplicate.ts";
import { type FilledChunk, prepareSegments } from "../preparing/prepare-phase.ts";
import { type ParsedSources, parseSources } from "../reading/parsing-phase.ts";
import { readSegment, recordOf } from "../staging/staged-record.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import { WORKER_HEAP_MB, WORKER_LIMITS } from "../workers/worker-limits.ts";
import { type TaskRunner, ThreadRunner } from "../workers/worker-pool.ts";
import { WorkerSlot } from "../workers/worker-slot.ts";
import { createTaskRunner } from "./task-runner.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-workers-"));
/** Old-generation heap of a worker in this test in MiB, small enough to fill quickly. */
const HEAP_MB = 128;
/** Resident memory a worker may use here with the heap size of a real run. */
const SOON_STOPPED = { ...WORKER_LIMITS, memoryBytes: 400 << 20, seconds: Number.POSITIVE_INFINITY };
/** This test measures no time: see the test of the watchdog. */
const LIMITS = { ...WORKER_LIMITS, seconds: Number.POSITIVE_INFINITY };
const MAILS = 8;

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const startThread = await bundleThread("stopping-worker.ts");

function startStoppingWorker(maxOldGenerationSizeMb = HEAP_MB): Worker {
  return startThread({ resourceLimits: { maxOldGenerationSizeMb }, stdout: true, stderr: true });
}

function runnerOf(jobs: number): TaskRunner {
  return new ThreadRunner({
    jobs,
    signal: new AbortController().signal,
    start: () => startStoppingWorker(),
    limits: LIMITS,
    journal: null,
  });
}

function mail(number: number, word: string): string {
  return `From: Ann <ann@hostile.example>\nTo: bob@hostile.example\nMessage-ID: <${number}@hostile.example>\nSubject: n${number}\n\nplain ${word} ${number}\n`;
}

interface Parsed {
  readonly parsed: ParsedSources;
  readonly segments: readonly StagedSegment[];
  readonly ledger: Ledger;
  readonly warnings: readonly Warning[];
}

let runs = 0;

async function parse(source: OpenedSource, runner: TaskRunner): Promise<Parsed> {
  const stagingDirectory = join(directory, `staging-${runs++}`);
  mkdirSync(stagingDirectory);
  const warnings: Warning[] = [];
  const ledger = new Ledger(new AddressBook(fewPages()), fewPages(), (warning) => warnings.push(warning));
  const segments: StagedSegment[] = [];
  const request = {
    sources: [{ source: { ...source, name: source.path }, index: 0, stored: [] }],
    startedAt: 0 as Instant,
    memory: fewPages(),
    stagingDirectory,
    saveAttachments: false,
    maxMessages: Number.POSITIVE_INFINITY,
    attachmentText: false,
    keepCopies: false,
    charset: null,
    redact: [],
    onEvent: () => undefined,
    onSegment: (segment: StagedSegment) => segments.push(segment),
  };
  return { parsed: await parseSources(request, ledger, runner), segments, ledger, warnings };
}

function stagedSubjects(segments: readonly StagedSegment[]): readonly string[] {
  return segments.flatMap(({ path }) =>
    Array.from(readSegment(path), (entry) => {
      const record = recordOf(entry);
      return record.kind === "message" ? record.subject : "";
    }),
  );
}

function subjectsBut(...lost: readonly number[]): readonly string[] {
  return Array.from({ length: MAILS }, (_, number) => number)
    .filter((number) => !lost.includes(number))
    .map((number) => `n${number}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A tree of messages; some contain words that trigger faults. */
function treeOf(name: string, words: Readonly<Record<number, string>>): string {
  const root = join(directory, name);
  mkdirSync(root);
  for (let number = 0; number < MAILS; number++) {
    writeFileSync(join(root, `${String(number).padStart(3, "0")}.eml`), mail(number, words[number] ?? "text"));
  }
  return root;
}

const LIMITLESS = { password: null, skipProtected: false };

describe("a message that ends its worker", () => {
  it("is found in a tree and counted as failed", async () => {
    const root = treeOf("tree", { 1: "exit-reader", 2: "throw-reader", 7: "fill-reader" });
    const runner = runnerOf(1);
    const source = await openSource(root, LIMITLESS);
    const { parsed, segments, ledger, warnings } = await parse(source, runner);
    await runner.close();
    const counts = sumCounts(ledger.mailboxes(0).map((mailbox) => mailbox.counts));
    expect(addsUp(counts)).toBe(true);
    expect(counts).toEqual({ seen: MAILS, kept: MAILS - 3, duplicate: 0, skipped: 0, failed: 3 });
    expect(stagedSubjects(segments)).toEqual(subjectsBut(1, 2, 7));
    expect(warnings).toEqual([
      lost("001.eml", "reader-stopped", "its worker exited: exit code 7", mail(1, "exit-reader")),
      lost("002.eml", "reader-fault", "unreadable: invented fault", mail(2, "throw-reader")),
      lost("007.eml", "reader-stopped", "it ran out of memory", mail(7, "fill-reader")),
    ]);
    // The hash of the source covers its bytes even if it is lost.
    const plain = await parse(source, quietRunner());
    expect(parsed.hashes).toEqual(plain.parsed.hashes);
  });

  it("is found in a mailbox by its offset", async () => {
    const path = join(directory, "box.mbox");
    const mails = Array.from(
      { length: MAILS },
      (_, number) =>
        `From ann@hostile.example Mon May 14 16:39:00 2001\n${mail(number, number === 0 || number === 5 ? "exit-reader" : "text")}\n`,
    );
    writeFileSync(path, mails.join(""));
    const runner = runnerOf(2);
    const { segments, warnings } = await parse(await openMbox(path, { mailbox: "box", unitBytes: 1_000 }), runner);
    await runner.close();
    expect(stagedSubjects(segments)).toEqual(subjectsBut(0, 5));
    const offset = mails.slice(0, 5).join("").length;
    expect(warnings.map(({ location }) => location)).toEqual(["offset:0", `offset:${offset}`]);
    expect(warnings[1]!.sha256).toBe(sha256(mail(5, "exit-reader")));
  });

  it("is stopped before V8 would end the process for it: pieces of memory of 64 MB", async () => {
    const start = (): Worker => startStoppingWorker(WORKER_HEAP_MB);
    const runner = new ThreadRunner({
      jobs: 1,
      signal: new AbortController().signal,
      start,
      limits: SOON_STOPPED,
      journal: null,
    });
    const { segments, warnings } = await parse(
      await openSource(treeOf("pieces", { 3: "fill-in-pieces" }), LIMITLESS),
      runner,
    );
    await runner.close();
    expect(stagedSubjects(segments)).toEqual(subjectsBut(3));
    expect(warnings).toEqual([lost("003.eml", "reader-stopped", "it ran out of memory", mail(3, "fill-in-pieces"))]);
  });

  it("can be stopped while it reads", async () => {
    const root = treeOf("spinning", { 0: "spin-reader" });
    const [unit] = (await openSource(root, LIMITLESS)).units();
    const seat = new WorkerSlot(startStoppingWorker());
    const task = {
      kind: "parse",
      unit: unit!,
      segmentPath: join(directory, "spun"),
      attachmentDirectory: null,
      attachmentText: false,
      keepCopies: false,
      redact: [],
    } as const;
    const answer = seat.perform({ ...task, continues: null, lost: null });
    expect(seat.taskBytes()).toBeGreaterThan(MAILS * 100);
    seat.stop("time");
    await expect(answer).rejects.toMatchObject({
      reason: "time",
      code: "reader-stopped",
      message: "it exceeded the time limit for its size",
    });
    expect(seat.isOpen).toBe(false);
  });

  it("does not pass for one when another thread's fault is the system's", async () => {
    const root = treeOf("gone", {});
    const source = await openSource(root, LIMITLESS);
    const runner = runnerOf(1);
    const units = [...source.units()];
    const task = {
      kind: "parse",
      unit: units[0]!,
      segmentPath: join(directory, "no", "such", "directory"),
      attachmentDirectory: null,
      attachmentText: false,
      keepCopies: false,
      redact: [],
      continues: null,
      lost: null,
    } as const;
    const results = runner.inOrder([{ task, about: null }]);
    await expect(results[Symbol.asyncIterator]().next()).rejects.toThrow();
    await runner.close();
  });
});

describe("a message whose text stops the worker that analyzes it", () => {
  it.each([
    ["is kept with its text", []],
    ["is kept without its text when it had to be redacted", ["email"]],
  ] as const)("%s, and the others of its chunk as ever", async (_, redact) => {
    const words = { 2: "exit-analysis", 7: "exit-analysis" };
    const source = await openSource(treeOf(`analysis-${redact.length}`, words), LIMITLESS);
    const runner = runnerOf(2);
    const stopped = await prepare(await parse(source, runner), redact, runner);
    await runner.close();
    const plain = await prepare(await parse(source, quietRunner()), redact, quietRunner());
    expect(stopped.prepared.unread.map(({ segment, location }) => [segment, location])).toEqual([
      [0, "002.eml"],
      [0, "007.eml"],
    ]);
    expect(stopped.prepared.unread[0]!.sha256).toBe(sha256(mail(2, "exit-analysis")));
    expect(stopped.prepared.bodyTokens).toEqual(
      plain.prepared.bodyTokens.map((tokens, number) => (number in words ? 0 : tokens)),
    );
    if (redact.length === 0) return;
    const bodies = Array.from(readSegment(stopped.prepared.rowsPath!), ({ body }) => body.toString());
    const plainBodies = Array.from(readSegment(plain.prepared.rowsPath!), ({ body }) => body.toString());
    expect(bodies).toEqual(plainBodies.map((body, number) => (number in words ? "" : body)));
    expect(readFileSync(stopped.prepared.rowsPath!, "latin1")).not.toContain("exit-analysis");
  });
});

function lost(location: string, code: WarningCode, message: string, text: string): Warning {
  return { code, message, source: 0, location, sha256: sha256(text), outcome: "failed" };
}

/** Works in this thread, with unchanged parsers. */
function quietRunner(): TaskRunner {
  return createTaskRunner(0, new AbortController().signal, null);
}

async function prepare({ segments }: Parsed, redact: readonly PiiType[], runner: TaskRunner): Promise<FilledChunk> {
  const stagingDirectory = join(directory, `chunks-${runs++}`);
  mkdirSync(stagingDirectory);
  const request = {
    stagingDirectory,
    mentions: false,
    firstOrdinal: ordinalAt(FIRST_MESSAGE),
    redact,
    onEvent: () => undefined,
  };
  const chunks: FilledChunk[] = [];
  for await (const chunk of prepareSegments(segments, request, runner)) chunks.push(chunk);
  expect(chunks).toHaveLength(1);
  return chunks[0]!;
}
