import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { UploadCatalog } from "../../../store/contract/upload-catalog.ts";
import { KEPT_EVENTS } from "../../../store/contract/upload-catalog.ts";
import { openUploadCatalog } from "../../../store/sqlite/service/upload-catalog.ts";
import { phaseEventSchema, uploadSchema } from "../base/wire-uploads.ts";
import { EventLog, uploadEventData } from "./event-log.ts";

let directory: string;
const open: UploadCatalog[] = [];

function openOne(): UploadCatalog {
  const catalog = openUploadCatalog(join(directory, "catalogue.db"), uploadEventData);
  open.push(catalog);
  return catalog;
}

async function add(catalog: UploadCatalog, uploadId: string): Promise<void> {
  const options = { redact: [], password: null, maxMessages: null, discardsOriginals: true };
  await catalog.add({
    uploadId,
    filename: "mail.mbox",
    sizeBytes: 1,
    sha256: "0".repeat(64),
    createdAt: 0,
    options,
    sourcePath: null,
  });
}

const A = "upload-aaaaaaaaaaaa";
const B = "upload-bbbbbbbbbbbb";
const PARSING = { phase: "parsing", state: "progress", done: 5, total: null, isSkipped: false } as const;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-events-"));
});

afterEach(async () => {
  for (const catalog of open.splice(0)) await catalog.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("the event log of a service", () => {
  it("returns each event once and in order, from any process", async () => {
    const catalog = openOne();
    const other = openOne();
    const log = new EventLog(catalog);
    await log.start();
    const heard: number[] = [];
    await add(catalog, A);
    await log.deliver();
    const end = log.subscribe(({ sequence }) => heard.push(sequence));
    expect(heard).toEqual([]);
    await add(other, B);
    await catalog.claim(1);
    await log.appendPhase(A, PARSING, 2);
    await log.deliver();
    expect(heard).toEqual([2, 3, 4]);
    end();
    await add(other, "upload-cccccccccccc");
    await log.deliver();
    expect(heard).toEqual([2, 3, 4]);
  });

  it("writes events that match the wire types", async () => {
    const catalog = openOne();
    const log = new EventLog(catalog);
    await log.start();
    await add(catalog, A);
    await catalog.claim(1);
    await log.appendPhase(A, PARSING, 86_400_000);
    await log.appendPhase(
      A,
      { phase: "redaction", state: "completed", done: 9, total: 9, isSkipped: true },
      86_400_000,
    );
    const [queued, running, progress, skipped] = (await catalog.eventsAfter(0, 10, null)).map(
      ({ data }) => JSON.parse(data) as unknown,
    );
    expect(uploadSchema.strict().parse(queued)).toMatchObject({ upload_id: A, status: "queued", started_at: null });
    expect(uploadSchema.strict().parse(running)).toMatchObject({
      status: "running",
      phase: null,
      started_at: "1970-01-01T00:00:00Z",
    });
    expect(phaseEventSchema.strict().parse(progress)).toEqual({
      upload_id: A,
      phase: "parsing",
      state: "progress",
      done: 5,
      total: null,
      timestamp: "1970-01-02T00:00:00Z",
    });
    expect(phaseEventSchema.strict().parse(skipped)).toMatchObject({
      phase: "redaction",
      state: "completed",
      done: 9,
      skipped: true,
    });
  });

  it("returns the current state in event order, each part with its sequence", async () => {
    const catalog = openOne();
    const log = new EventLog(catalog);
    await log.start();
    for (const id of [A, B]) await add(catalog, id);
    await catalog.claim(1);
    await log.appendPhase(A, PARSING, 2);
    const state = await log.currentState(null);
    expect(state.map(({ sequence, event, uploadId }) => `${sequence} ${event} ${uploadId}`)).toEqual([
      `2 upload ${B}`,
      `3 upload ${A}`,
      `4 phase ${A}`,
    ]);
    expect(uploadSchema.parse(JSON.parse(state[1]!.data))).toMatchObject({ status: "running", phase: "parsing" });
    expect(await log.currentState(B)).toHaveLength(1);
  });

  it("sends the current state first if the log is too short", async () => {
    const catalog = openOne();
    const log = new EventLog(catalog);
    await log.start();
    await add(catalog, A);
    await catalog.claim(1);
    for (let index = 0; index < KEPT_EVENTS + 500; index++) await catalog.appendPhase(A, "parsing", "{}");
    const [first, last] = await log.currentState(null);
    expect([first?.event, first?.sequence]).toEqual(["upload", 0]);
    expect([last?.event, last?.sequence]).toEqual(["phase", await catalog.lastSequence()]);
  });
});
