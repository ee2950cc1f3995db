import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploadEventData } from "../../src/http/upload-service/jobs/event-log.ts";
import type { UploadCounts } from "../../src/mail/uploads.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import type { CorrectionStore } from "../../src/store/contract/correction-store.ts";
import { KEPT_EVENTS, type UploadCatalog } from "../../src/store/contract/upload-catalog.ts";
import { correctionsRevision, PEOPLE_FILE, storedCorrections } from "../../src/store/notebook/corrections-file.ts";
import { postgresCatalog } from "../../src/store/postgres/service/upload-catalog.ts";
import { openUploadCatalog } from "../../src/store/sqlite/service/upload-catalog.ts";
import { newUpload } from "../new-upload.ts";
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
const open: UploadCatalog[] = [];
let databases = 0;

/** One of several services over the same catalog. */
function openOne(store: Store): UploadCatalog {
  const catalog =
    store === "file"
      ? openUploadCatalog(join(directory, "catalogue.db"), uploadEventData)
      : postgresCatalog(
          {
            server: name,
            directory,
            owner: `service ${open.length} ${Math.random()}`,
            leaseSeconds: LEASE_SECONDS,
          },
          uploadEventData,
        );
  open.push(catalog);
  return catalog;
}

const changesOf = async (catalog: UploadCatalog): Promise<string[]> =>
  (await catalog.eventsAfter(0, 100, null)).map(({ event, data }) =>
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
  await client.query(`CREATE DATABASE catalog${databases}`);
  await client.end();
  return url.replace("/postgres?", `/catalog${databases}?`);
}

async function inDatabase(...statements: readonly string[]): Promise<void> {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: name });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Appends phases of the first upload. A database gets them at once, because each would be a separate transaction. */
async function fillLog(store: Store, catalog: UploadCatalog, events: number): Promise<void> {
  if (store === "file") for (let index = 0; index < events; index++) await catalog.appendPhase("a", "parsing", "{}");
  else
    await inDatabase(
      `INSERT INTO archivetool.service_events(sequence, upload_id, event, data)
         SELECT last_sequence + more, 'a', 'phase', '{}' FROM archivetool.service_state, generate_series(1, ${events}) AS more`,
      `UPDATE archivetool.service_state SET last_sequence = last_sequence + ${events}`,
    );
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-catalog-"));
  name = server === null ? "" : await newDatabase(server);
});

afterEach(async () => {
  for (const catalog of open.splice(0)) await catalog.close();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(STORES)("a catalog of uploads in a %s", (store) => {
  const isMissing = store !== "file" && server === null;

  it.skipIf(isMissing)("stores corrections as rows, and loses none if two users write at once", async () => {
    const [one, other] = [openOne(store), openOne(store)];
    await one.add(newUpload("a"));
    const location = archiveIn(directory);
    writeFileSync(join(directory, PEOPLE_FILE), "@list crew@x.example\n");
    const [mine, theirs] = [one, other].map((catalog) =>
      storedCorrections(catalog, { uploadId: "a", location, name: PEOPLE_FILE }),
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
    const added = await first.add(newUpload("a", { sourcePath: "/mail/a.mbox", options }));
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
    const catalog = openOne(store);
    for (const id of ["a", "b", "c"]) await catalog.add(newUpload(id));
    expect(await catalog.countOf("queued")).toBe(3);
    const claims = await Promise.all([1, 2, 3, 4].map((at) => catalog.claim(at)));
    expect(claims.map((job) => job?.upload.uploadId ?? null)).toEqual(["a", "b", "c", null]);
    expect(await catalog.countOf("queued")).toBe(0);
  });

  it.skipIf(isMissing)("lists newest first; the newest completed is the first completed of the list", async () => {
    const catalog = openOne(store);
    for (const id of ["a", "b", "c"]) await catalog.add(newUpload(id));
    expect(await catalog.newestCompleted()).toBeNull();
    for (const id of ["a", "b"]) {
      await catalog.claim(1);
      await catalog.complete(id, COUNTS, 900 - id.charCodeAt(0));
    }
    expect((await catalog.list()).map(({ uploadId }) => uploadId)).toEqual(["c", "b", "a"]);
    expect(await catalog.newestCompleted()).toMatchObject({ uploadId: "b", status: "completed", counts: COUNTS });
    await catalog.cancel("b", 10);
    expect((await catalog.list()).map(({ uploadId }) => uploadId)).toEqual(["c", "a"]);
    expect((await catalog.newestCompleted())?.uploadId).toBe("a");
  });

  it.skipIf(isMissing)("writes one event per change, and none without a change", async () => {
    const catalog = openOne(store);
    await catalog.add(newUpload("a"));
    expect(await catalog.complete("a", COUNTS, 1)).toBeNull();
    expect(await catalog.requeue("a", true)).toBeNull();
    await catalog.appendPhase("a", "parsing", "early");
    await catalog.claim(1);
    await catalog.appendPhase("a", "parsing", "in time");
    expect((await catalog.get("a"))?.phase).toBe("parsing");
    await catalog.requeue("a", true);
    await catalog.claim(2);
    await catalog.fail("a", { code: "DAMAGED_SOURCE", message: "broken" }, 3);
    expect(await catalog.fail("a", { code: "DISK_FULL", message: "late" }, 4)).toBeNull();
    expect(await catalog.complete("a", COUNTS, 4)).toBeNull();
    await catalog.appendPhase("a", "outputs", "late");
    expect(await catalog.get("a")).toMatchObject({
      phase: null,
      error: { code: "DAMAGED_SOURCE", message: "broken" },
      completedAt: 3,
    });
    expect(await changesOf(catalog)).toEqual([
      "upload a queued",
      "upload a running",
      "phase in time",
      "upload a queued",
      "upload a running",
      "upload a failed",
    ]);
    await catalog.cancel("a", 5);
    expect(await catalog.cancel("a", 6)).toBeNull();
    await catalog.remove("a");
    expect(await catalog.get("a")).toBeNull();
    expect(await catalog.cancel("a", 7)).toBeNull();
    // The log of a deleted upload contains only its deletion and the changes of its status.
    expect(await changesOf(catalog)).toEqual(Array.from({ length: 6 }, () => "upload a cancelled"));
  });

  it.skipIf(isMissing)("adds sources one by one, and stays completed if one fails", async () => {
    const catalog = openOne(store);
    await catalog.add(newUpload("a"));
    await catalog.claim(1);
    const first = (await catalog.complete("a", COUNTS, 2))!;
    const [one, two] = ["one", "two"].map((id) => ({ id, filename: `${id}.mbox`, sizeBytes: 3, sha256: "cd" }));
    const waiting = (await catalog.addSource(first, one!, SECRET))!;
    expect(waiting).toMatchObject({ status: "queued", completedAt: 2, counts: COUNTS, added: [], adding: one });
    expect(await catalog.addSource(waiting, two!, null)).toBeNull();
    expect((await catalog.newestCompleted())?.uploadId).toBe("a");
    expect(await catalog.claim(3)).toMatchObject({ attempt: 1, interruptions: 0, options: { password: SECRET } });
    const second = (await catalog.complete("a", { ...COUNTS, messages: 9 }, 4))!;
    expect(second).toMatchObject({ status: "completed", completedAt: 4, added: [one], adding: null });
    // A writer that read an earlier state adds nothing.
    expect(await catalog.addSource(first, two!, null)).toBeNull();
    await catalog.addSource(second, two!, null);
    await catalog.claim(5);
    const fault = { code: "DAMAGED_SOURCE", message: "broken" } as const;
    expect(await catalog.fail("a", fault, 6)).toMatchObject({
      ...{ status: "completed", completedAt: 4, error: fault, counts: { messages: 9 }, added: [one], adding: null },
    });
    expect((await catalog.jobsOf("completed"))[0]?.options.password).toBeNull();
  });

  it.skipIf(isMissing)("counts unintended interruptions, and every attempt", async () => {
    const catalog = openOne(store);
    await catalog.add(newUpload("a"));
    const seen: unknown[] = [];
    for (const isInterruption of [true, false, true]) {
      const job = await catalog.claim(1);
      seen.push([job?.attempt, job?.interruptions]);
      await catalog.requeue("a", isInterruption);
    }
    const job = await catalog.claim(1);
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
      const catalog = openOne(store);
      await catalog.add(newUpload("a"));
      await catalog.claim(1);
      await catalog.setProcess("a", { processId: 42, startedAt: "boot 7" });
      expect((await catalog.jobsOf("running"))[0]?.process).toEqual({ processId: 42, startedAt: "boot 7" });
      await catalog.requeue("a", true);
      expect((await catalog.claim(2))?.process).toBeNull();
      await catalog.setProcess("a", { processId: 43, startedAt: null });
      await catalog.cancel("a", 3);
      expect((await catalog.jobsOf("cancelled"))[0]?.process).toEqual({ processId: 43, startedAt: null });
    },
  );

  it.skipIf(isMissing)("detects writes of other processes, not its own", async () => {
    const mine = openOne(store);
    const other = openOne(store);
    expect(await mine.hasForeignChanges()).toBe(false);
    await mine.add(newUpload("a"));
    expect(await mine.hasForeignChanges()).toBe(false);
    await other.add(newUpload("b"));
    expect(await mine.hasForeignChanges()).toBe(true);
    expect(await mine.hasForeignChanges()).toBe(false);
    expect((await mine.claim(1))?.upload.uploadId).toBe("a");
  });

  it.skipIf(isMissing)("returns events from any position, of all uploads or one, in pages", async () => {
    const catalog = openOne(store);
    for (const id of ["a", "b", "a2", "b2"]) await catalog.add(newUpload(id));
    expect(await catalog.firstSequence()).toBe(1);
    expect(await catalog.lastSequence()).toBe(4);
    expect((await catalog.eventsAfter(1, 2, null)).map(({ sequence, uploadId }) => [sequence, uploadId])).toEqual([
      [2, "b"],
      [3, "a2"],
    ]);
    expect((await catalog.eventsAfter(0, 10, "b")).map(({ sequence }) => sequence)).toEqual([2]);
    expect(await catalog.eventsAfter(4, 10, null)).toEqual([]);
  });

  it.skipIf(isMissing)(
    "is bounded, and never reuses a sequence number, not even after a complete cleanup or a restart",
    async () => {
      const catalog = openOne(store);
      expect([await catalog.firstSequence(), await catalog.lastSequence()]).toEqual([1, 0]);
      await catalog.add(newUpload("a"));
      await catalog.claim(1);
      const appended = KEPT_EVENTS + 1000;
      await fillLog(store, catalog, KEPT_EVENTS - 500);
      for (let index = KEPT_EVENTS - 500; index < appended; index++) await catalog.appendPhase("a", "parsing", "{}");
      const last = await catalog.lastSequence();
      expect(last).toBe(appended + 2);
      const kept = last - (await catalog.firstSequence()) + 1;
      expect(kept).toBeGreaterThanOrEqual(KEPT_EVENTS);
      expect(kept).toBeLessThan(KEPT_EVENTS + 500);
      await catalog.skipSequences();
      expect(await catalog.lastSequence()).toBeGreaterThanOrEqual(last + 1000);
      const skipped = await catalog.lastSequence();
      await catalog.requeue("a", true);
      expect((await catalog.eventsAfter(last, 10, null)).map(({ sequence }) => sequence)).toEqual([skipped + 1]);
    },
  );

  it.skipIf(isMissing)("returns the current state, with the last phase of running uploads", async () => {
    const catalog = openOne(store);
    for (const id of ["a", "b", "c"]) await catalog.add(newUpload(id));
    await catalog.claim(1);
    await catalog.claim(1);
    await catalog.appendPhase("a", "parsing", "first");
    await catalog.appendPhase("a", "threading", "second");
    await catalog.appendPhase("b", "parsing", "third");
    await catalog.complete("b", COUNTS, 2);
    const state = await catalog.state(null);
    expect(state.uploads.map(({ uploadId, status }) => `${uploadId} ${status}`)).toEqual([
      "a running",
      "b completed",
      "c queued",
    ]);
    expect(state.phases.map(({ data }) => data)).toEqual(["second"]);
    expect((await catalog.state("c")).uploads).toHaveLength(1);
    expect((await catalog.state("none")).uploads).toEqual([]);
  });

  it.skipIf(isMissing)("shows no phase of an earlier attempt before the new one starts", async () => {
    const catalog = openOne(store);
    await catalog.add(newUpload("a"));
    await catalog.claim(1);
    await catalog.appendPhase("a", "outputs", "of the first attempt");
    await catalog.requeue("a", true);
    await catalog.claim(2);
    expect((await catalog.state(null)).phases).toEqual([]);
  });
});

describe.skipIf(server === null)("a catalog that services share", () => {
  /** Ends the lease of the first upload, however busy the machine is. */
  const pastLease = (): Promise<void> =>
    inDatabase("UPDATE archivetool.service_uploads SET lease_until = now() - interval '1 second' WHERE id = 'a'");

  it("gives each upload to one service, and numbers the events of all services in one sequence", async () => {
    const [one, two] = [openOne("PostgreSQL"), openOne("PostgreSQL")];
    for (const id of ["a", "b", "c"]) await one.add(newUpload(id));
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
    await late.add(newUpload("a"));
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
    for (const id of ["a", "b"]) await holder.add(newUpload(id));
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
    await openOne("PostgreSQL").add(newUpload("a"));
    const other = postgresCatalog({ server: name, directory: "another", owner: "x", leaseSeconds: 1 }, uploadEventData);
    open.push(other);
    await expect(other.list()).rejects.toThrowError(expect.objectContaining({ code: "OUTPUT_NOT_OURS" }));
  });

  it("reports that its database cannot be reached", async () => {
    const away = postgresCatalog(
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
