import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identifyProcess } from "../../../files/process-identity.ts";
import type { UploadCounts } from "../../../mail/uploads.ts";
import type { UploadCatalog } from "../../../store/contract/upload-catalog.ts";
import { openUploadCatalog } from "../../../store/sqlite/service/upload-catalog.ts";
import { type DataDirectory, openDataDirectory, RESUMABLE_MAX_AGE_MS } from "../base/data-directory.ts";
import { type JobRequest, RESULT_FILE } from "../base/job-messages.ts";
import type { JobPhase } from "../base/wire-uploads.ts";
import { EventLog, uploadEventData } from "./event-log.ts";
import { MAX_ATTEMPTS } from "./job-outcome.ts";
import type { JobEnd, RunningJob, StartJob } from "./job-process.ts";
import { JobQueue } from "./job-queue.ts";

const A = "upload-aaaaaaaaaaaa";
const B = "upload-bbbbbbbbbbbb";
const C = "upload-cccccccccccc";
const COUNTS: UploadCounts = { messages: 3, contacts: 2, threads: 1, topics: 1, calendarEvents: 0, attachments: 4 };
const NOW = 1_800_000_000_000;
const CRASH: JobEnd = { fault: null, exitCode: null, signalName: "SIGKILL", lastWords: "" };

/** A job that uses this test as its process. */
class FakeJob implements RunningJob {
  readonly identity = null;
  readonly request: JobRequest;
  readonly report: (phase: JobPhase) => void;
  readonly ended: Promise<JobEnd>;
  hasBegun = false;
  isKilled = false;
  finish: (end: JobEnd) => void = () => undefined;

  constructor(request: JobRequest, report: (phase: JobPhase) => void) {
    this.request = request;
    this.report = report;
    this.ended = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  begin(): void {
    this.hasBegun = true;
  }

  kill(): void {
    this.isKilled = true;
    this.finish(CRASH);
  }

  /** Writes the files of a real job, then ends. */
  complete(): void {
    writeAttempt(this.request.attemptDirectory, COUNTS);
    this.finish({ ...CRASH, exitCode: 0, signalName: null });
  }

  get uploadId(): string {
    return /upload-\w{12}/.exec(this.request.attemptDirectory)?.[0] ?? "";
  }
}

function writeAttempt(directory: string, counts: UploadCounts | null): void {
  for (const part of ["archive", "cache", "unpacked"]) mkdirSync(join(directory, part), { recursive: true });
  writeFileSync(join(directory, "archive", "archive.db"), "an archive");
  writeFileSync(join(directory, "cache", "graph.json"), "{}");
  if (counts !== null) writeFileSync(join(directory, RESULT_FILE), JSON.stringify({ counts, extractedAt: NOW }));
}

let root: string;
let directory: DataDirectory;
let catalog: UploadCatalog;
let jobs: FakeJob[];
let queues: JobQueue[];
let faults: object[];
let notes: object[];

function startFake(request: JobRequest, report: (phase: JobPhase) => void): RunningJob {
  const job = new FakeJob(request, report);
  jobs.push(job);
  return job;
}

function newQueue(jobsAtOnce = 1, startJob: StartJob = startFake): JobQueue {
  const queue = new JobQueue({
    directory,
    catalog,
    storage: null,
    events: new EventLog(catalog),
    log: { info: (fields) => notes.push(fields), error: (fields) => faults.push(fields) },
    jobs: jobsAtOnce,
    threads: 2,
    startJob,
    now: () => NOW,
  });
  queues.push(queue);
  return queue;
}

/** Adds an upload like an acknowledged one, or with a path like `service add`. */
async function add(uploadId: string, sourcePath: string | null = null): Promise<void> {
  if (sourcePath === null) {
    mkdirSync(directory.sourceDirectory(uploadId), { recursive: true });
    writeFileSync(join(directory.sourceDirectory(uploadId), "mail.mbox"), "From ");
  }
  const options = { redact: ["ip"], password: null, maxMessages: 5, discardsOriginals: true } as const;
  await catalog.add({
    uploadId,
    filename: "mail.mbox",
    sizeBytes: 5,
    sha256: "ab",
    createdAt: NOW,
    options,
    sourcePath,
  });
}

/** Everything in the data directory except the files of the catalog. */
function tree(): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith("catalogue.db"))
    .sort();
}

const COMPLETED = (uploadId: string): string[] => [
  "incoming",
  "uploads",
  ...["", "/archive", "/archive/archive.db", "/cache", "/cache/graph.json"].map((part) => `uploads/${uploadId}${part}`),
];
const EMPTY = ["incoming", "uploads"];

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 2));
}

const statusOf = async (uploadId: string): Promise<string | undefined> => (await catalog.get(uploadId))?.status;
const eventsOf = async (uploadId: string): Promise<string[]> =>
  (await catalog.eventsAfter(0, 1000, uploadId)).map(({ data }) => {
    const { status, phase, state } = JSON.parse(data) as Record<string, string>;
    return status ?? `${phase} ${state}`;
  });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archivetool-queue-"));
  directory = openDataDirectory(root);
  catalog = openUploadCatalog(directory.catalog, uploadEventData);
  jobs = [];
  queues = [];
  faults = [];
  notes = [];
});

afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.close()));
  await catalog.close();
  rmSync(root, { recursive: true, force: true });
});

describe("the queue", () => {
  it("runs uploads one by one, oldest first, and publishes only results of jobs", async () => {
    const queue = newQueue();
    await queue.start();
    for (const id of [A, B]) await add(id);
    queue.wake();
    await until(() => jobs.length === 1);
    expect(jobs.map(({ uploadId }) => uploadId)).toEqual([A]);
    expect([queue.runningCount(), await queue.queueLength()]).toEqual([1, 1]);
    expect(jobs[0]).toMatchObject({
      hasBegun: true,
      request: {
        sourceDirectory: directory.sourceDirectory(A),
        filename: "mail.mbox",
        expectedSha256: null,
        threads: 2,
      },
    });
    expect(jobs[0]?.request.options).toEqual({
      redact: ["ip"],
      password: null,
      maxMessages: 5,
      discardsOriginals: true,
    });
    jobs[0]?.report({ phase: "parsing", state: "started", done: 0, total: null, isSkipped: false });
    jobs[0]?.complete();
    await until(() => jobs.length === 2);
    expect(await catalog.get(A)).toMatchObject({
      status: "completed",
      counts: COUNTS,
      completedAt: NOW,
      error: null,
    });
    expect(await eventsOf(A)).toEqual(["queued", "running", "parsing started", "completed"]);
    jobs[1]?.complete();
    await until(() => queue.runningCount() === 0);
    expect(tree()).toEqual([...new Set([...COMPLETED(A), ...COMPLETED(B)])].sort());
  });

  it("runs up to the limit at once", async () => {
    const queue = newQueue(2);
    for (const id of [A, B, C]) await add(id);
    await queue.start();
    expect(jobs.map(({ uploadId }) => uploadId)).toEqual([A, B]);
    jobs[1]?.complete();
    await until(() => jobs.length === 3);
    expect(jobs[2]?.uploadId).toBe(C);
  });

  it("runs uploads that another process added", async () => {
    const queue = newQueue();
    await queue.start();
    const other = openUploadCatalog(directory.catalog, uploadEventData);
    const options = { redact: [], password: null, maxMessages: null, discardsOriginals: true };
    await other.add({
      uploadId: A,
      filename: "x",
      sizeBytes: 1,
      sha256: "cd",
      createdAt: NOW,
      options,
      sourcePath: "/mail/x.mbox",
    });
    await other.close();
    await until(() => jobs.length === 1);
    expect(jobs[0]?.request).toMatchObject({ sourceDirectory: "/mail", filename: "x.mbox", expectedSha256: "cd" });
  });

  it("keeps the reason of a failure, and no files", async () => {
    const queue = newQueue();
    await add(A);
    await queue.start();
    writeAttempt(jobs[0]!.request.attemptDirectory, null);
    jobs[0]?.finish({
      ...CRASH,
      fault: { code: "DAMAGED_SOURCE", message: "nothing can be read", trace: ["ArchiveError"] },
    });
    await until(() => queue.runningCount() === 0);
    expect(await catalog.get(A)).toMatchObject({
      status: "failed",
      error: { code: "DAMAGED_SOURCE", message: "nothing can be read" },
    });
    expect(tree()).toEqual(EMPTY);
    // A faulty upload is not a fault of the service.
    expect(faults).toEqual([]);
    expect(notes.at(-1)).toMatchObject({ upload: A, status: "failed", code: "DAMAGED_SOURCE" });
  });

  it("does not move a path of the server", async () => {
    const path = join(root, "..", `${root.split("/").at(-1)}-mail.mbox`);
    writeFileSync(path, "From ");
    const queue = newQueue();
    await add(A, path);
    await queue.start();
    jobs[0]?.complete();
    await until(() => queue.runningCount() === 0);
    expect(existsSync(path)).toBe(true);
    await queue.cancel(A);
    expect(existsSync(path)).toBe(true);
    expect(tree()).toEqual(EMPTY);
    rmSync(path);
  });

  it("retries a killed job twice, then fails with a hint", async () => {
    const queue = newQueue();
    await add(A);
    await queue.start();
    for (const attempt of [1, 2, 3]) {
      await until(() => jobs.length === attempt);
      expect(jobs[attempt - 1]?.request.attemptDirectory).toBe(directory.attemptDirectory(A, attempt));
      expect(existsSync(join(directory.sourceDirectory(A), "mail.mbox"))).toBe(true);
      writeAttempt(jobs[attempt - 1]!.request.attemptDirectory, null);
      jobs[attempt - 1]?.finish(CRASH);
    }
    await until(() => queue.runningCount() === 0);
    expect(await catalog.get(A)).toMatchObject({ status: "failed", error: { code: "EXTRACTION_CRASHED" } });
    expect(await eventsOf(A)).toEqual(["queued", "running", "queued", "running", "queued", "running", "failed"]);
    expect(faults).toMatchObject([
      { status: "queued" },
      { status: "queued" },
      { status: "failed", code: "EXTRACTION_CRASHED" },
    ]);
    expect(tree()).toEqual(EMPTY);
  });

  it("completes a job that was killed after its last message", async () => {
    const queue = newQueue();
    await add(A);
    await queue.start();
    writeAttempt(jobs[0]!.request.attemptDirectory, COUNTS);
    jobs[0]?.finish(CRASH);
    await until(() => queue.runningCount() === 0);
    expect(await statusOf(A)).toBe("completed");
    expect(tree()).toEqual(COMPLETED(A));
  });

  it("fails an upload whose job cannot be started", async () => {
    const queue = newQueue(1, () => {
      throw Object.assign(new Error("spawn"), { code: "EAGAIN" });
    });
    await add(A);
    await queue.start();
    await until(() => queue.runningCount() === 0);
    expect(await catalog.get(A)).toMatchObject({ status: "failed", error: { code: "INTERNAL_ERROR" } });
    expect(tree()).toEqual(EMPTY);
  });

  it("completes a job again after the catalog was full", async () => {
    const full = Object.assign(new Error("full"), { code: "SQLITE_FULL" });
    let failures = 0;
    const { complete } = catalog;
    catalog.complete = (...end) => {
      failures++;
      if (failures === 1) throw full;
      return complete(...end);
    };
    const queue = newQueue();
    await add(A);
    await queue.start();
    jobs[0]?.complete();
    await until(() => queue.runningCount() === 0);
    expect(failures).toBe(2);
    expect(faults).toMatchObject([{ code: "DISK_FULL" }]);
    expect(await statusOf(A)).toBe("completed");
    expect(tree()).toEqual(COMPLETED(A));
  });
});

describe("cancelling", () => {
  it("ends a running job, removes everything, and reports that last", async () => {
    const queue = newQueue();
    for (const id of [A, B]) await add(id);
    await queue.start();
    writeAttempt(jobs[0]!.request.attemptDirectory, null);
    await queue.cancel(A);
    jobs[0]?.report({ phase: "parsing", state: "progress", done: 9, total: null, isSkipped: false });
    expect(jobs[0]?.isKilled).toBe(true);
    expect(await catalog.get(A)).toBeNull();
    expect(await eventsOf(A)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(existsSync(directory.uploadDirectory(A))).toBe(false);
    await until(() => jobs.length === 2);
    expect(jobs[1]?.uploadId).toBe(B);
  });

  it("removes queued and completed uploads", async () => {
    const queue = newQueue();
    for (const id of [A, B]) await add(id);
    await queue.start();
    await queue.cancel(B);
    jobs[0]?.complete();
    await until(async () => (await statusOf(A)) === "completed");
    await queue.cancel(A);
    expect(await catalog.list()).toEqual([]);
    expect(tree()).toEqual(EMPTY);
    expect(jobs).toHaveLength(1);
  });

  it("does not find missing uploads, or those being removed", async () => {
    const queue = newQueue();
    await add(A);
    await queue.start();
    const answers = await Promise.allSettled([queue.cancel(A), queue.cancel(A), queue.cancel(B)]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(answers[2]).toMatchObject({ reason: { code: "NOT_FOUND", message: `Upload ${B} not found` } });
  });

  it("wins over a job that completes in the same moment", async () => {
    const queue = newQueue();
    await add(A);
    await queue.start();
    jobs[0]?.complete();
    await queue.cancel(A);
    expect(await catalog.get(A)).toBeNull();
    expect(tree()).toEqual(EMPTY);
  });
});

describe("closing", () => {
  it("queues running uploads again any number of times, without counting an interruption", async () => {
    await add(A);
    for (let round = 1; round <= 5; round++) {
      const queue = newQueue();
      await queue.start();
      expect(jobs).toHaveLength(round);
      writeAttempt(jobs.at(-1)!.request.attemptDirectory, null);
      await queue.close();
      expect(await statusOf(A)).toBe("queued");
      expect((await catalog.jobsOf("queued"))[0]).toMatchObject({ attempt: round, interruptions: 0 });
      expect(tree()).toEqual([...EMPTY, `uploads/${A}`, `uploads/${A}/source`, `uploads/${A}/source/mail.mbox`].sort());
    }
    await catalog.add({
      uploadId: B,
      filename: "x",
      sizeBytes: 1,
      sha256: "",
      createdAt: NOW,
      options: { redact: [], password: null, maxMessages: null, discardsOriginals: true },
      sourcePath: "/x",
    });
    queues.at(-1)?.wake();
    expect(jobs).toHaveLength(5);
  });
});

describe("after a service was killed", () => {
  /** State after a service ends during a job. */
  async function leaveRunning(uploadId: string): Promise<string> {
    await add(uploadId);
    const attempt = (await catalog.claim(NOW))?.attempt ?? 0;
    // A process number that does not exist.
    await catalog.setProcess(uploadId, { processId: 2 ** 30, startedAt: "another boot 1" });
    return directory.attemptDirectory(uploadId, attempt);
  }

  it("restarts the running job, and keeps its place in the queue", async () => {
    writeAttempt(await leaveRunning(A), null);
    await add(B);
    await newQueue().start();
    expect(jobs.map(({ uploadId }) => uploadId)).toEqual([A]);
    expect(jobs[0]?.request.attemptDirectory).toBe(directory.attemptDirectory(A, 2));
    expect(existsSync(directory.attemptDirectory(A, 1))).toBe(false);
  });

  it("counts no restart as an interruption of the upload", async () => {
    await leaveRunning(A);
    await newQueue().start();
    expect((await catalog.jobsOf("running"))[0]).toMatchObject({ attempt: 2, interruptions: 0 });
  });

  it("fails an upload that it was killed with twenty times", async () => {
    await leaveRunning(A);
    for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
      await catalog.requeue(A, false);
      await catalog.claim(NOW);
      await catalog.setProcess(A, { processId: 2 ** 30, startedAt: null });
    }
    await newQueue().start();
    expect(jobs).toEqual([]);
    expect(await catalog.get(A)).toMatchObject({ status: "failed", error: { code: "EXTRACTION_CRASHED" } });
    expect(tree()).toEqual(EMPTY);
  });

  it("does not count an interruption before the job started", async () => {
    await add(A);
    await catalog.claim(NOW);
    await newQueue().start();
    expect((await catalog.jobsOf("running"))[0]).toMatchObject({ attempt: 2, interruptions: 0 });
  });

  it.each([
    ["before anything was moved", []],
    ["after the archive was moved", ["archive"]],
    ["after everything was moved", ["archive", "cache"]],
  ] as const)("publishes the finished result of a job, %s", async (_when, moved) => {
    const attempt = await leaveRunning(A);
    writeAttempt(attempt, COUNTS);
    const published = directory.uploadDirectory(A);
    const { renameSync } = await import("node:fs");
    for (const part of moved) renameSync(join(attempt, part), join(published, part));
    await newQueue().start();
    expect(await catalog.get(A)).toMatchObject({ status: "completed", counts: COUNTS });
    expect(tree()).toEqual(COMPLETED(A));
    expect(jobs).toEqual([]);
  });

  it("finishes the removal of canceled and ended uploads", async () => {
    const attempt = await leaveRunning(A);
    writeAttempt(attempt, null);
    await catalog.cancel(A, NOW);
    await add(B);
    await catalog.claim(NOW);
    await catalog.fail(B, { code: "DISK_FULL", message: "full" }, NOW);
    await newQueue().start();
    expect(await catalog.get(A)).toBeNull();
    expect(await statusOf(B)).toBe("failed");
    expect(tree()).toEqual(EMPTY);
  });

  it("removes unannounced and unfinished files, and keeps complete ones", async () => {
    writeAttempt(await leaveRunning(A), COUNTS);
    mkdirSync(directory.cacheDirectory(A), { recursive: true });
    mkdirSync(directory.sourceDirectory(B), { recursive: true });
    writeFileSync(join(directory.sourceDirectory(B), "mail.mbox"), "never acknowledged");
    writeFileSync(join(directory.uploads, "stray"), "");
    await newQueue().start();
    writeFileSync(join(directory.cacheDirectory(A), "wiki.zip"), "whole");
    writeFileSync(join(directory.cacheDirectory(A), "wiki.zip.tmp"), "half");
    await newQueue().start();
    expect(tree()).toEqual([...COMPLETED(A), `uploads/${A}/cache/wiki.zip`].sort());
  });

  it("keeps incomplete resumable uploads, and removes others", async () => {
    const pair = (id: string): void => {
      for (const suffix of [".part", ".json"]) writeFileSync(join(directory.incoming, id + suffix), "{}");
    };
    pair(A);
    pair(B);
    await add(B, "/mail/registered.mbox");
    writeFileSync(join(directory.incoming, `${C}.part`), "half of a multipart body");
    writeFileSync(join(directory.incoming, "upload-dddddddddddd.json"), "{}");
    writeFileSync(join(directory.incoming, "stray"), "");
    pair("upload-eeeeeeeeeeee");
    const { utimesSync } = await import("node:fs");
    const recently = (NOW - RESUMABLE_MAX_AGE_MS + 60_000) / 1000;
    const longAgo = (NOW - RESUMABLE_MAX_AGE_MS - 60_000) / 1000;
    for (const suffix of [".part", ".json"]) {
      utimesSync(join(directory.incoming, `upload-eeeeeeeeeeee${suffix}`), longAgo, longAgo);
      utimesSync(
        join(directory.incoming, A + suffix),
        suffix === ".part" ? recently : longAgo,
        suffix === ".part" ? recently : longAgo,
      );
    }
    await newQueue().start();
    expect(readdirSync(directory.incoming).sort()).toEqual([`${A}.json`, `${A}.part`]);
  });

  it.skipIf(process.platform !== "linux")("ends a job that outlived it before it touches its files", async () => {
    await add(A);
    await catalog.claim(NOW);
    const orphan = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('up')"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(orphan.stdout, "data");
    await catalog.setProcess(A, identifyProcess(orphan.pid!));
    const exit = once(orphan, "exit");
    await newQueue().start();
    expect((await exit)[1]).toBe("SIGKILL");
    expect(jobs).toHaveLength(1);
  });
});
