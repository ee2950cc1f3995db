import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { phaseEventSchema, uploadSchema } from "../../src/http/upload-service/base/wire-uploads.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { EventClient } from "./event-client.ts";
import { rawGet } from "./raw-http.ts";
import { createServiceFixture, NOON, type ServiceFixture } from "./service-fixture.ts";

/** `GET /agent-stream`: server-sent events over real connections. */

const SETTING = {
  host: "127.0.0.1",
  token: null,
  allowedHosts: [],
  allowedOrigins: [],
  environment: "contract",
  rateLimit: null,
} as const;

let fixture: ServiceFixture;
let app: FastifyInstance;
beforeEach(async () => {
  fixture = await createServiceFixture();
  app = await createUploadService(fixture.service, SETTING, null);
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
  await app.close();
  await fixture.remove();
});

const progress = (uploadId: string, done: number): Promise<void> =>
  fixture.events.appendPhase(
    uploadId,
    { phase: "parsing", state: "progress", done, total: null, isSkipped: false },
    NOON,
  );

it("is an event stream that proxies do not buffer", async () => {
  const client = new EventClient(app);
  await fixture.addQueued("one.mbox");
  await client.count(1);
  expect(client.head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(client.head).toMatch(/\r\ncontent-type: text\/event-stream(\r\n|$)/);
  expect(client.head).toMatch(/\r\ncache-control: no-store, no-transform(\r\n|$)/);
  expect(client.head).toMatch(/\r\nx-content-type-options: nosniff(\r\n|$)/);
  client.close();
});

it("sends the current state before new events, with increasing ids", async () => {
  const done = await fixture.addCompleted("done.mbox");
  const running = await fixture.addQueued("running.mbox");
  await fixture.startNext();
  await progress(running, 10);
  await progress(running, 20);
  const queued = await fixture.addQueued("queued.mbox");
  const client = new EventClient(app);
  await client.count(4);
  await progress(running, 30);
  const events = await client.count(5);
  expect(events.map(({ event, data }) => [event, (data as { upload_id: string }).upload_id])).toEqual([
    ["upload", done],
    ["upload", running],
    ["phase", running],
    ["upload", queued],
    ["phase", running],
  ]);
  expect(
    events.map(({ data }) => (data as { status?: string; done?: number }).status ?? (data as { done: number }).done),
  ).toEqual(["completed", "running", 20, "queued", 30]);
  for (const { event, data } of events) {
    const schema = event === "phase" ? phaseEventSchema : uploadSchema;
    expect(schema.strict().safeParse(data).error).toBeUndefined();
  }
  expect(client.ids).toEqual([...new Set(client.ids)].sort((a, b) => a - b));
  expect(client.ids.at(-1)).toBe(await fixture.catalog.lastSequence());
  client.close();
});

it("reports bytes read and in total while the number of messages is unknown", async () => {
  const running = await fixture.addQueued("running.pst");
  await fixture.startNext();
  const progress = { phase: "parsing", state: "progress", done: 7, total: null } as const;
  await fixture.events.appendPhase(running, { ...progress, isSkipped: false, bytes: { done: 40, total: 1000 } }, NOON);
  const client = new EventClient(app);
  const events = await client.count(2);
  const timestamp = new Date(NOON).toISOString().replace(".000Z", "Z");
  expect(events[1]?.data).toEqual({ upload_id: running, ...progress, timestamp, bytes: 40, total_bytes: 1000 });
  client.close();
});

it("sends events of another service during the initial state once", async () => {
  const before = await fixture.addQueued("before.mbox");
  const { catalog } = fixture;
  const { state } = catalog;
  let meanwhile = "";
  catalog.state = async (uploadId) => {
    const present = await state.call(catalog, uploadId);
    if (meanwhile === "") meanwhile = await fixture.addQueued("meanwhile.mbox");
    return present;
  };
  const client = new EventClient(app);
  try {
    await client.until(async () => client.ids.includes(await catalog.lastSequence()));
    expect(client.events.map(({ data }) => (data as { upload_id: string }).upload_id)).toEqual([before, meanwhile]);
  } finally {
    catalog.state = state;
    client.close();
  }
});

describe("Last-Event-ID", () => {
  it("resumes after any event without gap or repeat during further events", async () => {
    const first = await fixture.addQueued("first.mbox");
    await fixture.startNext();
    for (let done = 0; done < 40; done++) await progress(first, done);
    await fixture.addQueued("second.mbox");
    const early = (await fixture.catalog.eventsAfter(0, 1000, null)).map(({ sequence }) => sequence);
    const clients = early.map((lastEventId) => ({ lastEventId, client: new EventClient(app, { lastEventId }) }));
    for (let done = 40; done < 60; done++) {
      await progress(first, done);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const all = await fixture.catalog.eventsAfter(0, 1000, null);
    expect(all).toHaveLength(early.length + 20);
    for (const { lastEventId, client } of clients) {
      const rest = all.filter(({ sequence }) => sequence > lastEventId);
      await client.count(rest.length);
      expect(client.events).toEqual(
        rest.map(({ sequence, event, data }) => ({ id: sequence, event, data: JSON.parse(data) })),
      );
      client.close();
    }
  });

  it("resumes after any initial event: both parts together contain the last of everything", async () => {
    await fixture.addCompleted("a.mbox");
    await fixture.addCompleted("b.mbox");
    const running = await fixture.addQueued("c.mbox");
    await fixture.startNext();
    for (let done = 0; done < 5; done++) await progress(running, done);
    const whole = new EventClient(app);
    const snapshot = [...(await whole.count(4))];
    whole.close();
    for (let cut = 1; cut <= snapshot.length; cut++) {
      const lastEventId = snapshot[cut - 1]?.id ?? 0;
      const client = new EventClient(app, { lastEventId });
      await progress(running, 100 + cut);
      await client.until(async () => client.ids.includes(await fixture.catalog.lastSequence()));
      const received = [...snapshot.slice(0, cut), ...client.events].map(({ id }) => id);
      for (const { id } of snapshot) expect(received).toContain(id);
      client.close();
    }
  });

  it.each(["0x10", "-1", "", "abc", "999999999", "1e3"])(
    "responds to %j with the current state",
    async (lastEventId) => {
      const uploadId = await fixture.addCompleted("a.mbox");
      const client = new EventClient(app, { lastEventId });
      const [event] = await client.count(1);
      expect(event).toMatchObject({ event: "upload", data: { upload_id: uploadId, status: "completed" } });
      client.close();
    },
  );
});

describe("?upload_id", () => {
  it("sends events of one upload only, including its end", async () => {
    const watched = await fixture.addQueued("watched.mbox");
    const other = await fixture.addQueued("other.mbox");
    const client = new EventClient(app, { query: `?upload_id=${watched}` });
    await client.count(1);
    await fixture.startNext();
    await fixture.startNext();
    await progress(other, 1);
    await progress(watched, 2);
    await app.inject({ method: "DELETE", url: `/uploads/${other}`, headers: { host: "localhost" } });
    await app.inject({ method: "DELETE", url: `/uploads/${watched}`, headers: { host: "localhost" } });
    const events = await client.count(4);
    expect(events.map(({ data }) => (data as { upload_id: string }).upload_id)).toEqual([
      watched,
      watched,
      watched,
      watched,
    ]);
    expect(events.map(({ data }) => (data as { status?: string }).status)).toEqual([
      "queued",
      "running",
      undefined,
      "cancelled",
    ]);
    client.close();
    // A client that lost the connection before the end still receives it.
    const late = new EventClient(app, { query: `?upload_id=${watched}`, lastEventId: events[2]?.id ?? 0 });
    expect((await late.count(1))[0]).toMatchObject({ event: "upload", data: { status: "cancelled" } });
    late.close();
  });

  it("of an unknown upload is not found", async () => {
    expect(await rawGet(app, "/agent-stream?upload_id=upload-zzzzzzzzzzzz")).toMatch(
      /^HTTP\/1\.1 404 [\s\S]*"NOT_FOUND","message":"Upload upload-zzzzzzzzzzzz not found"/,
    );
  });
});

it("drops a client that does not read, and its memory does not grow", async () => {
  const uploadId = await fixture.addQueued("large.mbox");
  await fixture.startNext();
  const client = new EventClient(app);
  await client.count(1);
  client.socket.pause();
  const streams = async (): Promise<string> =>
    (await app.inject({ url: "/metrics", headers: { host: "localhost" } })).body.match(/streams (\d+)/)?.[1] ?? "";
  expect(await streams()).toBe("1");
  // One kilobyte per event, so that the socket's buffer is full after a few thousand.
  const data = JSON.stringify({ upload_id: uploadId, padding: "x".repeat(8000) });
  let events = 0;
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  let most = 0;
  while (!client.isClosed && (await streams()) === "1" && events < 20_000) {
    for (let count = 0; count < 100; count++) await fixture.catalog.appendPhase(uploadId, "parsing", data);
    events += 100;
    await fixture.events.deliver();
    most = Math.max(most, process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await streams()).toBe("0");
  expect(events).toBeLessThan(20_000);
  // The complete events have ten times this size.
  expect(most).toBeLessThan(64 << 20);
  client.close();
});

it("ends when the server does", async () => {
  const clients = Array.from({ length: 10 }, () => new EventClient(app));
  await fixture.addQueued("one.mbox");
  for (const client of clients) await client.count(1);
  await app.close();
  for (const client of clients) await expect(client.until(() => false)).rejects.toThrow("closed after 1 events");
});

it("has no answer to HEAD, which would never end", async () => {
  const { statusCode } = await app.inject({ method: "HEAD", url: "/agent-stream", headers: { host: "localhost" } });
  expect(statusCode).toBe(501);
});
