import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploadEventData } from "../../src/http/upload-service/event-log.ts";
import { openSharedCatalogue } from "../../src/http/upload-service/shared-catalogue.ts";
import type { NewUpload, UploadCounts } from "../../src/mail/uploads.ts";
import { openUploadCatalogue } from "../../src/store/sqlite/upload-catalogue.ts";
import { KEPT_EVENTS, type UploadCatalogue } from "../../src/store/upload-catalogue.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";

/** Where catalogues are kept, each held by the same contract. */
const STORES = ["file", "PostgreSQL"] as const;
type Store = (typeof STORES)[number];

const COUNTS: UploadCounts = { messages: 3, contacts: 2, threads: 1, topics: 1, calendarEvents: 0, attachments: 4 };
const SECRET = "correct-horse-battery";
const LEASE_SECONDS = 600;

const programs = postgresPrograms();
const server = programs === null ? null : startPostgres(programs).url;

let directory: string;
let name: string;
const open: UploadCatalogue[] = [];
let databases = 0;

/** One of the services over the same catalogue. */
function openOne(store: Store): UploadCatalogue {
  const catalogue =
    store === "file"
      ? openUploadCatalogue(join(directory, "catalogue.db"), uploadEventData)
      : openSharedCatalogue({
          server: name,
          directory,
          owner: `service ${open.length} ${Math.random()}`,
          leaseSeconds: LEASE_SECONDS,
        });
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
    .map(({ event, data }) => (event === "phase" ? `${event} ${data}` : `${event} ${statusIn(data)}`));

function statusIn(data: string): string {
  const { upload_id: id, status } = JSON.parse(data) as { readonly upload_id: string; readonly status: string };
  return `${id} ${status}`;
}

async function newDatabase(url: string): Promise<string> {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: url });
  await client.connect();
  databases++;
  await client.query(`CREATE DATABASE catalogue${databases}`);
  await client.end();
  return url.replace("/postgres?", `/catalogue${databases}?`);
}

async function inDatabase(...statements: readonly string[]): Promise<void> {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: name });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Appends phases of the first upload: to a database all at once, as each would be a transaction of its own. */
async function fillLog(store: Store, catalogue: UploadCatalogue, events: number): Promise<void> {
  if (store === "file") for (let index = 0; index < events; index++) catalogue.appendPhase("a", "parsing", "{}");
  else
    await inDatabase(
      `INSERT INTO archivetool.service_events(sequence, upload_id, event, data)
         SELECT last_sequence + more, 'a', 'phase', '{}' FROM archivetool.service_state, generate_series(1, ${events}) AS more`,
      `UPDATE archivetool.service_state SET last_sequence = last_sequence + ${events}`,
    );
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-catalogue-"));
  name = server === null ? "" : await newDatabase(server);
});

afterEach(() => {
  for (const catalogue of open.splice(0)) catalogue.close();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(STORES)("a catalogue of uploads in a %s", (store) => {
  const isMissing = store !== "file" && server === null;
  it.skipIf(isMissing)("keeps every field over a reopening", () => {
    const first = openOne(store);
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
    const again = openOne(store);
    expect(again.get("a")).toEqual(added);
    expect(again.claim(2000)).toEqual({
      upload: { ...added, status: "running", startedAt: 2000 },
      options,
      attempt: 1,
      interruptions: 0,
      process: null,
    });
  });

  it.skipIf(isMissing)("hands out the oldest first, each once, and nothing when none waits", () => {
    const catalogue = openOne(store);
    for (const id of ["a", "b", "c"]) catalogue.add(upload(id));
    expect(catalogue.countOf("queued")).toBe(3);
    expect([1, 2, 3, 4].map((at) => catalogue.claim(at)?.upload.uploadId ?? null)).toEqual(["a", "b", "c", null]);
    expect(catalogue.countOf("queued")).toBe(0);
  });

  it.skipIf(isMissing)("lists newest first; the newest completed is the first completed of the list", () => {
    const catalogue = openOne(store);
    for (const id of ["a", "b", "c"]) catalogue.add(upload(id));
    expect(catalogue.newestCompleted()).toBeNull();
    for (const id of ["a", "b"]) {
      catalogue.claim(1);
      catalogue.complete(id, COUNTS, 900 - id.charCodeAt(0));
    }
    expect(catalogue.list().map(({ uploadId }) => uploadId)).toEqual(["c", "b", "a"]);
    expect(catalogue.newestCompleted()).toMatchObject({ uploadId: "b", status: "completed", counts: COUNTS });
    catalogue.cancel("b", 10);
    expect(catalogue.list().map(({ uploadId }) => uploadId)).toEqual(["c", "a"]);
    expect(catalogue.newestCompleted()?.uploadId).toBe("a");
  });

  it.skipIf(isMissing)("writes one event a change, and none where nothing changed", () => {
    const catalogue = openOne(store);
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
    expect(changesOf(catalogue)).toEqual([
      "upload a queued",
      "upload a running",
      "phase in time",
      "upload a queued",
      "upload a running",
      "upload a failed",
    ]);
    catalogue.cancel("a", 5);
    expect(catalogue.cancel("a", 6)).toBeNull();
    catalogue.remove("a");
    expect(catalogue.get("a")).toBeNull();
    expect(catalogue.cancel("a", 7)).toBeNull();
    // Of what is deleted the log says that it is, where its status changed, and nothing else.
    expect(changesOf(catalogue)).toEqual(Array.from({ length: 6 }, () => "upload a cancelled"));
  });

  it.skipIf(isMissing)("counts the interruptions that are no one's will, and every attempt", () => {
    const catalogue = openOne(store);
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

  it.skipIf(isMissing)(
    "knows the process of a running job, also while it is being cancelled, and forgets it with the attempt",
    () => {
      const catalogue = openOne(store);
      catalogue.add(upload("a"));
      catalogue.claim(1);
      catalogue.setProcess("a", { processId: 42, startedAt: "boot 7" });
      expect(catalogue.jobsOf("running")[0]?.process).toEqual({ processId: 42, startedAt: "boot 7" });
      catalogue.requeue("a", true);
      expect(catalogue.claim(2)?.process).toBeNull();
      catalogue.setProcess("a", { processId: 43, startedAt: null });
      catalogue.cancel("a", 3);
      expect(catalogue.jobsOf("cancelled")[0]?.process).toEqual({ processId: 43, startedAt: null });
    },
  );

  it.skipIf(isMissing)("notices what another process writes, and not what it wrote itself", () => {
    const mine = openOne(store);
    const other = openOne(store);
    expect(mine.hasForeignChanges()).toBe(false);
    mine.add(upload("a"));
    expect(mine.hasForeignChanges()).toBe(false);
    other.add(upload("b"));
    expect(mine.hasForeignChanges()).toBe(true);
    expect(mine.hasForeignChanges()).toBe(false);
    expect(mine.claim(1)?.upload.uploadId).toBe("a");
  });

  it.skipIf(isMissing)("is read from any place, of all uploads or one, so many at a time", () => {
    const catalogue = openOne(store);
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

  it.skipIf(isMissing)(
    "is bounded, and never gives a sequence twice: not when all is cut away, not after a new start",
    async () => {
      const catalogue = openOne(store);
      expect([catalogue.firstSequence(), catalogue.lastSequence()]).toEqual([1, 0]);
      catalogue.add(upload("a"));
      catalogue.claim(1);
      const appended = KEPT_EVENTS + 1000;
      await fillLog(store, catalogue, KEPT_EVENTS - 500);
      for (let index = KEPT_EVENTS - 500; index < appended; index++) catalogue.appendPhase("a", "parsing", "{}");
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
    },
  );

  it.skipIf(isMissing)("gives the present state, with the last phase of what runs", () => {
    const catalogue = openOne(store);
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

  it.skipIf(isMissing)("shows no phase of an earlier attempt before the new one has begun its own", () => {
    const catalogue = openOne(store);
    catalogue.add(upload("a"));
    catalogue.claim(1);
    catalogue.appendPhase("a", "outputs", "of the first attempt");
    catalogue.requeue("a", true);
    catalogue.claim(2);
    expect(catalogue.state(null).phases).toEqual([]);
  });
});

describe.skipIf(server === null)("a catalogue that services share", () => {
  /** Lets the lease of the first upload end: no machine is too busy for it. */
  const pastLease = (): Promise<void> =>
    inDatabase("UPDATE archivetool.service_uploads SET lease_until = now() - interval '1 second' WHERE id = 'a'");

  it("gives each upload to one of them, and numbers the events of all in one row", () => {
    const [one, two] = [openOne("PostgreSQL"), openOne("PostgreSQL")];
    for (const id of ["a", "b", "c"]) one.add(upload(id));
    expect([two.claim(1), one.claim(1), two.claim(1), one.claim(1)].map((job) => job?.upload.uploadId)).toEqual([
      "a",
      "b",
      "c",
      undefined,
    ]);
    two.appendPhase("a", "parsing", "of two");
    one.complete("b", COUNTS, 2);
    expect(one.eventsAfter(0, 100, null)).toEqual(two.eventsAfter(0, 100, null));
    expect(one.eventsAfter(0, 100, null).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("takes over what a silent service held, once, and hears no more of what that one says of it", async () => {
    const [late, one, two] = [openOne("PostgreSQL"), openOne("PostgreSQL"), openOne("PostgreSQL")];
    late.add(upload("a"));
    late.claim(1);
    expect(one.takeOver()).toEqual([]);
    expect(late.renew(["a"])).toEqual(["a"]);
    await pastLease();
    expect(one.takeOver().map(({ upload: { uploadId }, attempt }) => [uploadId, attempt])).toEqual([["a", 1]]);
    expect(two.takeOver()).toEqual([]);
    expect(late.renew(["a"])).toEqual([]);
    late.appendPhase("a", "parsing", "late");
    expect([
      late.complete("a", COUNTS, 2),
      late.fail("a", { code: "DISK_FULL", message: "late" }, 2),
      late.requeue("a", true),
    ]).toEqual([null, null, null]);
    expect(one.complete("a", COUNTS, 3)).toMatchObject({ status: "completed" });
    expect(changesOf(one)).toEqual(["upload a queued", "upload a running", "upload a completed"]);
  });

  it("leaves an upload that is cancelled elsewhere to the service that holds it, or to any when that is silent", async () => {
    const [holder, other] = [openOne("PostgreSQL"), openOne("PostgreSQL")];
    for (const id of ["a", "b"]) holder.add(upload(id));
    holder.claim(1);
    other.cancel("a", 2);
    expect([other.isHeldElsewhere("a"), holder.isHeldElsewhere("a"), holder.renew(["a"])]).toEqual([true, false, []]);
    other.cancel("b", 2);
    expect(other.isHeldElsewhere("b")).toBe(false);
    await pastLease();
    expect(other.takeOver().map(({ upload: { uploadId, status } }) => `${uploadId} ${status}`)).toEqual([
      "a cancelled",
    ]);
  });

  it("keeps the files of an upload for one of them, until it is done or gone", () => {
    const [one, two] = [openOne("PostgreSQL"), openOne("PostgreSQL")];
    expect([one.lock("a"), two.lock("a"), two.lock("b")]).toEqual([true, false, true]);
    one.unlock("a");
    expect(two.lock("a")).toBe(true);
    two.close();
    open.splice(open.indexOf(two), 1);
    expect(one.lock("a")).toBe(true);
  });

  it("is of one data directory, and says so to a service with another", () => {
    openOne("PostgreSQL").add(upload("a"));
    const other = openSharedCatalogue({ server: name, directory: "another", owner: "x", leaseSeconds: 1 });
    open.push(other);
    expect(() => other.list()).toThrowError(expect.objectContaining({ code: "OUTPUT_NOT_OURS" }));
  });

  it("says that its database cannot be reached", () => {
    const away = openSharedCatalogue({
      server: "postgres://tester@localhost/postgres?host=%2Fnowhere",
      directory,
      owner: "x",
      leaseSeconds: 1,
    });
    expect(() => away.list()).toThrowError(expect.objectContaining({ code: "CATALOGUE_UNREACHABLE" }));
    away.close();
  });
});
