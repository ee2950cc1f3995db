import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploadEventData } from "../../src/http/upload-service/jobs/event-log.ts";
import type { NewUpload, UploadCounts } from "../../src/mail/uploads.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import type { CorrectionStore } from "../../src/store/contract/correction-store.ts";
import { KEPT_EVENTS, type UploadCatalogue } from "../../src/store/contract/upload-catalogue.ts";
import { correctionsRevision, PEOPLE_FILE, storedCorrections } from "../../src/store/notebook/corrections-file.ts";
import { postgresCatalogue } from "../../src/store/postgres/service/upload-catalogue.ts";
import { openUploadCatalogue } from "../../src/store/sqlite/service/upload-catalogue.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";

/** All kinds of catalogs; each must pass the same contract. */
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

/** One of several services over the same catalog. */
function openOne(store: Store): UploadCatalogue {
  const catalogue =
    store === "file"
      ? openUploadCatalogue(join(directory, "catalogue.db"), uploadEventData)
      : postgresCatalogue(
          {
            server: name,
            directory,
            owner: `service ${open.length} ${Math.random()}`,
            leaseSeconds: LEASE_SECONDS,
          },
          uploadEventData,
        );
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

const changesOf = async (catalogue: UploadCatalogue): Promise<string[]> =>
  (await catalogue.eventsAfter(0, 100, null)).map(({ event, data }) =>
    event === "phase" ? `${event} ${data}` : `${event} ${statusIn(data)}`,
  );

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

/** Appends phases of the first upload. A database gets them at once, because each would be a separate transaction. */
async function fillLog(store: Store, catalogue: UploadCatalogue, events: number): Promise<void> {
  if (store === "file") for (let index = 0; index < events; index++) await catalogue.appendPhase("a", "parsing", "{}");
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

afterEach(async () => {
  for (const catalogue of open.splice(0)) await catalogue.close();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(STORES)("a catalog of uploads in a %s", (store) => {
  const isMissing = store !== "file" && server === null;

  it.skipIf(isMissing)("stores corrections as rows, and loses none if two users write at once", async () => {
    const [one, other] = [openOne(store), openOne(store)];
    await one.add(upload("a"));
    const location = archiveIn(directory);
    writeFileSync(join(directory, PEOPLE_FILE), "@list crew@x.example\n");
    const [mine, theirs] = [one, other].map((catalogue) =>
      storedCorrections(catalogue, { uploadId: "a", location, name: PEOPLE_FILE }),
    ) as [CorrectionStore, CorrectionStore];
    const entryOf = (verb: string) => ({ date: "2026-11-29", verb, corrections: [["! a@x.example <> b@x.example"]] });
    const seen = correctionsRevision(await mine.text());
    const results = await Promise.allSettled([mine.add(entryOf("split"), seen), theirs.add(entryOf("split"), seen)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await Promise.all([mine, theirs, mine, theirs].map((store, at) => store.add(entryOf(`n${"abcd"[at]}`))));
    const text = await theirs.text();
    expect(text.startsWith("@list crew@x.example\n# 2026-11-29 split\n")).toBe(true);
    expect(text.match(/ n[abcd]\n/g)!.sort()).toEqual([" na\n", " nb\n", " nc\n", " nd\n"]);
    expect((await one.correctionEntries({ uploadId: "a", file: PEOPLE_FILE })).length).toBe(6);
    for (let left = 5; left > 0; left--) expect(await theirs.undo()).toContain("2026-11-29");
    expect(await mine.undo()).toBeNull();
    expect(await mine.text()).toBe("@list crew@x.example\n");
    await one.cancel("a", 2000);
    await one.remove("a");
    expect(await other.correctionEntries({ uploadId: "a", file: PEOPLE_FILE })).toEqual([]);
  });
  it.skipIf(isMissing)("preserves every field when it is reopened", async () => {
    const first = openOne(store);
    const options = { redact: ["email", "ip"], password: SECRET, maxMessages: 7, discardsOriginals: true } as const;
    const added = await first.add(upload("a", { sourcePath: "/mail/a.mbox", options }));
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
      added: [],
      adding: null,
    });
    await first.close();
    open.pop();
    const again = openOne(store);
    expect(await again.get("a")).toEqual(added);
    expect(await again.claim(2000)).toEqual({
      upload: { ...added, status: "running", startedAt: 2000 },
      options,
      attempt: 1,
      interruptions: 0,
      process: null,
    });
  });

  it.skipIf(isMissing)("returns the oldest upload first, each once, and nothing if none is queued", async () => {
    const catalogue = openOne(store);
    for (const id of ["a", "b", "c"]) await catalogue.add(upload(id));
    expect(await catalogue.countOf("queued")).toBe(3);
    const claims = await Promise.all([1, 2, 3, 4].map((at) => catalogue.claim(at)));
    expect(claims.map((job) => job?.upload.uploadId ?? null)).toEqual(["a", "b", "c", null]);
    expect(await catalogue.countOf("queued")).toBe(0);
  });

  it.skipIf(isMissing)("lists newest first; the newest completed is the first completed of the list", async () => {
    const catalogue = openOne(store);
    for (const id of ["a", "b", "c"]) await catalogue.add(upload(id));
    expect(await catalogue.newestCompleted()).toBeNull();
    for (const id of ["a", "b"]) {
      await catalogue.claim(1);
      await catalogue.complete(id, COUNTS, 900 - id.charCodeAt(0));
    }
    expect((await catalogue.list()).map(({ uploadId }) => uploadId)).toEqual(["c", "b", "a"]);
    expect(await catalogue.newestCompleted()).toMatchObject({ uploadId: "b", status: "completed", counts: COUNTS });
    await catalogue.cancel("b", 10);
    expect((await catalogue.list()).map(({ uploadId }) => uploadId)).toEqual(["c", "a"]);
    expect((await catalogue.newestCompleted())?.uploadId).toBe("a");
  });

  it.skipIf(isMissing)("writes one event per change, and none without a change", async () => {
    const catalogue = openOne(store);
    await catalogue.add(upload("a"));
    expect(await catalogue.complete("a", COUNTS, 1)).toBeNull();
    expect(await catalogue.requeue("a", true)).toBeNull();
    await catalogue.appendPhase("a", "parsing", "early");
    await catalogue.claim(1);
    await catalogue.appendPhase("a", "parsing", "in time");
    expect((await catalogue.get("a"))?.phase).toBe("parsing");
    await catalogue.requeue("a", true);
    await catalogue.claim(2);
    await catalogue.fail("a", { code: "DAMAGED_SOURCE", message: "broken" }, 3);
    expect(await catalogue.fail("a", { code: "DISK_FULL", message: "late" }, 4)).toBeNull();
    expect(await catalogue.complete("a", COUNTS, 4)).toBeNull();
    await catalogue.appendPhase("a", "outputs", "late");
    expect(await catalogue.get("a")).toMatchObject({
      phase: null,
      error: { code: "DAMAGED_SOURCE", message: "broken" },
      completedAt: 3,
    });
    expect(await changesOf(catalogue)).toEqual([
      "upload a queued",
      "upload a running",
      "phase in time",
      "upload a queued",
      "upload a running",
      "upload a failed",
    ]);
    await catalogue.cancel("a", 5);
    expect(await catalogue.cancel("a", 6)).toBeNull();
    await catalogue.remove("a");
    expect(await catalogue.get("a")).toBeNull();
    expect(await catalogue.cancel("a", 7)).toBeNull();
    // The log of a deleted upload contains only its deletion and the changes of its status.
    expect(await changesOf(catalogue)).toEqual(Array.from({ length: 6 }, () => "upload a cancelled"));
  });

  it.skipIf(isMissing)("adds sources one by one, and stays completed if one fails", async () => {
    const catalogue = openOne(store);
    await catalogue.add(upload("a"));
    await catalogue.claim(1);
    const first = (await catalogue.complete("a", COUNTS, 2))!;
    const [one, two] = ["one", "two"].map((id) => ({ id, filename: `${id}.mbox`, sizeBytes: 3, sha256: "cd" }));
    const waiting = (await catalogue.addSource(first, one!, SECRET))!;
    expect(waiting).toMatchObject({ status: "queued", completedAt: 2, counts: COUNTS, added: [], adding: one });
    expect(await catalogue.addSource(waiting, two!, null)).toBeNull();
    expect((await catalogue.newestCompleted())?.uploadId).toBe("a");
    expect(await catalogue.claim(3)).toMatchObject({ attempt: 1, interruptions: 0, options: { password: SECRET } });
    const second = (await catalogue.complete("a", { ...COUNTS, messages: 9 }, 4))!;
    expect(second).toMatchObject({ status: "completed", completedAt: 4, added: [one], adding: null });
    // A writer that read an earlier state adds nothing.
    expect(await catalogue.addSource(first, two!, null)).toBeNull();
    await catalogue.addSource(second, two!, null);
    await catalogue.claim(5);
    const fault = { code: "DAMAGED_SOURCE", message: "broken" } as const;
    expect(await catalogue.fail("a", fault, 6)).toMatchObject({
      ...{ status: "completed", completedAt: 4, error: fault, counts: { messages: 9 }, added: [one], adding: null },
    });
    expect((await catalogue.jobsOf("completed"))[0]?.options.password).toBeNull();
  });

  it.skipIf(isMissing)("counts unintended interruptions, and every attempt", async () => {
    const catalogue = openOne(store);
    await catalogue.add(upload("a"));
    const seen: unknown[] = [];
    for (const isInterruption of [true, false, true]) {
      const job = await catalogue.claim(1);
      seen.push([job?.attempt, job?.interruptions]);
      await catalogue.requeue("a", isInterruption);
    }
    const job = await catalogue.claim(1);
    expect([...seen, [job?.attempt, job?.interruptions]]).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 2],
    ]);
  });

  it.skipIf(isMissing)(
    "stores the process of a running job, also during cancellation, and removes it with the attempt",
    async () => {
      const catalogue = openOne(store);
      await catalogue.add(upload("a"));
      await catalogue.claim(1);
      await catalogue.setProcess("a", { processId: 42, startedAt: "boot 7" });
      expect((await catalogue.jobsOf("running"))[0]?.process).toEqual({ processId: 42, startedAt: "boot 7" });
      await catalogue.requeue("a", true);
      expect((await catalogue.claim(2))?.process).toBeNull();
      await catalogue.setProcess("a", { processId: 43, startedAt: null });
      await catalogue.cancel("a", 3);
      expect((await catalogue.jobsOf("cancelled"))[0]?.process).toEqual({ processId: 43, startedAt: null });
    },
  );

  it.skipIf(isMissing)("detects writes of other processes, not its own", async () => {
    const mine = openOne(store);
    const other = openOne(store);
    expect(await mine.hasForeignChanges()).toBe(false);
    await mine.add(upload("a"));
    expect(await mine.hasForeignChanges()).toBe(false);
    await other.add(upload("b"));
    expect(await mine.hasForeignChanges()).toBe(true);
    expect(await mine.hasForeignChanges()).toBe(false);
    expect((await mine.claim(1))?.upload.uploadId).toBe("a");
  });

  it.skipIf(isMissing)("returns events from any position, of all uploads or one, in pages", async () => {
    const catalogue = openOne(store);
    for (const id of ["a", "b", "a2", "b2"]) await catalogue.add(upload(id));
    expect(await catalogue.firstSequence()).toBe(1);
    expect(await catalogue.lastSequence()).toBe(4);
    expect((await catalogue.eventsAfter(1, 2, null)).map(({ sequence, uploadId }) => [sequence, uploadId])).toEqual([
      [2, "b"],
      [3, "a2"],
    ]);
    expect((await catalogue.eventsAfter(0, 10, "b")).map(({ sequence }) => sequence)).toEqual([2]);
    expect(await catalogue.eventsAfter(4, 10, null)).toEqual([]);
  });

  it.skipIf(isMissing)(
    "is bounded, and never reuses a sequence number, not even after a complete cleanup or a restart",
    async () => {
      const catalogue = openOne(store);
      expect([await catalogue.firstSequence(), await catalogue.lastSequence()]).toEqual([1, 0]);
      await catalogue.add(upload("a"));
      await catalogue.claim(1);
      const appended = KEPT_EVENTS + 1000;
      await fillLog(store, catalogue, KEPT_EVENTS - 500);
      for (let index = KEPT_EVENTS - 500; index < appended; index++) await catalogue.appendPhase("a", "parsing", "{}");
      const last = await catalogue.lastSequence();
      expect(last).toBe(appended + 2);
      const kept = last - (await catalogue.firstSequence()) + 1;
      expect(kept).toBeGreaterThanOrEqual(KEPT_EVENTS);
      expect(kept).toBeLessThan(KEPT_EVENTS + 500);
      await catalogue.skipSequences();
      expect(await catalogue.lastSequence()).toBeGreaterThanOrEqual(last + 1000);
      const skipped = await catalogue.lastSequence();
      await catalogue.requeue("a", true);
      expect((await catalogue.eventsAfter(last, 10, null)).map(({ sequence }) => sequence)).toEqual([skipped + 1]);
    },
  );

  it.skipIf(isMissing)("returns the current state, with the last phase of running uploads", async () => {
    const catalogue = openOne(store);
    for (const id of ["a", "b", "c"]) await catalogue.add(upload(id));
    await catalogue.claim(1);
    await catalogue.claim(1);
    await catalogue.appendPhase("a", "parsing", "first");
    await catalogue.appendPhase("a", "threading", "second");
    await catalogue.appendPhase("b", "parsing", "third");
    await catalogue.complete("b", COUNTS, 2);
    const state = await catalogue.state(null);
    expect(state.uploads.map(({ uploadId, status }) => `${uploadId} ${status}`)).toEqual([
      "a running",
      "b completed",
      "c queued",
    ]);
    expect(state.phases.map(({ data }) => data)).toEqual(["second"]);
    expect((await catalogue.state("c")).uploads).toHaveLength(1);
    expect((await catalogue.state("none")).uploads).toEqual([]);
  });

  it.skipIf(isMissing)("shows no phase of an earlier attempt before the new one starts", async () => {
    const catalogue = openOne(store);
    await catalogue.add(upload("a"));
    await catalogue.claim(1);
    await catalogue.appendPhase("a", "outputs", "of the first attempt");
    await catalogue.requeue("a", true);
    await catalogue.claim(2);
    expect((await catalogue.state(null)).phases).toEqual([]);
  });
});

describe.skipIf(server === null)("a catalog that services share", () => {
  /** Ends the lease of the first upload, however busy the machine is. */
  const pastLease = (): Promise<void> =>
    inDatabase("UPDATE archivetool.service_uploads SET lease_until = now() - interval '1 second' WHERE id = 'a'");

  it("gives each upload to one service, and numbers the events of all services in one sequence", async () => {
    const [one, two] = [openOne("PostgreSQL"), openOne("PostgreSQL")];
    for (const id of ["a", "b", "c"]) await one.add(upload(id));
    expect(
      [await two.claim(1), await one.claim(1), await two.claim(1), await one.claim(1)].map(
        (job) => job?.upload.uploadId,
      ),
    ).toEqual(["a", "b", "c", undefined]);
    await two.appendPhase("a", "parsing", "of two");
    await one.complete("b", COUNTS, 2);
    expect(await one.eventsAfter(0, 100, null)).toEqual(await two.eventsAfter(0, 100, null));
    expect((await one.eventsAfter(0, 100, null)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("reassigns the uploads of an unresponsive service once, and ignores its later results", async () => {
    const [late, one, two] = [openOne("PostgreSQL"), openOne("PostgreSQL"), openOne("PostgreSQL")];
    await late.add(upload("a"));
    await late.claim(1);
    expect(await one.takeOver()).toEqual([]);
    expect(await late.renew(["a"])).toEqual(["a"]);
    await pastLease();
    expect((await one.takeOver()).map(({ upload: { uploadId }, attempt }) => [uploadId, attempt])).toEqual([["a", 1]]);
    expect(await two.takeOver()).toEqual([]);
    expect(await late.renew(["a"])).toEqual([]);
    await late.appendPhase("a", "parsing", "late");
    expect([
      await late.complete("a", COUNTS, 2),
      await late.fail("a", { code: "DISK_FULL", message: "late" }, 2),
      await late.requeue("a", true),
    ]).toEqual([null, null, null]);
    expect(await one.complete("a", COUNTS, 3)).toMatchObject({ status: "completed" });
    expect(await changesOf(one)).toEqual(["upload a queued", "upload a running", "upload a completed"]);
  });

  it("leaves a canceled upload to the service that runs it, or to any if it is unresponsive", async () => {
    const [holder, other] = [openOne("PostgreSQL"), openOne("PostgreSQL")];
    for (const id of ["a", "b"]) await holder.add(upload(id));
    await holder.claim(1);
    await other.cancel("a", 2);
    const [elsewhere, here] = [await other.isHeldElsewhere("a"), await holder.isHeldElsewhere("a")];
    expect([elsewhere, here, await holder.renew(["a"])]).toEqual([true, false, []]);
    await other.cancel("b", 2);
    expect(await other.isHeldElsewhere("b")).toBe(false);
    await pastLease();
    expect((await other.takeOver()).map(({ upload: { uploadId, status } }) => `${uploadId} ${status}`)).toEqual([
      "a cancelled",
    ]);
  });

  it("reserves the files of an upload for one service, until it ends or is unresponsive", async () => {
    const [one, two] = [openOne("PostgreSQL"), openOne("PostgreSQL")];
    expect([await one.lock("a"), await one.lock("a"), await two.lock("a"), await two.lock("b")]).toEqual([
      ...[true, false, false, true],
    ]);
    await one.unlock("a");
    expect(await two.lock("a")).toBe(true);
    await two.close();
    open.splice(open.indexOf(two), 1);
    expect(await one.lock("a")).toBe(true);
    const three = openOne("PostgreSQL");
    await one.renew([]);
    expect(await three.lock("a")).toBe(false);
    await inDatabase("UPDATE archivetool.service_locks SET lease_until = now() - interval '1 second'");
    expect(await three.lock("a")).toBe(true);
    // The result of the unresponsive service changes nothing.
    await one.unlock("a");
    expect(await one.lock("a")).toBe(false);
  });

  it("belongs to one data directory, and rejects a service with another", async () => {
    await openOne("PostgreSQL").add(upload("a"));
    const other = postgresCatalogue(
      { server: name, directory: "another", owner: "x", leaseSeconds: 1 },
      uploadEventData,
    );
    open.push(other);
    await expect(other.list()).rejects.toThrowError(expect.objectContaining({ code: "OUTPUT_NOT_OURS" }));
  });

  it("reports that its database cannot be reached", async () => {
    const away = postgresCatalogue(
      {
        server: "postgres://tester@localhost/postgres?host=%2Fnowhere",
        directory,
        owner: "x",
        leaseSeconds: 1,
      },
      uploadEventData,
    );
    await expect(away.list()).rejects.toThrowError(expect.objectContaining({ code: "CATALOGUE_UNREACHABLE" }));
    await away.close();
  });
});
