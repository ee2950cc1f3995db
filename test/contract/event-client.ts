import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { connectTo } from "./raw-http.ts";

/** One event as a client of server-sent events reads it. */
export interface ReceivedEvent {
  readonly event: string;
  readonly id: number;
  readonly data: unknown;
}

/** A client of /agent-stream that parses frames by the rules of the HTML Standard only. */
export class EventClient {
  readonly events: ReceivedEvent[] = [];
  readonly socket: Socket;
  head = "";
  isClosed = false;
  private text = "";
  private changed: () => void = () => undefined;

  constructor(app: FastifyInstance, request: { readonly query?: string; readonly lastEventId?: number | string } = {}) {
    this.socket = connectTo(app);
    this.socket.setEncoding("utf8");
    this.socket.on("data", (text: string) => this.read(text));
    this.socket.on("error", () => undefined);
    this.socket.on("close", () => {
      this.isClosed = true;
      this.changed();
    });
    const resume = request.lastEventId === undefined ? "" : `Last-Event-ID: ${request.lastEventId}\r\n`;
    this.socket.write(`GET /agent-stream${request.query ?? ""} HTTP/1.1\r\nHost: 127.0.0.1\r\n${resume}\r\n`);
  }

  get ids(): readonly number[] {
    return this.events.map(({ id }) => id);
  }

  /** Resolves when the condition holds; rejects if the connection is closed before. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await condition())) {
      if (this.isClosed) throw new Error(`closed after ${this.events.length} events: ${this.head}`);
      await new Promise<void>((resolve) => {
        this.changed = resolve;
      });
    }
  }

  async count(events: number): Promise<readonly ReceivedEvent[]> {
    await this.until(() => this.events.length >= events);
    return this.events;
  }

  close(): void {
    this.socket.destroy();
  }

  private read(text: string): void {
    this.text += text;
    if (this.head === "") {
      const end = this.text.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.head = this.text.slice(0, end);
      this.text = this.text.slice(end + 4);
    }
    // Chunks of HTTP/1.1: each has a line that contains only its length in hexadecimal, then its bytes and a line
    // break.
    const plain = this.text.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, "").replace(/\r\n$/, "");
    const end = plain.lastIndexOf("\n\n");
    this.events.length = 0;
    for (const block of plain.slice(0, end).split("\n\n")) {
      const fields = Object.fromEntries(
        block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      if (fields["data"] === undefined) continue;
      this.events.push({ event: fields["event"] ?? "", id: Number(fields["id"]), data: JSON.parse(fields["data"]) });
    }
    this.changed();
  }
}
