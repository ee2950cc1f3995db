import { Writable } from "node:stream";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoggedEvent } from "../../../mail/uploads.ts";
import { type EventFeed, eventFrame, HEARTBEAT_MS, MAX_MISSED_EVENTS, StreamClient } from "./stream-client.ts";

/** A log in memory. */
class Log implements EventFeed {
  readonly events: LoggedEvent[] = [];
  readonly listeners = new Set<(event: LoggedEvent) => void>();
  reads = 0;

  append(uploadId: string, data = "{}"): void {
    const event: LoggedEvent = { sequence: this.events.length + 1, uploadId, event: "phase", data };
    this.events.push(event);
    for (const listener of this.listeners) listener(event);
  }

  idOf(sequence: number): string {
    return String(sequence);
  }

  async eventsAfter(sequence: number, limit: number, uploadId: string | null): Promise<readonly LoggedEvent[]> {
    this.reads++;
    return this.events
      .filter((event) => event.sequence > sequence && (uploadId === null || event.uploadId === uploadId))
      .slice(0, limit);
  }

  subscribe(listener: (event: LoggedEvent) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/** A client that reads a chunk on request. */
class Client extends Writable {
  text = "";
  chunks = 0;
  private waiting: (() => void) | null = null;

  private readonly isFast: boolean;

  constructor(isFast: boolean) {
    super({ highWaterMark: 1000 });
    this.isFast = isFast;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.chunks++;
    if (this.isFast) done();
    else this.waiting = done;
  }

  take(): void {
    const done = this.waiting;
    this.waiting = null;
    done?.();
  }

  get sequences(): readonly number[] {
    return Array.from(this.text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id));
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("writes an event in the standard format", () => {
  expect(eventFrame({ sequence: 7, uploadId: "u", event: "phase", data: '{"a":1}' }, "7")).toBe(
    'event: phase\nid: 7\ndata: {"a":1}\n\n',
  );
});

it("sends every event after the given one exactly once, in order, at any reading speed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 300 }),
      fc.array(fc.constantFrom("append a", "append b", "take", "turn"), { maxLength: 60 }),
      async (before, cut, steps) => {
        const log = new Log();
        for (let count = 0; count < before; count++) log.append(count % 3 === 0 ? "a" : "b", "x".repeat(40));
        const from = Math.min(cut, before);
        const client = new Client(false);
        const reader = new StreamClient(log, client, { sequence: from, uploadId: null });
        for (const step of steps) {
          if (step === "take") client.take();
          else if (step === "turn") await settled();
          else log.append(step.slice(-1));
        }
        for (let rounds = 0; rounds < 1000 && client.sequences.length < log.events.length - from; rounds++) {
          client.take();
          await settled();
        }
        expect(client.sequences).toEqual(log.events.slice(from).map(({ sequence }) => sequence));
        reader.end();
      },
    ),
    { numRuns: 60 },
  );
});

it("returns only the events of one upload on request", async () => {
  const log = new Log();
  for (const upload of ["a", "b", "a"]) log.append(upload);
  const client = new Client(true);
  const reader = new StreamClient(log, client, { sequence: 0, uploadId: "a" });
  for (const upload of ["b", "a"]) log.append(upload);
  await settled();
  expect(client.sequences).toEqual([1, 3, 5]);
  reader.end();
});

describe("a client that does not read", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is disconnected after a thousand events, with at most one page buffered", async () => {
    const log = new Log();
    const client = new Client(false);
    new StreamClient(log, client, { sequence: 0, uploadId: null });
    log.append("a", "x".repeat(2000));
    await vi.waitFor(() => expect(client.writableNeedDrain).toBe(true), { timeout: 60_000 });
    const { reads } = log;
    for (let count = 0; !client.destroyed && count < 2 * MAX_MISSED_EVENTS; count++) {
      log.append("a", "x".repeat(2000));
      expect(client.writableLength).toBeLessThan(5000);
    }
    expect(client.destroyed).toBe(true);
    expect(log.events.length).toBeLessThanOrEqual(MAX_MISSED_EVENTS + 12);
    expect(log.reads).toBe(reads);
    expect(log.listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is disconnected after two unread keep-alive comments", async () => {
    const log = new Log();
    const client = new Client(false);
    new StreamClient(log, client, { sequence: 0, uploadId: null });
    log.append("a", "x".repeat(2000));
    await vi.waitFor(() => expect(client.writableNeedDrain).toBe(true), { timeout: 60_000 });
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(client.destroyed).toBe(false);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(client.destroyed).toBe(true);
    expect([log.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("stays connected if it reads the keep-alive comments", () => {
    const client = new Client(true);
    const log = new Log();
    const reader = new StreamClient(log, client, { sequence: 0, uploadId: null });
    vi.advanceTimersByTime(100 * HEARTBEAT_MS);
    expect(client.text).toBe(": heartbeat\n\n".repeat(100));
    reader.end();
    expect([client.writableEnded, log.listeners.size, vi.getTimerCount()]).toEqual([true, 0, 0]);
  });
});

it("removes a client that disconnects", async () => {
  const log = new Log();
  const client = new Client(true);
  new StreamClient(log, client, { sequence: 0, uploadId: null });
  client.destroy(new Error("connection reset"));
  await settled();
  expect(log.listeners.size).toBe(0);
  log.append("a");
  expect(client.text).toBe("");
});

it("disconnects only the clients of a failing log", async () => {
  const log = new Log();
  const client = new Client(true);
  new StreamClient(log, client, { sequence: 0, uploadId: null });
  log.eventsAfter = async () => {
    throw new Error("disk I/O error");
  };
  expect(() => log.append("a")).not.toThrow();
  await settled();
  expect([client.destroyed, log.listeners.size]).toEqual([true, 0]);
});
