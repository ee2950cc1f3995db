import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { UploadWire } from "../../src/http/upload-service/base/wire-uploads.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { mboxOf } from "./fixture-mail.ts";
import { processesIn, type RunningService, startService } from "./running-service.ts";

/** Seconds after which the extraction of a dead service is taken over. */
const LEASE_SECONDS = 2;
/** Maximum checks of an upload, ten per second, until it must have ended. */
const LOOKS = 600;
/** Enough messages to interrupt their extraction. */
const MANY = 600;

const programs = postgresPrograms();
const cluster = programs === null ? null : startPostgres(programs);
const server = cluster?.url ?? "";
const scratch = scratchDirectory("shared-directory");
const data = join(scratch, "data");
const running: RunningService[] = [];

afterEach(async () => {
  for (const service of running.splice(0)) await service.end("SIGKILL");
});
afterAll(() => expect(processesIn(data)).toEqual([]));

async function start(): Promise<RunningService> {
  const service = await startService(data, "--store", server, "--lease", String(LEASE_SECONDS), "--threads", "1");
  running.push(service);
  return service;
}

async function kill(service: RunningService): Promise<void> {
  await service.end("SIGKILL");
  running.splice(running.indexOf(service), 1);
}

async function upload({ url }: RunningService, name: string, count: number): Promise<string> {
  const answer = await fetch(`${url}/upload?filename=${name}.mbox`, { method: "POST", body: mboxOf(count, name) });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as UploadWire).upload_id;
}

async function stateOf({ url }: RunningService, uploadId: string): Promise<UploadWire> {
  return (await (await fetch(`${url}/uploads/${uploadId}`)).json()) as UploadWire;
}

/** Waits for a status, or for `completed` instead of `running`: a job may end between two looks. */
async function until(service: RunningService, uploadId: string, status: string): Promise<UploadWire> {
  const isReached = (reached: string): boolean =>
    reached === status || (status === "running" && reached === "completed");
  for (let look = 0; look < LOOKS; look++) {
    const state = await stateOf(service, uploadId);
    if (isReached(state.status)) return state;
    expect(state.status, JSON.stringify(state)).not.toBe("failed");
    await pause(100);
  }
  throw new Error(`${uploadId} is not ${status}`);
}

/** Files that are not part of a completed upload are removed after its completion is reported. */
async function tidied(uploadId: string): Promise<void> {
  const files = (): readonly string[] => readdirSync(join(data, "uploads", uploadId)).sort();
  await expect.poll(files).toEqual(["archive", "cache", "source"]);
}

/** Event ids of a stream in order, until an event contains a text or the service ends. */
async function follow({ url }: RunningService, from: number | null, last: string | null): Promise<readonly number[]> {
  const headers: Record<string, string> = from === null ? {} : { "last-event-id": String(from) };
  const end = new AbortController();
  const { body } = await fetch(`${url}/agent-stream`, { headers, signal: end.signal });
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body!) {
      text += decoder.decode(bytes, { stream: true });
      if (last !== null && text.includes(last)) break;
    }
  } catch {
    // The service is gone.
  }
  end.abort();
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 2);
  return Array.from(whole.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id));
}

const TUS = { "tus-resumable": "1.0.0" } as const;

describe.skipIf(programs === null)("two services over one database and one directory", () => {
  it("continue an upload at the other one, from the last received byte", async () => {
    const [one, two] = [await start(), await start()];
    const bytes = Buffer.from(mboxOf(60, "resumed"));
    const half = Math.floor(bytes.length / 2);
    const filename = Buffer.from("resumed.mbox").toString("base64");
    const made = await fetch(`${one.url}/upload/resumable`, {
      method: "POST",
      headers: { ...TUS, "upload-length": String(bytes.length), "upload-metadata": `filename ${filename}` },
    });
    const path = new URL(made.headers.get("location")!, one.url).pathname;
    const send = (
      { url }: RunningService,
      offset: number,
      piece: Uint8Array | ReadableStream,
      more: object = {},
    ): Promise<Response> =>
      fetch(url + path, {
        method: "PATCH",
        headers: { ...TUS, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
        body: piece,
        ...more,
      });
    expect((await send(one, 0, bytes.subarray(0, half))).status).toBe(204);
    // It dies while the rest arrives.
    const slow = new ReadableStream<Uint8Array>({
      async start(stream) {
        stream.enqueue(bytes.subarray(half, half + 1000));
        await pause(300);
        await kill(one);
        stream.close();
      },
    });
    await expect(send(one, half, slow, { duplex: "half" })).rejects.toThrow(TypeError);
    const known = await fetch(two.url + path, { method: "HEAD", headers: TUS });
    const offset = Number(known.headers.get("upload-offset"));
    expect(offset).toBeGreaterThanOrEqual(half);
    expect((await send(two, offset, bytes.subarray(offset))).status).toBe(204);
    const uploadId = path.slice(path.lastIndexOf("/") + 1);
    expect((await until(two, uploadId, "completed")).size_bytes).toBe(bytes.length);
  });

  it("take over the extraction of a killed one, and its clients continue at the other", async () => {
    const one = await start();
    const earlier = await upload(one, "earlier", 30);
    await until(one, earlier, "completed");
    const killed = follow(one, null, null);
    const caught = await upload(one, "caught", MANY);
    await until(one, caught, "running");
    const two = await start();
    const search = async ({ url }: RunningService): Promise<unknown> =>
      (await fetch(`${url}/search?upload_id=${earlier}&q=mooring&limit=30`)).json();
    const found = await search(one);
    const searching = Promise.allSettled(Array.from({ length: 20 }, () => search(one)));
    await kill(one);
    for (const answer of await searching) if (answer.status === "fulfilled") expect(answer.value).toEqual(found);
    expect(await search(two)).toEqual(found);
    const seen = await killed;
    expect(seen.length).toBeGreaterThan(0);
    expect((await stateOf(two, caught)).status).not.toBe("failed");
    const since = await follow(two, seen.at(-1)!, `"upload_id":"${caught}","filename":"caught.mbox","size_bytes":`);
    await until(two, caught, "completed");
    const { counts } = (await stateOf(two, caught)) as unknown as { readonly counts: { readonly messages: number } };
    expect(counts.messages).toBe(MANY);
    // A client connected from the beginning received the same events, each exactly once.
    const all = await follow(two, 0, `"status":"completed"`);
    const delivered = [...seen, ...since];
    expect(delivered).toEqual([...new Set(delivered)].sort((left, right) => left - right));
    expect(all.filter((id) => id > seen[0]! && id <= delivered.at(-1)!)).toEqual(
      delivered.slice(1).filter((id) => all.includes(id)),
    );
    await tidied(caught);
  });

  it("take over the job of an unresponsive service, which later changes nothing", async () => {
    const one = await start();
    const caught = await upload(one, "stopped", MANY);
    await until(one, caught, "running");
    const two = await start();
    one.process.kill("SIGSTOP");
    const done = await until(two, caught, "completed");
    one.process.kill("SIGCONT");
    await pause(1500);
    expect(await stateOf(one, caught)).toEqual(done);
    await tidied(caught);
  });

  it("delete an upload on one service while the other extracts it", async () => {
    const one = await start();
    const deleted = await upload(one, "deleted", MANY);
    await until(one, deleted, "running");
    const two = await start();
    expect((await fetch(`${two.url}/uploads/${deleted}`, { method: "DELETE" })).status).toBe(204);
    expect((await fetch(`${one.url}/uploads/${deleted}`)).status).toBe(404);
    for (let look = 0; look < LOOKS && readdirSync(join(data, "uploads")).includes(deleted); look++) await pause(100);
    expect(readdirSync(join(data, "uploads"))).not.toContain(deleted);
  });

  it("report that the database is down, and continue when it is back", async () => {
    const one = await start();
    const caught = await upload(one, "kept", MANY);
    await until(one, caught, "running");
    cluster!.crash();
    const refused = await fetch(`${one.url}/uploads`);
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: "CATALOGUE_UNREACHABLE" } }]);
    expect((await fetch(`${one.url}/health`)).status).toBe(503);
    const unsent = await fetch(`${one.url}/upload?filename=unsent.mbox`, { method: "POST", body: mboxOf(1, "unsent") });
    expect(unsent.status).toBe(503);
    cluster!.start();
    expect((await until(one, caught, "completed")).size_bytes).toBeGreaterThan(0);
    const { total, known } = await fetch(`${one.url}/uploads`).then(async (answer) => ({
      total: answer.headers.get("x-total-count"),
      known: (await answer.json()) as readonly UploadWire[],
    }));
    expect(total).toBe(String(known.length));
    expect(known.map(({ filename }) => filename)).not.toContain("unsent.mbox");
  });

  it("reject a foreign directory", async () => {
    const service = await start();
    const other = archivetool("service", "--data", data, "--port", "0");
    expect(other).toMatchObject({ exitCode: 1 });
    expect(other.stderr).toContain("--store");
    const strange = archivetool("service", "--data", join(scratch, "strange"), "--store", server, "--port", "0");
    expect(strange).toMatchObject({ exitCode: 1 });
    expect(strange.stderr).toContain("another data directory");
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
  });
});
