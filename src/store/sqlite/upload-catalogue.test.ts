import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NewUpload, UploadCounts } from "../../mail/uploads.ts";
import type { UploadCatalogue } from "../upload-catalogue.ts";
import { openDatabase } from "./database.ts";
import { openUploadCatalogue } from "./upload-catalogue.ts";
import { KEPT_EVENTS } from "./upload-events.ts";

const COUNTS: UploadCounts = { messages: 3, contacts: 2, threads: 1, topics: 1, calendarEvents: 0, attachments: 4 };
const SECRET = "correct-horse-battery";

let directory: string;
let path: string;
const open: UploadCatalogue[] = [];

/** A catalogue whose log says status and id. */
function openOne(): UploadCatalogue {
  const catalogue = openUploadCatalogue(path, ({ uploadId, status }) => JSON.stringify({ uploadId, status }));
  open.push(catalogue);
  return catalogue;
}

function upload(uploadId: string, change: Partial<NewUpload> = {}): NewUpload {
  const options = { redact: [], password: null, maxMessages: null, discardsOriginals: true };
  return {
    uploadId,
    filename: `${uploadId}.mbox`,
    sizeBytes: 10,
    sha256: "ab",
    createdAt: 1000,
    options,
    sourcePath: null,
    ...change,
  };
}

const changesOf = (catalogue: UploadCatalogue): string[] =>
  catalogue
    .eventsAfter(0, 100, null)
    .map(({ event, data }) => `${event} ${data}`.replace(/\{"uploadId":"(.+)","status":"(.+)"\}/, "$1 $2"));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-catalogue-"));
  path = join(directory, "catalogue.db");
});

afterEach(() => {
  for (const catalogue of open.splice(0)) catalogue.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("a catalogue of uploads", () => {
  it("keeps every field over a reopening", () => {
    const first = openOne();
    const options = { redact: ["email", "ip"], password: SECRET, maxMessages: 7, discardsOriginals: true } as const;
    const added = first.add(upload("a", { sourcePath: "/mail/a.mbox", options }));
    expect(added).toEqual({
      uploadId: "a",
      filename: "a.mbox",
      discardsOriginals: true,
      sizeBytes: 10,
      sha256: "ab",
      status: "queued",
      phase: null,
      createdAt: 1000,
      startedAt: null,
      completedAt: null,
      error: null,
      counts: null,
      sourcePath: "/mail/a.mbox",
    });
    first.close();
    open.pop();
    const again = openOne();
    expect(again.get("a")).toEqual(added);
    expect(again.claim(2000)).toEqual({
      upload: { ...added, status: "running", startedAt: 2000 },
      options,
      attempt: 1,
      interruptions: 0,
      process: null,
    });
  });

  it("hands out the oldest first, each once, and nothing when none waits", () => {
    const catalogue = openOne();
    for (const id of ["a", "b", "c"]) catalogue.add(upload(id));
    expect(catalogue.countOf("queued")).toBe(3);
    expect([1, 2, 3, 4].map((at) => catalogue.claim(at)?.upload.uploadId ?? null)).toEqual(["a", "b", "c", null]);
    expect(catalogue.countOf("queued")).toBe(0);
  });

  it("lists newest first; the newest completed is the first completed of the list", () => {
    const catalogue = openOne();
    for (const id of ["a", "b", "c"]) catalogue.add(upload(id));
    expect(catalogue.newestCompleted()).toBeNull();
    for (const id of ["a", "b"]) {
      catalogue.claim(1);
      catalogue.complete(id, COUNTS, 9 - id.charCodeAt(0) / 100);
    }
    expect(catalogue.list().map(({ uploadId }) => uploadId)).toEqual(["c", "b", "a"]);
    expect(catalogue.newestCompleted()).toMatchObject({ uploadId: "b", status: "completed", counts: COUNTS });
    catalogue.cancel("b", 10);
    expect(catalogue.list().map(({ uploadId }) => uploadId)).toEqual(["c", "a"]);
    expect(catalogue.newestCompleted()?.uploadId).toBe("a");
  });

  it("writes one event a change, and none where nothing changed", () => {
    const catalogue = openOne();
    catalogue.add(upload("a"));
    expect(catalogue.complete("a", COUNTS, 1)).toBeNull();
    expect(catalogue.requeue("a", true)).toBeNull();
    catalogue.appendPhase("a", "parsing", "early");
    catalogue.claim(1);
    catalogue.appendPhase("a", "parsing", "in time");
    expect(catalogue.get("a")?.phase).toBe("parsing");
    catalogue.requeue("a", true);
    catalogue.claim(2);
    catalogue.fail("a", { code: "DAMAGED_SOURCE", message: "broken" }, 3);
    expect(catalogue.fail("a", { code: "DISK_FULL", message: "late" }, 4)).toBeNull();
    expect(catalogue.complete("a", COUNTS, 4)).toBeNull();
    catalogue.appendPhase("a", "outputs", "late");
    expect(catalogue.get("a")).toMatchObject({
      phase: null,
      error: { code: "DAMAGED_SOURCE", message: "broken" },
      completedAt: 3,
    });
    catalogue.cancel("a", 5);
    expect(catalogue.cancel("a", 6)).toBeNull();
    catalogue.remove("a");
    expect(catalogue.get("a")).toBeNull();
    expect(catalogue.cancel("a", 7)).toBeNull();
    expect(changesOf(catalogue)).toEqual([
      "upload a queued",
      "upload a running",
      "phase in time",
      "upload a queued",
      "upload a running",
      "upload a failed",
      "upload a cancelled",
    ]);
  });

  it("counts the interruptions that are no one's will, and every attempt", () => {
    const catalogue = openOne();
    catalogue.add(upload("a"));
    const seen: unknown[] = [];
    for (const isInterruption of [true, false, true]) {
      const job = catalogue.claim(1);
      seen.push([job?.attempt, job?.interruptions]);
      catalogue.requeue("a", isInterruption);
    }
    const job = catalogue.claim(1);
    expect([...seen, [job?.attempt, job?.interruptions]]).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 2],
    ]);
  });

  it("knows the process of a running job, also while it is being cancelled, and forgets it with the attempt", () => {
    const catalogue = openOne();
    catalogue.add(upload("a"));
    catalogue.claim(1);
    catalogue.setProcess("a", { processId: 42, startedAt: "boot 7" });
    expect(catalogue.jobsOf("running")[0]?.process).toEqual({ processId: 42, startedAt: "boot 7" });
    catalogue.requeue("a", true);
    expect(catalogue.claim(2)?.process).toBeNull();
    catalogue.setProcess("a", { processId: 43, startedAt: null });
    catalogue.cancel("a", 3);
    expect(catalogue.jobsOf("cancelled")[0]?.process).toEqual({ processId: 43, startedAt: null });
  });

  it.each(["complete", "fail", "cancel"] as const)(
    "erases the password from the files when a job ends by %s, and not before",
    (end) => {
      const catalogue = openOne();
      catalogue.add(
        upload("a", { options: { redact: [], password: SECRET, maxMessages: null, discardsOriginals: true } }),
      );
      catalogue.claim(1);
      catalogue.requeue("a", true);
      expect(catalogue.claim(2)?.options.password).toBe(SECRET);
      const holdsSecret = (): boolean => ["", "-wal"].some((suffix) => readFileSync(path + suffix).includes(SECRET));
      expect(holdsSecret()).toBe(true);
      if (end === "complete") catalogue.complete("a", COUNTS, 3);
      else if (end === "fail") catalogue.fail("a", { code: "DISK_FULL", message: "" }, 3);
      else catalogue.cancel("a", 3);
      expect(holdsSecret()).toBe(false);
    },
  );

  it("is closed to other users", () => {
    openOne().add(upload("a"));
    for (const suffix of ["", "-wal", "-shm"]) expect(statSync(path + suffix).mode & 0o077, suffix).toBe(0);
  });

  it("notices what another process writes, and not what it wrote itself", () => {
    const mine = openOne();
    const other = openOne();
    expect(mine.hasForeignChanges()).toBe(false);
    mine.add(upload("a"));
    expect(mine.hasForeignChanges()).toBe(false);
    other.add(upload("b"));
    expect(mine.hasForeignChanges()).toBe(true);
    expect(mine.hasForeignChanges()).toBe(false);
    expect(mine.claim(1)?.upload.uploadId).toBe("a");
  });

  it("takes over the uploads of the first version, which kept no originals", () => {
    openOne().close();
    open.pop();
    const old = openDatabase(path, {});
    old.exec("ALTER TABLE uploads DROP COLUMN discard_originals");
    old.exec(
      "INSERT INTO uploads(id, filename, size_bytes, sha256, status, created_at, redact) VALUES ('old', 'a.mbox', 1, 'x', 'completed', 1, '[]')",
    );
    old.pragma("user_version = 1");
    old.close();
    expect(openOne().get("old")).toMatchObject({ filename: "a.mbox", discardsOriginals: true });
    open.pop()?.close();
    expect(openOne().get("old")?.discardsOriginals).toBe(true);
  });

  it("refuses files of others and of other versions", () => {
    writeFileSync(path, "no database at all, but long enough to be taken for one ".repeat(10));
    expect(() => openOne()).toThrowError(expect.objectContaining({ code: "NOT_AN_ARCHIVE" }));
    rmSync(path);
    openOne().close();
    open.pop();
    // user_version stands big-endian at byte 60 of the file.
    const bytes = readFileSync(path);
    bytes.writeUInt32BE(99, 60);
    writeFileSync(path, bytes);
    expect(() => openOne()).toThrowError(expect.objectContaining({ code: "ARCHIVE_VERSION" }));
  });
});

describe("the log of events", () => {
  it("is read from any place, of all uploads or one, so many at a time", () => {
    const catalogue = openOne();
    for (const id of ["a", "b", "a2", "b2"]) catalogue.add(upload(id));
    expect(catalogue.firstSequence()).toBe(1);
    expect(catalogue.lastSequence()).toBe(4);
    expect(catalogue.eventsAfter(1, 2, null).map(({ sequence, uploadId }) => [sequence, uploadId])).toEqual([
      [2, "b"],
      [3, "a2"],
    ]);
    expect(catalogue.eventsAfter(0, 10, "b").map(({ sequence }) => sequence)).toEqual([2]);
    expect(catalogue.eventsAfter(4, 10, null)).toEqual([]);
  });

  it("is bounded, and never gives a sequence twice: not when all is cut away, not after a new start", () => {
    const catalogue = openOne();
    expect([catalogue.firstSequence(), catalogue.lastSequence()]).toEqual([1, 0]);
    catalogue.add(upload("a"));
    catalogue.claim(1);
    const appended = KEPT_EVENTS + 1000;
    for (let index = 0; index < appended; index++) catalogue.appendPhase("a", "parsing", "{}");
    const last = catalogue.lastSequence();
    expect(last).toBe(appended + 2);
    const kept = last - catalogue.firstSequence() + 1;
    expect(kept).toBeGreaterThanOrEqual(KEPT_EVENTS);
    expect(kept).toBeLessThan(KEPT_EVENTS + 500);
    catalogue.skipSequences();
    expect(catalogue.lastSequence()).toBeGreaterThanOrEqual(last + 1000);
    const skipped = catalogue.lastSequence();
    catalogue.requeue("a", true);
    expect(catalogue.eventsAfter(last, 10, null).map(({ sequence }) => sequence)).toEqual([skipped + 1]);
  });

  it("gives the present state, with the last phase of what runs", () => {
    const catalogue = openOne();
    for (const id of ["a", "b", "c"]) catalogue.add(upload(id));
    catalogue.claim(1);
    catalogue.claim(1);
    catalogue.appendPhase("a", "parsing", "first");
    catalogue.appendPhase("a", "threading", "second");
    catalogue.appendPhase("b", "parsing", "third");
    catalogue.complete("b", COUNTS, 2);
    const state = catalogue.state(null);
    expect(state.uploads.map(({ uploadId, status }) => `${uploadId} ${status}`)).toEqual([
      "a running",
      "b completed",
      "c queued",
    ]);
    expect(state.phases.map(({ data }) => data)).toEqual(["second"]);
    expect(catalogue.state("c").uploads).toHaveLength(1);
    expect(catalogue.state("none").uploads).toEqual([]);
  });

  it("shows no phase of an earlier attempt before the new one has begun its own", () => {
    const catalogue = openOne();
    catalogue.add(upload("a"));
    catalogue.claim(1);
    catalogue.appendPhase("a", "outputs", "of the first attempt");
    catalogue.requeue("a", true);
    catalogue.claim(2);
    expect(catalogue.state(null).phases).toEqual([]);
  });
});
