import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { mboxOf } from "./fixture-mail.ts";

/** Clients that upload to services which may end at any time. */

/** Headers of the protocol of resumable uploads. */
export const TUS = { "tus-resumable": "1.0.0" } as const;
/** Number of pieces of a resumable upload, which must outlive several services. */
const RESUMED_PIECES = 8;
/**
 * Statuses of a proxy whose services are gone, and of a service that waits for the end of another service's lease. The
 * request is sent again.
 */
const TEMPORARY: ReadonlySet<number> = new Set([423, 502, 503, 504]);

export interface SlowUpload {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly pieces: number;
  readonly pauseMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an upload in pieces, slowly enough to be interrupted. Returns null if the connection is lost. */
export function sendSlowly(
  url: string,
  { name, bytes, pieces, pauseMs, headers = {} }: SlowUpload,
): Promise<{ readonly status: number; readonly body: string } | null> {
  return new Promise((settle) => {
    const sent = request(`${url}/upload?filename=${name}.mbox`, { method: "POST", headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () => settle({ status: response.statusCode ?? 0, body }));
      response.on("error", () => settle(null));
    });
    sent.on("error", () => settle(null));
    void (async () => {
      const cut = (piece: number): number => Math.floor((bytes.length * piece) / pieces);
      for (let piece = 0; piece < pieces && !sent.destroyed; piece++) {
        sent.write(bytes.subarray(cut(piece), cut(piece + 1)));
        await pause(pauseMs);
      }
      sent.end();
    })();
  });
}

/** A tus upload that continues where it was, one piece at a time, however often a service ends. */
export class ResumedUpload {
  private readonly bytes: Buffer;
  private readonly metadata: string;
  private path: string | null = null;
  isDone = false;

  /** @param metadata of the upload in addition to its file name */
  constructor(name: string, messages: number, metadata: Readonly<Record<string, string>> = {}) {
    this.bytes = Buffer.from(mboxOf(messages, name));
    this.metadata = Object.entries({ filename: `${name}.mbox`, ...metadata })
      .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
      .join();
  }

  /** Null until the upload is created. */
  get uploadId(): string | null {
    return this.path?.split("/").at(-1) ?? null;
  }

  /** Sends the next piece. If the service ends, the result is unknown; the next call requests the offset. */
  async goOn(url: string): Promise<void> {
    try {
      await this.sendPiece(url);
    } catch (error) {
      // Thrown by fetch when the service is gone; anything else is a failure of the test.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  private async sendPiece(url: string): Promise<void> {
    this.path ??= await this.create(url);
    if (this.path === null) return;
    const state = await fetch(url + this.path, { method: "HEAD", headers: TUS });
    if (TEMPORARY.has(state.status)) return;
    expect(state.status).toBe(200);
    let offset = Number(state.headers.get("upload-offset"));
    if (offset < this.bytes.length) {
      const piece = this.bytes.subarray(offset, offset + Math.ceil(this.bytes.length / RESUMED_PIECES));
      const headers = { ...TUS, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
      const answer = await fetch(url + this.path, { method: "PATCH", headers, body: new Uint8Array(piece) });
      if (TEMPORARY.has(answer.status)) return;
      expect(answer.status).toBe(204);
      offset += piece.length;
    }
    this.isDone = offset === this.bytes.length;
  }

  private async create(url: string): Promise<string | null> {
    const headers = { ...TUS, "upload-length": String(this.bytes.length), "upload-metadata": this.metadata };
    const created = await fetch(`${url}/upload/resumable`, { method: "POST", headers });
    if (TEMPORARY.has(created.status)) return null;
    expect(created.status).toBe(201);
    return new URL(created.headers.get("location")!, url).pathname;
  }
}
