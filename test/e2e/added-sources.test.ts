import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { UploadWire } from "../../src/http/upload-service/base/wire-uploads.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, mboxOf, rawMessage, writeMbox } from "./fixture-mail.ts";
import { childrenOf, type RunningService, startService } from "./running-service.ts";

/** Mail that is added to an archive of the service. */

/** Maximum checks of an upload, ten per second, until its job must have ended. */
const LOOKS = 600;
/** Enough messages to interrupt their extraction. */
const MANY = 600;

const scratch = scratchDirectory("added-sources");
let service: RunningService;
let count = 0;
let data: string;
afterEach(() => service.end("SIGKILL"));

interface Detail extends UploadWire {
  readonly counts: { readonly messages: number };
}

async function start(): Promise<void> {
  data = join(scratch, `data-${count++}`);
  service = await startService(data, "--threads", "1");
}

async function post(path: string, body: Buffer | string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(service.url + path, { method: "POST", body: new Uint8Array(Buffer.from(body)), headers });
  return {
    status: answer.status,
    body: (await answer.json()) as Detail & { readonly error: { readonly code: string } },
  };
}

async function get(path: string): Promise<Detail> {
  return (await (await fetch(service.url + path)).json()) as Detail;
}

async function until(uploadId: string, isReached: (upload: Detail) => boolean): Promise<Detail> {
  for (let look = 0; look < LOOKS; look++) {
    const upload = await get(`/uploads/${uploadId}`);
    if (isReached(upload)) return upload;
    await pause(100);
  }
  throw new Error(`upload ${uploadId} does not come to its end`);
}

const ended = (uploadId: string): Promise<Detail> =>
  until(uploadId, ({ status }) => status === "completed" || status === "failed");

async function uploaded(messages: number, name: string): Promise<string> {
  const { status, body } = await post(`/upload?filename=${name}.mbox`, mboxOf(messages, name));
  expect(status).toBe(202);
  await ended(body.upload_id);
  return body.upload_id;
}

const total = async (uploadId: string): Promise<number> =>
  (
    (await (await fetch(`${service.url}/uploads/${uploadId}/query/stats`)).json()) as {
      readonly data: { readonly total_messages: number };
    }
  ).data.total_messages;

const originalOf = async (uploadId: string, query: string): Promise<string> => {
  const [found] = (await (await fetch(`${service.url}/search?upload_id=${uploadId}&q=${query}`)).json()) as {
    readonly message_id: string;
  }[];
  return (await fetch(`${service.url}/uploads/${uploadId}/messages/${found!.message_id}/original`)).text();
};

const mark = (uploadId: string, id: string): Promise<Response> =>
  fetch(`${service.url}/uploads/${uploadId}/explore/notebook/entries`, {
    method: "POST",
    headers: { origin: service.url, "content-type": "application/json" },
    body: JSON.stringify({ kind: "message", id, revision: 0, value: { tags: ["hot"], note: "", review: "relevant" } }),
  });

describe("mail that is added to an archive of the service", () => {
  it("is searched with the earlier mail, whose ids, marks and originals stay", async () => {
    await start();
    const id = await uploaded(20, "first");
    expect((await mark(id, "msg-000003")).status).toBe(200);
    const before = await get(`/uploads/${id}/query/messages/msg-000003`);
    const { status, body } = await post(`/uploads/${id}/sources?filename=second.mbox`, mboxOf(10, "second"));
    expect(status).toBe(202);
    expect(body).toMatchObject({ upload_id: id, status: "queued", added: [], adding: { filename: "second.mbox" } });
    const after = await ended(id);
    expect(after).toMatchObject({ status: "completed", error: null, counts: { messages: 30 }, adding: null });
    expect(after.added.map(({ filename }) => filename)).toEqual(["second.mbox"]);
    expect(await total(id)).toBe(30);
    expect(((await get(`/uploads/${id}/query/messages/msg-000003`)) as { data?: unknown }).data).toEqual(
      (before as { data?: unknown }).data,
    );
    const tagged = await fetch(`${service.url}/uploads/${id}/explore/messages?q=tag:hot`);
    expect(((await tagged.json()) as { data: { total: number } }).data.total).toBe(1);
    expect(await originalOf(id, "second")).toContain("second@");
    expect(await originalOf(id, "first")).toContain("first@");
    // The same file again under the same name: known messages are duplicates, and the file gets a new name.
    await post(`/uploads/${id}/sources?filename=second.mbox`, mboxOf(12, "second"));
    const again = await ended(id);
    expect(again.added.map(({ filename }) => filename)).toEqual(["second.mbox", "second-2.mbox"]);
    expect(again.counts.messages).toBe(32);
    expect(readdirSync(join(data, "uploads", id, "source")).sort()).toEqual([
      ...["first.mbox", "second-2.mbox", "second.mbox"],
    ]);
    await expect.poll(() => readdirSync(join(data, "uploads", id)).sort()).toEqual(["archive", "cache", "source"]);
    expect(archivetool("validate", join(data, "uploads", id, "archive")).exitCode).toBe(0);
  });

  it("leaves the archive unchanged if it cannot be read", async () => {
    await start();
    const id = await uploaded(20, "first");
    const refused = await post(`/uploads/${id}/sources?filename=mail.txt`, "no mail");
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "UNSUPPORTED_FORMAT" } } });
    const options = await post(`/uploads/${id}/sources?filename=a.mbox&redact=all`, mboxOf(1, "a"));
    expect(options).toMatchObject({ status: 400, body: { error: { code: "INVALID_QUERY" } } });
    const none = await post("/uploads/upload-aaaaaaaaaaaa/sources?filename=a.mbox", mboxOf(1, "a"));
    expect(none).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
    expect(readdirSync(join(data, "uploads", id, "source"))).toEqual(["first.mbox"]);
    expect(readdirSync(join(data, "incoming"))).toEqual([]);
    const damaged = Buffer.concat([Buffer.from("!BDN"), Buffer.alloc(2000, 7)]);
    expect((await post(`/uploads/${id}/sources?filename=a.pst`, damaged)).status).toBe(202);
    const after = await ended(id);
    expect(after).toMatchObject({ status: "completed", counts: { messages: 20 }, added: [], adding: null });
    expect(after.error?.code).toBe("DAMAGED_SOURCE");
    expect(await total(id)).toBe(20);
    await expect.poll(() => readdirSync(join(data, "uploads", id, "source"))).toEqual(["first.mbox"]);
  });

  it("survives kills of its job and of the service; the archive can be read at every moment", async () => {
    await start();
    const id = await uploaded(20, "first");
    expect((await post(`/uploads/${id}/sources?filename=many.mbox`, mboxOf(MANY, "many"))).status).toBe(202);
    const busy = await post(`/uploads/${id}/sources?filename=third.mbox`, mboxOf(1, "third"));
    expect(busy).toMatchObject({ status: 409, body: { error: { code: "UPLOAD_BUSY" } } });
    await until(id, ({ status }) => status === "running");
    expect(await total(id)).toBe(20);
    for (const job of childrenOf(service.process.pid!)) process.kill(job, "SIGKILL");
    await until(id, ({ phase }) => phase !== null);
    expect(await total(id)).toBe(20);
    await service.end("SIGKILL");
    service = await startService(data, "--threads", "1");
    expect([20, 20 + MANY]).toContain(await total(id));
    expect(await ended(id)).toMatchObject({ status: "completed", counts: { messages: 20 + MANY }, error: null });
    expect(await total(id)).toBe(20 + MANY);
    await expect.poll(() => readdirSync(join(data, "uploads", id)).sort()).toEqual(["archive", "cache", "source"]);
    expect(readdirSync(join(data, "uploads", id, "archive"))).not.toContain(".archivetool-run");
    expect((await fetch(`${service.url}/uploads/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(existsSync(join(data, "uploads", id))).toBe(false);
  });

  it("is added by owners only, also to an archive of a path of the server", async () => {
    const mbox = join(scratch, "letters.mbox");
    writeMbox(mbox, LETTERS.map(rawMessage));
    data = join(scratch, `data-${count++}`);
    const run = (...args: readonly string[]): string => archivetool("service", "--data", data, ...args).stdout.trim();
    const id = run("add", mbox).slice(0, 19);
    const [reader, owner] = [run("token", "reader", "--may-upload"), run("token", "owner", "--may-upload")];
    run("grant", "reader", id);
    run("grant", "owner", id, "--owner");
    service = await startService(data, "--threads", "1", "--token", "of-the-service-itself");
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const state = async () =>
      (await (await fetch(`${service.url}/uploads/${id}`, { headers: bearer(owner) })).json()) as Detail;
    await expect.poll(async () => (await state()).status).toBe("completed");
    const path = `/uploads/${id}/sources?filename=more.mbox`;
    expect(await post(path, mboxOf(5, "more"), bearer(reader))).toMatchObject({ status: 403 });
    expect(await post(path, mboxOf(5, "more"), bearer(run("token", "stranger", "--may-upload")))).toMatchObject({
      status: 404,
    });
    expect(await post(path, mboxOf(5, "more"), bearer(owner))).toMatchObject({ status: 202 });
    await expect.poll(async () => (await state()).counts.messages).toBe(LETTERS.length + 5);
    const audited = run("audit", "--upload", id);
    expect(audited).toMatch(/owner {2}uploaded {2}/);
  });
});
