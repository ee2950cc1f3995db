import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/columns/seeded-random.ts";
import type { UploadWire } from "../../src/http/upload-service/base/wire-uploads.ts";
import { importPaths } from "../../src/http/upload-service/receiving/import-paths.ts";
import { scratchDirectory } from "./cli.ts";
import { mboxOf } from "./fixture-mail.ts";
import { childrenOf, processesIn, type RunningService, startService } from "./running-service.ts";
import { ResumedUpload, sendSlowly } from "./upload-clients.ts";

/** Number of kills; higher values find rarer faults. */
const KILLS = Number(process.env["ARCHIVETOOL_KILLS"] ?? 10);
const SEED = Number(process.env["ARCHIVETOOL_KILL_SEED"] ?? 20_030_101);
/**
 * Maximum delay of a kill after the start of its target, in milliseconds: an extraction of this test takes about a
 * second.
 */
const LATEST_KILL_MS = 1500;
const RESUMED_MESSAGES = 150;
const SECRET = "a password that must not stay";

const scratch = scratchDirectory("kills");
const data = join(scratch, "data");
const random = seededRandom(SEED);
const below = (limit: number): number => Math.floor(random() * limit);

let service: RunningService | null = null;
afterEach(async () => service?.end("SIGKILL"));

/** Output of the services over all their runs. */
const acknowledged = new Map<string, number>();
const completed = new Map<string, string>();

/** Sends an upload slowly; records its acknowledgment, and accepts any other end. */
async function upload(url: string, name: string): Promise<void> {
  const messages = 20 + below(200);
  const bytes = Buffer.from(mboxOf(messages, name));
  const pace = { pieces: 1 + below(6), pauseMs: below(40) };
  const got = await sendSlowly(url, { name, bytes, ...pace, headers: { "x-archive-password": SECRET } });
  if (got === null) return;
  expect(got, got.body).toMatchObject({ status: 202 });
  acknowledged.set((JSON.parse(got.body) as UploadWire).upload_id, messages);
}

async function uploadsOf(url: string): Promise<readonly UploadWire[]> {
  return (await (await fetch(`${url}/uploads`)).json()) as UploadWire[];
}

/** Completed uploads stay completed, and acknowledged uploads exist. */
async function requireNothingLost(url: string): Promise<readonly UploadWire[]> {
  const uploads = await uploadsOf(url);
  const statuses = new Map(uploads.map(({ upload_id, status }) => [upload_id, status]));
  expect([...acknowledged.keys()].filter((id) => !statuses.has(id))).toEqual([]);
  expect([...completed.keys()].filter((id) => statuses.get(id) !== "completed")).toEqual([]);
  for (const { upload_id, status, completed_at } of uploads) {
    if (status === "completed") completed.set(upload_id, completed.get(upload_id) ?? completed_at!);
  }
  for (const { upload_id, completed_at } of uploads)
    if (completed.has(upload_id)) expect(completed_at).toBe(completed.get(upload_id));
  return uploads;
}

const isOpen = ({ status }: UploadWire): boolean => status === "queued" || status === "running";

/** Waits until nothing is queued or running. */
async function settled(url: string): Promise<readonly UploadWire[]> {
  for (;;) {
    const uploads = await requireNothingLost(url);
    if (!uploads.some(isOpen)) return uploads;
    await pause(100);
  }
}

/** Kills a job of the service at a random time; does nothing without a job. */
async function killJob({ url, process: { pid } }: RunningService): Promise<boolean> {
  while ((await uploadsOf(url)).some(isOpen)) {
    const job = childrenOf(pid!)[0];
    if (job === undefined) {
      await pause(20);
      continue;
    }
    await pause(below(LATEST_KILL_MS));
    try {
      process.kill(job, "SIGKILL");
      return true;
    } catch {
      return false;
    }
  }
  return false;
}

/** Every file and directory that the uploads of a catalog may have, down to the parts of an upload. */
function expectedTree(uploads: readonly UploadWire[]): string[] {
  const parts = uploads.flatMap(({ upload_id, status, originals }) => {
    if (status !== "completed") return [];
    const path = `uploads/${upload_id}`;
    return [path, `${path}/archive`, `${path}/cache`, ...(originals === "kept" ? [`${path}/source`] : [])];
  });
  return ["catalogue.db", "catalogue.db.sha256", "incoming", "service.lock", "uploads", ...parts].sort();
}

function shallowTree(): string[] {
  const deep = readdirSync(data, { recursive: true, encoding: "utf8" });
  return deep.filter((path) => path.split("/").length < 4 && !/^catalog\.db-/.test(path)).sort();
}

function unfinishedFiles(): string[] {
  return readdirSync(data, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.tmp$|\.new$|\.part$|\.archivetool-run|attempt-|-journal$/.test(path),
  );
}

describe.skipIf(process.platform !== "linux")("a service that is killed repeatedly", () => {
  it("loses no acknowledged upload, and leaves no temporary files", async () => {
    const imported = join(scratch, "imported.mbox");
    writeFileSync(imported, mboxOf(50, "imported"));
    const resumed = new ResumedUpload("resumed", RESUMED_MESSAGES, { password: SECRET });
    let jobKills = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      service ??= await startService(data, "--jobs", "2", "--threads", "1");
      // Some kills occur with an empty queue, most with uploads that other kills have interrupted.
      if (kill % 3 === 0) await settled(service.url);
      const uploads = await requireNothingLost(service.url);
      const uploading = uploads.filter(isOpen).length > 2 ? Promise.resolve() : upload(service.url, `mail-${kill}`);
      if (kill % 2 === 1) {
        await uploading;
        if (await killJob(service)) jobKills++;
        continue;
      }
      // An upload whose creation no client knows about would wait for three days.
      if (kill === 0) await resumed.goOn(service.url);
      const resuming = resumed.isDone ? Promise.resolve() : resumed.goOn(service.url);
      await pause(below(LATEST_KILL_MS));
      await service.end(kill === 10 ? "SIGTERM" : "SIGKILL");
      service = null;
      await Promise.all([uploading, resuming]);
      if (kill !== 4) continue;
      // A path is queued while no service runs.
      const options = { redact: [], password: SECRET, maxMessages: null, discardsOriginals: true };
      const added = await importPaths(
        { dataDirectory: data, store: null, paths: [imported], options },
        new AbortController().signal,
      );
      for (const { uploadId } of added) acknowledged.set(uploadId, 50);
    }
    service ??= await startService(data, "--jobs", "2", "--threads", "1");
    while (!resumed.isDone) await resumed.goOn(service.url);
    acknowledged.set(resumed.uploadId!, RESUMED_MESSAGES);
    const uploads = await settled(service.url);
    for (const { upload_id, status, error } of uploads) {
      const detail = (await (await fetch(`${service.url}/uploads/${upload_id}`)).json()) as {
        readonly counts: { readonly messages: number } | null;
      };
      if (status === "completed")
        expect(detail.counts?.messages).toBe(acknowledged.get(upload_id) ?? detail.counts?.messages);
      else expect(error).toMatchObject({ code: "EXTRACTION_CRASHED", message: expect.stringMatching(/memory/) });
    }
    const { url } = service;
    for (const id of completed.keys()) {
      const artifact = await fetch(`${url}/uploads/${id}/extraction.json`);
      expect(((await artifact.json()) as { readonly schema_version: string }).schema_version).toBe("1.0");
    }
    await service.end("SIGTERM");
    service = null;
    // Checks that the test tested something.
    expect(acknowledged.size).toBeGreaterThan(KILLS / 5);
    expect(completed.size).toBeGreaterThan(0);
    expect(jobKills).toBeGreaterThan(0);
    expect(processesIn(data)).toEqual([]);
    expect(shallowTree()).toEqual(expectedTree(uploads));
    expect(unfinishedFiles()).toEqual([]);
    expect(readFileSync(join(data, "catalogue.db")).includes(SECRET)).toBe(false);
    expect(readFileSync(imported).length).toBeGreaterThan(0);
    rmSync(data, { recursive: true });
  }, 900_000);
});
