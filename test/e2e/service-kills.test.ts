import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/columns/seeded-random.ts";
import type { UploadWire } from "../../src/http/upload-service/base/wire-uploads.ts";
import { importPaths } from "../../src/http/upload-service/receiving/import-paths.ts";
import { scratchDirectory } from "./cli.ts";
import { day, rawMessage } from "./fixture-mail.ts";
import { childrenOf, processesIn, type RunningService, startService } from "./running-service.ts";

/** Moments at which something is killed; many more find rarer ones. */
const KILLS = Number(process.env["ARCHIVETOOL_KILLS"] ?? 10);
const SEED = Number(process.env["ARCHIVETOOL_KILL_SEED"] ?? 20_030_101);
/**
 * A kill comes at the latest so long after what it is aimed at has begun: an extraction of this test takes about a
 * second.
 */
const LATEST_KILL_MS = 1500;
/** Looks at the queue, ten a second, until which it must have come to its end. */
const SETTLE_LOOKS = 1000;
const SECRET = "a password that must not stay";

const scratch = scratchDirectory("kills");
const data = join(scratch, "data");
const random = seededRandom(SEED);
const below = (limit: number): number => Math.floor(random() * limit);

let service: RunningService | null = null;
afterEach(async () => service?.end("SIGKILL"));

/** An mbox of invented mail, so many messages, all different. */
function mboxOf(count: number, name: string): Buffer {
  const messages = Array.from({ length: count }, (_, index) =>
    rawMessage({
      id: `${index}.${name}@harbour.example`,
      from: `Person ${index % 17} <p${index % 17}@harbour.example>`,
      to: `Person ${index % 13} <q${index % 13}@quay.example>`,
      subject: `${name} ${index % 40}`,
      date: day(1 + (index % 300)),
      body: `Letter ${index} of ${name}: the crane, the tide and the mooring lines.\n`.repeat(1 + (index % 30)),
    }),
  );
  return Buffer.from(
    messages.map((message) => `From p@harbour.example Wed Jan  1 12:00:00 2003\n${message}\n`).join(""),
  );
}

/** What the services have told over all their lives. */
const acknowledged = new Map<string, number>();
const completed = new Map<string, string>();

/**
 * Sends an upload in pieces, slowly enough to be caught in the middle; notes it when it is acknowledged, and takes any
 * other end as it comes.
 */
async function upload(url: string, name: string): Promise<void> {
  const messages = 20 + below(200);
  const bytes = mboxOf(messages, name);
  const pieces = 1 + below(6);
  const pauseMs = below(40);
  const answer = new Promise<{ readonly status: number; readonly body: string } | null>((settle) => {
    const sent = request(
      `${url}/upload?filename=${name}.mbox`,
      { method: "POST", headers: { "x-archive-password": SECRET } },
      (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => (body += text));
        response.on("end", () => settle({ status: response.statusCode ?? 0, body }));
        response.on("error", () => settle(null));
      },
    );
    sent.on("error", () => settle(null));
    void (async () => {
      for (let piece = 0; piece < pieces && !sent.destroyed; piece++) {
        sent.write(
          bytes.subarray(
            Math.floor((bytes.length * piece) / pieces),
            Math.floor((bytes.length * (piece + 1)) / pieces),
          ),
        );
        await pause(pauseMs);
      }
      sent.end();
    })();
  });
  const got = await answer;
  if (got === null) return;
  expect(got, got.body).toMatchObject({ status: 202 });
  acknowledged.set((JSON.parse(got.body) as UploadWire).upload_id, messages);
}

/** Pieces of the resumable upload: it is to outlive several services. */
const RESUMED_PIECES = 8;
const TUS = { "tus-resumable": "1.0.0" } as const;

/** One upload by the tus protocol that goes on where it was, a piece at a time, however often the service ends. */
class ResumedUpload {
  private readonly bytes = mboxOf(150, "resumed");
  private path: string | null = null;
  isDone = false;

  /** Sends the next piece. Where the service ends in the middle nothing is known; the next call asks. */
  async goOn(url: string): Promise<void> {
    try {
      await this.sendPiece(url);
    } catch (error) {
      // What fetch throws when the service is gone; everything else is a failure of the test.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  private async sendPiece(url: string): Promise<void> {
    this.path ??= await this.create(url);
    const state = await fetch(url + this.path, { method: "HEAD", headers: TUS });
    expect(state.status).toBe(200);
    let offset = Number(state.headers.get("upload-offset"));
    if (offset < this.bytes.length) {
      const piece = this.bytes.subarray(offset, offset + Math.ceil(this.bytes.length / RESUMED_PIECES));
      const headers = { ...TUS, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
      const answer = await fetch(url + this.path, { method: "PATCH", headers, body: new Uint8Array(piece) });
      expect(answer.status).toBe(204);
      offset += piece.length;
    }
    this.isDone = offset === this.bytes.length;
    if (this.isDone) acknowledged.set(this.path.split("/").at(-1)!, 150);
  }

  private async create(url: string): Promise<string> {
    const metadata = `filename ${Buffer.from("resumed.mbox").toString("base64")},password ${Buffer.from(SECRET).toString("base64")}`;
    const headers = { ...TUS, "upload-length": String(this.bytes.length), "upload-metadata": metadata };
    const created = await fetch(`${url}/upload/resumable`, { method: "POST", headers });
    expect(created.status).toBe(201);
    return new URL(created.headers.get("location")!, url).pathname;
  }
}

async function uploadsOf(url: string): Promise<readonly UploadWire[]> {
  return (await (await fetch(`${url}/uploads`)).json()) as UploadWire[];
}

/** What was completed once is so ever after, and what was acknowledged is there. */
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

/** Waits until nothing is queued or runs. */
async function settled(url: string): Promise<readonly UploadWire[]> {
  for (let look = 0; look < SETTLE_LOOKS; look++) {
    const uploads = await requireNothingLost(url);
    if (!uploads.some(isOpen)) return uploads;
    await pause(100);
  }
  throw new Error("the queue does not come to its end");
}

/** Kills a job of the service at some moment of its life; when none comes, nothing. */
async function killJob({ process: { pid } }: RunningService): Promise<boolean> {
  for (let look = 0; look < 100; look++) {
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

/** Every file and directory that the uploads of a catalogue may have, as far as the parts of an upload. */
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
  return deep.filter((path) => path.split("/").length < 4 && !/^catalogue\.db-/.test(path)).sort();
}

function unfinishedFiles(): string[] {
  return readdirSync(data, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.tmp$|\.new$|\.part$|\.archivetool-run|attempt-|-journal$/.test(path),
  );
}

describe.skipIf(process.platform !== "linux")("a service that is killed again and again", () => {
  it("loses nothing that it acknowledged, and leaves nothing behind", async () => {
    const imported = join(scratch, "imported.mbox");
    writeFileSync(imported, mboxOf(50, "imported"));
    const resumed = new ResumedUpload();
    let jobKills = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      service ??= await startService(data, "--jobs", "2", "--threads", "1");
      // Some kills meet an empty queue, most one that others have stirred up already.
      if (kill % 3 === 0) await settled(service.url);
      const uploads = await requireNothingLost(service.url);
      const uploading = uploads.filter(isOpen).length > 2 ? Promise.resolve() : upload(service.url, `mail-${kill}`);
      if (kill % 2 === 1) {
        await uploading;
        if (await killJob(service)) jobKills++;
        continue;
      }
      // One whose creation nobody was told of would wait for three days.
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
    // Guards against a test that tested nothing.
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
