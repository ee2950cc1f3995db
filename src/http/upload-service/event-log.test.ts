import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openUploadCatalogue, type UploadCatalogue } from "../../store/upload-catalogue.ts";
import { EventLog, uploadEventData } from "./event-log.ts";
import { phaseEventSchema, uploadSchema } from "./wire-uploads.ts";

let directory: string;
const open: UploadCatalogue[] = [];

function openOne(): UploadCatalogue {
  const catalogue = openUploadCatalogue(join(directory, "catalogue.db"), uploadEventData);
  open.push(catalogue);
  return catalogue;
}

function add(catalogue: UploadCatalogue, uploadId: string): void {
  const options = { redact: [], password: null, maxMessages: null };
  catalogue.add({ uploadId, filename: "mail.mbox", sizeBytes: 1, sha256: "0".repeat(64), createdAt: 0, options, sourcePath: null });
}

const A = "upload-aaaaaaaaaaaa";
const B = "upload-bbbbbbbbbbbb";
const PARSING = { phase: "parsing", state: "progress", done: 5, total: null, isSkipped: false } as const;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-events-"));
});

afterEach(() => {
  for (const catalogue of open.splice(0)) catalogue.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("the event log of a service", () => {
  it("tells each event once and in order, whichever process wrote it", () => {
    const catalogue = openOne();
    const other = openOne();
    const log = new EventLog(catalogue);
    const heard: number[] = [];
    add(catalogue, A);
    const end = log.subscribe(({ sequence }) => heard.push(sequence));
    expect(heard).toEqual([]);
    add(other, B);
    catalogue.claim(1);
    log.appendPhase(A, PARSING, 2);
    log.deliver();
    expect(heard).toEqual([2, 3, 4]);
    end();
    add(other, "upload-cccccccccccc");
    log.deliver();
    expect(heard).toEqual([2, 3, 4]);
  });

  it("writes what the wire types say", () => {
    const catalogue = openOne();
    const log = new EventLog(catalogue);
    add(catalogue, A);
    catalogue.claim(1);
    log.appendPhase(A, PARSING, 86_400_000);
    log.appendPhase(A, { phase: "redaction", state: "completed", done: 9, total: 9, isSkipped: true }, 86_400_000);
    const [queued, running, progress, skipped] = catalogue.eventsAfter(0, 10, null).map(({ data }) => JSON.parse(data) as unknown);
    expect(uploadSchema.strict().parse(queued)).toMatchObject({ upload_id: A, status: "queued", started_at: null });
    expect(uploadSchema.strict().parse(running)).toMatchObject({ status: "running", phase: null, started_at: "1970-01-01T00:00:00Z" });
    expect(phaseEventSchema.strict().parse(progress)).toEqual({
      upload_id: A,
      phase: "parsing",
      state: "progress",
      done: 5,
      total: null,
      timestamp: "1970-01-02T00:00:00Z",
    });
    expect(phaseEventSchema.strict().parse(skipped)).toMatchObject({ phase: "redaction", state: "completed", done: 9, skipped: true });
  });

  it("resumes without loss: what is read back and what is then heard make the whole", () => {
    const catalogue = openOne();
    const other = openOne();
    const log = new EventLog(catalogue);
    for (const id of [A, B]) add(catalogue, id);
    catalogue.claim(1);
    for (let index = 0; index < 1200; index += 1) catalogue.appendPhase(A, "parsing", "{}");
    log.deliver();
    // Written by another process, and not heard of yet by anybody.
    add(other, "upload-cccccccccccc");
    const got: number[] = [];
    const end = log.subscribe(({ sequence }) => got.push(sequence));
    got.push(...(log.after(700, null) ?? []).map(({ sequence }) => sequence));
    log.appendPhase(A, PARSING, 2);
    end();
    expect(got).toEqual(Array.from({ length: catalogue.lastSequence() - 700 }, (_, index) => 701 + index));
    expect(catalogue.lastSequence()).toBe(1205);
  });

  it("reads one upload alone when asked", () => {
    const catalogue = openOne();
    const log = new EventLog(catalogue);
    for (const id of [A, B]) add(catalogue, id);
    catalogue.claim(1);
    log.deliver();
    expect(log.after(0, A)?.map(({ sequence }) => sequence)).toEqual([1, 3]);
    expect(log.after(1, B)?.map(({ sequence }) => sequence)).toEqual([2]);
  });

  it("says that it cannot resume from before its beginning or from after its end", () => {
    const catalogue = openOne();
    const log = new EventLog(catalogue);
    expect(log.after(0, null)).toEqual([]);
    expect(log.after(1, null)).toBeNull();
    for (const id of [A, B]) add(catalogue, id);
    const cut: UploadCatalogue = Object.create(catalogue, { firstSequence: { value: () => 2 } });
    const cutLog = new EventLog(cut);
    expect(cutLog.after(0, null)).toBeNull();
    expect(cutLog.after(1, null)?.map(({ sequence }) => sequence)).toEqual([2]);
    expect(cutLog.after(2, null)).toEqual([]);
    expect(cutLog.after(3, null)).toBeNull();
  });

  it("gives the present state under the newest sequence, so that a client resumes behind it", () => {
    const catalogue = openOne();
    const log = new EventLog(catalogue);
    for (const id of [A, B]) add(catalogue, id);
    catalogue.claim(1);
    log.appendPhase(A, PARSING, 2);
    const state = log.currentState(null);
    expect(state.map(({ event, uploadId }) => `${event} ${uploadId}`)).toEqual([`upload ${A}`, `upload ${B}`, `phase ${A}`]);
    expect(new Set(state.map(({ sequence }) => sequence))).toEqual(new Set([catalogue.lastSequence()]));
    expect(uploadSchema.parse(JSON.parse(state[0]!.data))).toMatchObject({ status: "running", phase: "parsing" });
    expect(log.currentState(B)).toHaveLength(1);
  });
});
