import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UploadWire } from "../../src/http/upload-service/base/wire-uploads.ts";
import { connect } from "../../src/store/postgres/client/postgres-client.ts";
import { FAKE_BUCKET, FAKE_KEYS, FAKE_REGION, FakeS3 } from "../fake-s3.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";
import { scratchDirectory } from "./cli.ts";
import { mboxOf } from "./fixture-mail.ts";
import { processesIn, type RunningService, startService } from "./running-service.ts";

/** Seconds after which the extraction of a dead service is taken over. */
const LEASE_SECONDS = 2;
/** Milliseconds until an upload must have ended. */
const PATIENCE_MS = 60_000;
/** Enough messages to interrupt their extraction. */
const MANY = 600;

const programs = postgresPrograms();
const cluster = programs === null ? null : startPostgres(programs);
const scratch = scratchDirectory("shared-bucket");
const running: RunningService[] = [];
/** A database and a prefix of the bucket for each test: a database belongs to one store. */
let server: string;
let place: string;
let count = 0;
let fake: FakeS3;

beforeAll(async () => {
  fake = await FakeS3.start();
});
beforeEach(async () => {
  count++;
  if (cluster !== null) server = await newDatabase(cluster.url);
  place = join(scratch, `test-${count}`);
  mkdirSync(place);
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.end("SIGKILL");
  fake.mishap = () => null;
});
afterAll(async () => {
  await fake.close();
  expect(processesIn(scratch)).toEqual([]);
});

async function newDatabase(url: string): Promise<string> {
  const name = `apart_${count}`;
  const client = await connect(url, name);
  await client.run(`CREATE DATABASE ${name}`);
  await client.close();
  return url.replace("/postgres?", `/${name}?`);
}

/** The protocol of resumable uploads. */
const TUS = { "tus-resumable": "1.0.0" } as const;

/** A stream of these bytes that never ends. */
function endless(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(bytes) });
}

/** The bucket that the services of a test share, and its keys. */
const bucket = {
  location: () => `s3://${FAKE_BUCKET}/test-${count}`,
  keys: () => [...fake.objects.keys()].filter((key) => key.startsWith(`test-${count}/uploads/`)),
  /** Keys of incomplete uploads. */
  unfinished: () => [...fake.objects.keys()].filter((key) => key.startsWith(`test-${count}/incoming/`)),
} as const;

/** Starts a service with a separate data directory. */
async function start(name: string, blobs: string, variables: Readonly<Record<string, string>> = {}) {
  const environment: Record<string, string> = {
    AWS_ACCESS_KEY_ID: FAKE_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: FAKE_KEYS.secretAccessKey,
    AWS_REGION: FAKE_REGION,
    AWS_ENDPOINT_URL_S3: fake.endpoint,
    AWS_CONFIG_FILE: "/nonexistent",
    AWS_EC2_METADATA_DISABLED: "true",
    ...variables,
  };
  for (const [variable, value] of Object.entries(environment)) process.env[variable] = value;
  try {
    const flags = ["--store", server, "--blobs", blobs, "--lease", String(LEASE_SECONDS), "--threads", "1"];
    const service = await startService(join(place, name), ...flags);
    running.push(service);
    return service;
  } finally {
    for (const variable of Object.keys(environment)) delete process.env[variable];
  }
}

async function kill(service: RunningService): Promise<void> {
  await service.end("SIGKILL");
  running.splice(running.indexOf(service), 1);
}

async function send({ url }: RunningService, name: string, messages: number): Promise<Response> {
  return fetch(`${url}/upload?filename=${name}.mbox`, { method: "POST", body: mboxOf(messages, name) });
}

async function upload(service: RunningService, name: string, messages: number): Promise<string> {
  const answer = await send(service, name, messages);
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
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const state = await stateOf(service, uploadId);
    if (isReached(state.status)) return state;
    expect(state.status, JSON.stringify(state)).not.toBe("failed");
    await pause(100);
  }
  throw new Error(`${uploadId} is not ${status}`);
}

/** Environment variables of the jobs of service "one" that run now. */
function jobEnvironments(): readonly string[] {
  return processesIn(join(place, "one")).flatMap((job) => {
    try {
      const variables = readFileSync(`/proc/${job}/environ`, "latin1");
      return variables.includes("PATH=") ? [variables] : [];
    } catch {
      return []; // It has ended.
    }
  });
}

const blobsOf = (uploadId: string): readonly string[] =>
  bucket
    .keys()
    .filter((key) => key.includes(uploadId))
    .map((key) => key.slice(key.lastIndexOf("/") + 1))
    .sort();

/** Everything that clients can read of an upload. */
async function readAll({ url }: RunningService, uploadId: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const first = "/messages?limit=3&upload_id=";
  const [message] = (await (await fetch(url + first + uploadId)).json()) as { readonly id: string }[];
  for (const path of [
    `/search?q=mooring&limit=30&upload_id=${uploadId}`,
    `/graph?upload_id=${uploadId}`,
    `/uploads/${uploadId}/extraction.json`,
    `/uploads/${uploadId}/wiki`,
    `/uploads/${uploadId}/messages/${message!.id}/original`,
  ]) {
    const answer = await fetch(url + path);
    expect([path, answer.status]).toEqual([path, 200]);
    found.push(await answer.text());
  }
  return found;
}

describe.skipIf(programs === null)("two services that share no disk", () => {
  it("extract and read uploads of a service that was lost with its disk", async () => {
    const one = await start("one", bucket.location());
    const earlier = await upload(one, "earlier", 30);
    await until(one, earlier, "completed");
    await expect.poll(() => blobsOf(earlier)).toEqual(["archive.tar", "source"]);
    const caught = await upload(one, "caught", MANY);
    await until(one, caught, "running");
    const found = await readAll(one, earlier);
    await kill(one);
    const two = await start("two", bucket.location());
    expect(await readAll(two, earlier)).toEqual(found);
    await until(two, caught, "completed");
    const { counts } = (await stateOf(two, caught)) as unknown as { readonly counts: { readonly messages: number } };
    expect(counts.messages).toBe(MANY);
    const read = await readAll(two, caught);
    const three = await start("three", bucket.location());
    expect(await readAll(three, caught)).toEqual(read);
  });

  it("share the notebook of an archive: no write is lost, and outdated writes are rejected", async () => {
    const [one, two] = [await start("one", bucket.location()), await start("two", bucket.location())];
    const uploadId = await upload(one, "noted", 30);
    await until(one, uploadId, "completed");
    const base = `/uploads/${uploadId}/explore`;
    const read = async ({ url }: RunningService, path: string): Promise<Readonly<Record<string, unknown>>> => {
      const answer = await fetch(url + base + path);
      expect([path, answer.status]).toEqual([path, 200]);
      return ((await answer.json()) as { readonly data: Readonly<Record<string, unknown>> }).data;
    };
    const { messages } = (await read(one, "/messages?limit=20")) as unknown as {
      readonly messages: { readonly id: string }[];
    };
    const write = ({ url }: RunningService, path: string, body: object): Promise<Response> =>
      fetch(`${url}${base}/notebook/${path}`, {
        method: "POST",
        headers: { origin: url, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const note = (service: RunningService, at: number, revision: number, text: string): Promise<Response> =>
      write(service, "entries", {
        ...{ kind: "message", id: messages[at]!.id, revision },
        value: { tags: [], note: text, review: "open" },
      });
    // Two browsers use two services at once, each on its own messages: both see everything.
    const writers = [one, two].flatMap((service, side) =>
      Array.from({ length: 8 }, (_, at) => note(service, 2 * at + side, 0, `${side} of ${at}`)),
    );
    expect((await Promise.all(writers)).map(({ status }) => status)).toEqual(writers.map(() => 200));
    for (const service of [one, two]) expect((await read(service, "/notebook"))["total"]).toBe(16);
    // If both write one message at the same time, one succeeds, and the other gets an error.
    const both = await Promise.all([note(one, 18, 0, "from one"), note(two, 18, 0, "from two")]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const marked = await read(one, "/notebook");
    expect(await read(two, "/notebook")).toEqual(marked);
    // The other service finds it immediately, and removed entries are gone there.
    const ids = messages.slice(0, 5).map(({ id }) => id);
    expect((await write(one, "tags", { kind: "message", ids, tag: "hot", is_set: true })).status).toBe(200);
    expect((await read(two, "/messages?q=tag:hot"))["total"]).toBe(5);
    expect((await write(two, "tags", { kind: "message", ids, tag: "hot", is_set: false })).status).toBe(200);
    expect((await read(one, "/messages?q=tag:hot"))["total"]).toBe(0);
    const carried = await (await fetch(`${one.url}${base}/notebook/export`)).text();
    // The files of one service are lost with its disk.
    await kill(one);
    await kill(two);
    const three = await start("three", bucket.location());
    expect((await read(three, "/notebook"))["total"]).toBe(17);
    expect(await (await fetch(`${three.url}${base}/notebook/export`)).text()).toBe(carried);
  });

  it("apply each other's corrections of people, also after one lost its disk", async () => {
    const [one, two] = [await start("one", bucket.location()), await start("two", bucket.location())];
    const uploadId = await upload(one, "corrected", 30);
    await until(one, uploadId, "completed");
    const base = `/uploads/${uploadId}/explore`;
    const data = async <T>({ url }: RunningService, path: string): Promise<T> =>
      ((await (await fetch(url + base + path)).json()) as { readonly data: T }).data;
    interface Person {
      readonly contact_id: string;
    }
    const people = async (service: RunningService): Promise<readonly Person[]> =>
      (await data<{ readonly people: readonly Person[] }>(service, "/people?sort=name")).people;
    const before = await people(one);
    expect(await people(two)).toEqual(before);
    const change = async (service: RunningService, verb: string, body: object): Promise<void> => {
      const { people: known } = await data<{ readonly people: { readonly revision: string } }>(service, "/corrections");
      const answer = await fetch(`${service.url}${base}/corrections/people/${verb}`, {
        method: "POST",
        headers: { origin: service.url, "content-type": "application/json" },
        body: JSON.stringify({ ...body, revision: known.revision }),
      });
      expect([verb, answer.status]).toEqual([verb, 200]);
    };
    const renamed = before[0]!.contact_id;
    await change(one, "rename", { person: renamed, name: "Wilma Corrected" });
    for (const service of [one, two])
      await expect
        .poll(() => people(service))
        .toContainEqual(expect.objectContaining({ contact_id: renamed, name: "Wilma Corrected" }));
    await kill(one);
    const three = await start("three", bucket.location());
    const shown = await people(two);
    await expect.poll(() => people(three)).toEqual(shown);
    await change(three, "undo", {});
    for (const service of [two, three]) await expect.poll(() => people(service)).toEqual(before);
  });

  it("read mail that the other adds, and finish an addition after it was lost", async () => {
    const [one, two] = [await start("one", bucket.location()), await start("two", bucket.location())];
    const uploadId = await upload(one, "first", 30);
    await until(one, uploadId, "completed");
    await readAll(two, uploadId);
    const counted = async (service: RunningService): Promise<unknown> =>
      ((await stateOf(service, uploadId)) as unknown as { readonly counts: { readonly messages: number } }).counts;
    const add = async (service: RunningService, name: string, messages: number): Promise<void> => {
      const path = `${service.url}/uploads/${uploadId}/sources?filename=${name}.mbox`;
      expect((await fetch(path, { method: "POST", body: mboxOf(messages, name) })).status).toBe(202);
    };
    await add(one, "second", 20);
    await until(two, uploadId, "completed");
    expect(await counted(two)).toMatchObject({ messages: 50 });
    expect(await readAll(two, uploadId)).toEqual(await readAll(one, uploadId));
    await expect.poll(() => blobsOf(uploadId)).toEqual(["archive.tar", "source", expect.stringMatching(/^source-/)]);
    await add(two, "many", MANY);
    await until(two, uploadId, "running");
    await readAll(two, uploadId);
    await kill(one);
    await kill(two);
    const three = await start("three", bucket.location());
    await until(three, uploadId, "completed");
    expect(await stateOf(three, uploadId)).toMatchObject({ error: null, counts: { messages: 50 + MANY } });
    expect((await stateOf(three, uploadId)).added.map(({ filename }) => filename)).toEqual([
      "second.mbox",
      "many.mbox",
    ]);
    await readAll(three, uploadId);
  });

  it("delete an upload everywhere", async () => {
    const [one, two] = [await start("one", bucket.location()), await start("two", bucket.location())];
    const known = await upload(one, "known", 30);
    const kept = await upload(one, "kept", 10);
    for (const uploadId of [known, kept]) await until(one, uploadId, "completed");
    expect(await readAll(two, known)).toEqual(await readAll(one, known));
    expect((await fetch(`${one.url}/uploads/${known}`, { method: "DELETE" })).status).toBe(204);
    expect(blobsOf(known)).toEqual([]);
    for (const name of ["one", "two"])
      await expect.poll(() => readdirSync(join(place, name, "uploads"))).not.toContain(known);
    expect((await fetch(`${two.url}/uploads/${known}/extraction.json`)).status).toBe(404);
    await expect.poll(() => blobsOf(kept)).toEqual(["archive.tar", "source"]);
  });

  it("continue a resumable upload that a killed service began", async () => {
    const body = Buffer.from(mboxOf(MANY, "resumed"));
    const piece = Math.floor(body.length / 5);
    const one = await start("one", bucket.location());
    const made = await fetch(`${one.url}/upload/resumable`, {
      method: "POST",
      headers: {
        ...TUS,
        "upload-length": String(body.length),
        "upload-metadata": `filename ${Buffer.from("resumed.mbox").toString("base64")}`,
      },
    });
    expect(made.status).toBe(201);
    const path = made.headers.get("location")!;
    const uploadId = path.slice(path.lastIndexOf("/") + 1);
    const offsetAt = async ({ url }: RunningService): Promise<number> => {
      const answer = await fetch(url + path, { method: "HEAD", headers: TUS });
      expect(answer.status).toBe(200);
      return Number(answer.headers.get("upload-offset"));
    };
    const go = ({ url }: RunningService, offset: number, bytes: Uint8Array | ReadableStream): Promise<Response> =>
      fetch(url + path, {
        method: "PATCH",
        headers: { ...TUS, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
        body: bytes,
        duplex: "half",
      } as RequestInit);
    expect((await go(one, 0, body.subarray(0, piece))).headers.get("upload-offset")).toBe(String(piece));
    // These bytes do not end before the service does.
    const broken = go(one, piece, endless(body.subarray(piece, 2 * piece))).catch(() => null);
    await expect.poll(() => statSync(join(place, "one", "incoming", `${uploadId}.part`)).size).toBe(2 * piece);
    await kill(one);
    await broken;
    const two = await start("two", bucket.location());
    const kept = await offsetAt(two);
    expect(kept).toBeGreaterThanOrEqual(piece);
    expect((await go(two, kept, body.subarray(kept, 3 * piece))).headers.get("upload-offset")).toBe(String(3 * piece));
    expect((await go(two, piece, body.subarray(piece, 2 * piece))).status).toBe(409);
    // The first service is back with its disk and receives a piece; the other one receives the last.
    const again = await start("one", bucket.location());
    expect(await offsetAt(again)).toBe(3 * piece);
    expect((await go(again, 3 * piece, body.subarray(3 * piece, 4 * piece))).status).toBe(204);
    expect((await go(two, 4 * piece, body.subarray(4 * piece))).status).toBe(204);
    for (const service of [two, again]) expect(await offsetAt(service)).toBe(body.length);
    const { sha256 } = await until(again, uploadId, "completed");
    expect(sha256).toBe(createHash("sha256").update(body).digest("hex"));
    expect(bucket.unfinished()).toEqual([]);
  });

  it("delete a source that is to be discarded", async () => {
    const one = await start("one", bucket.location());
    const answer = await fetch(`${one.url}/upload?filename=secret.mbox&redact=all`, {
      method: "POST",
      body: mboxOf(5, "secret"),
    });
    const { upload_id: uploadId } = (await answer.json()) as UploadWire;
    await until(one, uploadId, "completed");
    await expect.poll(() => blobsOf(uploadId)).toEqual(["archive.tar"]);
    await expect.poll(() => readdirSync(join(place, "one", "uploads", uploadId)).sort()).toEqual(["archive", "cache"]);
  });
});

describe.skipIf(programs === null)("services over a bucket", () => {
  it("acknowledge nothing before the bucket has it, and continue when it is back", async () => {
    const one = await start("one", bucket.location());
    fake.mishap = ({ method, key }) =>
      method === "PUT" && key.endsWith("/source") ? { status: 403, code: "AccessDenied" } : null;
    const refused = await send(one, "refused", 3);
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: "BLOBS_UNREACHABLE" } }]);
    expect(await (await fetch(`${one.url}/uploads`)).json()).toEqual([]);
    expect([...readdirSync(join(place, "one", "incoming")), ...readdirSync(join(place, "one", "uploads"))]).toEqual([]);
    expect(bucket.keys()).toEqual([]);
    // Now sources can be stored, but neither read, nor can archives be stored.
    let isBack = false;
    fake.mishap = ({ method, key }) =>
      !isBack && (key.endsWith(".tar") || (method === "GET" && key.endsWith("/source")))
        ? { status: 403, code: "AccessDenied" }
        : null;
    const waiting = await upload(one, "waiting", 5);
    await until(one, waiting, "running");
    await pause(LEASE_SECONDS * 1000 + 1000);
    expect((await stateOf(one, waiting)).status).toBe("running");
    isBack = true;
    await until(one, waiting, "completed");
    expect(blobsOf(waiting)).toContain("archive.tar");
  });

  it("keep a resumable upload if the bucket rejects the last step", async () => {
    const one = await start("one", bucket.location());
    const body = Buffer.from(mboxOf(3, "late"));
    fake.mishap = ({ method, key }) =>
      method === "PUT" && key.endsWith("/source") ? { status: 403, code: "AccessDenied" } : null;
    const made = await fetch(`${one.url}/upload/resumable`, {
      method: "POST",
      headers: {
        ...TUS,
        "upload-length": String(body.length),
        "upload-metadata": `filename ${Buffer.from("late.mbox").toString("base64")}`,
        "content-type": "application/offset+octet-stream",
      },
      body,
    });
    expect(made.status).toBe(503);
    const [, uploadId] = /incoming\/(upload-\w+)\//.exec(bucket.unfinished()[0] ?? "") ?? [];
    await kill(one);
    fake.mishap = () => null;
    const two = await start("two", bucket.location());
    const asked = await fetch(`${two.url}/upload/resumable/${uploadId}`, { method: "HEAD", headers: TUS });
    expect(asked.headers.get("upload-offset")).toBe(String(body.length));
    await until(two, uploadId!, "completed");
    expect(bucket.unfinished()).toEqual([]);
  });

  it("use the credentials of a profile", async () => {
    const file = join(place, "credentials");
    const { accessKeyId, secretAccessKey } = FAKE_KEYS;
    writeFileSync(file, `[mail]\naws_access_key_id=${accessKeyId}\naws_secret_access_key=${secretAccessKey}\n`);
    const profile = { AWS_PROFILE: "mail", AWS_SHARED_CREDENTIALS_FILE: file };
    const keys = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" };
    const one = await start("one", bucket.location(), { ...keys, ...profile });
    await until(one, await upload(one, "known", 3), "completed");
  });

  it("reveal no secret to jobs, logs, clients and files", async () => {
    const one = await start("one", bucket.location());
    let printed = "";
    one.process.stderr!.on("data", (text: string) => {
      printed += text;
    });
    one.process.stdout!.on("data", (text: string) => {
      printed += text;
    });
    const uploading = upload(one, "watched", MANY);
    let environments: readonly string[] = [];
    await expect.poll(() => (environments = jobEnvironments())).not.toEqual([]);
    for (const environment of environments) expect(environment).not.toContain(FAKE_KEYS.secretAccessKey);
    await uploading;
    fake.mishap = () => ({ status: 403, code: "SignatureDoesNotMatch" });
    const refused = await (await send(one, "refused", 1)).text();
    await expect.poll(() => printed).toContain("SignatureDoesNotMatch");
    for (const text of [printed, refused])
      for (const secret of [FAKE_KEYS.secretAccessKey, FAKE_KEYS.accessKeyId, "Signature=", "what was signed"])
        expect(text).not.toContain(secret);
  });

  it("do not start with wrong keys, another store, or a foreign directory", async () => {
    const location = bucket.location();
    await expect(start("one", location, { AWS_SECRET_ACCESS_KEY: "wrong" })).rejects.toThrow("SignatureDoesNotMatch");
    const nobody = { AWS_SECRET_ACCESS_KEY: "", AWS_SHARED_CREDENTIALS_FILE: "/nonexistent" };
    await expect(start("one", location, nobody)).rejects.toThrow("set credentials: AWS_ACCESS_KEY_ID");
    await expect(start("one", location, { AWS_REGION: "" })).rejects.toThrow("set AWS_REGION");
    const one = await start("one", location);
    await expect(start("two", `s3://${FAKE_BUCKET}/another-${count}`)).rejects.toThrow("another data directory");
    await expect(start("one", location)).rejects.toThrow("another service");
    await kill(one);
    mkdirSync(join(place, "shared"));
    writeFileSync(join(place, "shared", "service.id"), "an id");
    await expect(start("shared", location)).rejects.toThrow("without --blobs");
    await expect(startService(join(place, "one"))).rejects.toThrow("with --blobs");
    await expect(startService(join(place, "one"), "--blobs", location)).rejects.toThrow("--store");
    await expect(start("one", "/tmp")).rejects.toThrow("s3://bucket/prefix");
  });
});
