import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { LoggedEvent } from "../../../mail/uploads.ts";
import { TOOL_VERSION } from "../../../version.ts";

/** Milliseconds after which a browser reconnects. */
const RETRY_MS = 2000;

/** Milliseconds between keep-alive messages: proxies and browsers close silent connections after 30 to 60 seconds. */
export const HEARTBEAT_MS = 15_000;
/** Maximum unread keep-alive messages before a client is disconnected. */
const MAX_MISSED_HEARTBEATS = 2;
/** Events that a client may miss before it is disconnected; it may reconnect with Last-Event-ID. */
export const MAX_MISSED_EVENTS = 1000;
/** Events read from the log at a time, about 50 KB per reader. */
const PAGE_EVENTS = 200;

/** The log as visible to a client. */
export interface EventFeed {
  /** The id of an event as sent to this client. */
  idOf(sequence: number): string;
  /** Events after a sequence, oldest first. @param uploadId null for all uploads */
  eventsAfter(sequence: number, limit: number, uploadId: string | null): Promise<readonly LoggedEvent[]>;
  /** Calls back for every new event. Returns a function that stops this. */
  subscribe(listener: (event: LoggedEvent) => void): () => void;
}

/** An event in the form of the HTML Standard, section 9.2.6. Its data is JSON on one line. */
export function eventFrame({ event, data }: LoggedEvent, id: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;
}

/** The response as a stream of events, with the headers that the hooks have set. */
export function openEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    // No request follows a stream: a kept-alive connection would only delay the shutdown of the server.
    connection: "close",
    // Proxies of the nginx family buffer small responses by default.
    "x-accel-buffering": "no",
  });
  reply.raw.write(`: archivetool ${TOOL_VERSION}\nretry: ${RETRY_MS}\n\n`);
  return reply.raw;
}

/**
 * A client of the stream. It receives the log after its last event at its own speed: pending events stay on disk. So
 * there are no gaps or repeats, and a slow client costs one page of memory until it is disconnected.
 */
export class StreamClient {
  private readonly uploadId: string | null;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly unsubscribe: () => void;
  private sequence: number;
  private isPumping = false;
  /** True if events may have been added since the current page was read. */
  private hasMore = false;
  private missedEvents = 0;
  private missedHeartbeats = 0;

  /** @param from the last event the client has, by its sequence, and the upload it watches; null for all. */
  constructor(
    private readonly feed: EventFeed,
    private readonly output: Writable,
    from: { readonly sequence: number; readonly uploadId: string | null },
  ) {
    this.uploadId = from.uploadId;
    this.sequence = from.sequence;
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
    this.unsubscribe = feed.subscribe((event) => this.notice(event));
    output.on("drain", () => void this.pump());
    output.once("close", () => this.stop());
    // A disconnect during a write is not an error.
    output.on("error", () => undefined);
    void this.pump();
  }

  /** Ends the stream cleanly. */
  end(): void {
    this.stop();
    this.output.end();
  }

  private notice(event: LoggedEvent): void {
    if (this.uploadId !== null && event.uploadId !== this.uploadId) return;
    if (!this.output.writableNeedDrain) {
      void this.pump();
      return;
    }
    this.missedEvents++;
    if (this.missedEvents > MAX_MISSED_EVENTS) this.drop();
  }

  private beat(): void {
    if (!this.output.writableNeedDrain) {
      this.output.write(": heartbeat\n\n");
      return;
    }
    this.missedHeartbeats++;
    if (this.missedHeartbeats >= MAX_MISSED_HEARTBEATS) this.drop();
  }

  /** Writes events of the log until the client's buffer is full or the log ends. */
  private async pump(): Promise<void> {
    this.hasMore = true;
    if (this.isPumping) return;
    this.isPumping = true;
    while (this.hasMore && this.output.writable && !this.output.writableNeedDrain) {
      this.hasMore = false;
      const page = await this.nextPage();
      if (page === null) break;
      const last = page.at(-1);
      this.missedEvents = 0;
      this.missedHeartbeats = 0;
      if (last === undefined || !this.output.writable) continue;
      this.hasMore = true;
      this.sequence = last.sequence;
      this.output.write(page.map((event) => eventFrame(event, this.feed.idOf(event.sequence))).join(""));
    }
    this.isPumping = false;
  }

  /** Null if the log cannot be read. No caller waits for this, so the error appears when the client reconnects. */
  private async nextPage(): Promise<readonly LoggedEvent[] | null> {
    try {
      return await this.feed.eventsAfter(this.sequence, PAGE_EVENTS, this.uploadId);
    } catch {
      this.drop();
      return null;
    }
  }

  private drop(): void {
    this.stop();
    this.output.destroy();
  }

  private stop(): void {
    clearInterval(this.heartbeat);
    this.unsubscribe();
  }
}
