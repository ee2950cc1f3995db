import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { Latest } from "../../search/latest.ts";
import { callRange } from "../../search/range-calls.ts";
import type { SearchedRange } from "../../search/searched-range.ts";
import type { RangePlace } from "../../store/range-place.ts";
import { withPackedNumbers } from "./packed-numbers.ts";
import { givenWire, type RangeCallWire, rangeCallWire } from "./wire-ranges.ts";

/** Where a replica is asked. */
export const RANGE_PATH = "/range";
/** Bytes of a call at most: a query with the 1,000 terms of 100 prefixes has some 2 MB. */
const MAX_CALL_BYTES = 16 << 20;
/** Longer than those who ask keep a connection for the next call, in milliseconds. */
const KEEP_ALIVE_MS = 72_000;
/**
 * Queries that are known by what they say, so that a range need not find again what an earlier call has found: some bytes
 * a message each.
 */
const KNOWN_QUERIES = 8;

/** What a replica answers with. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

const REFUSED: Readonly<Record<"unknown" | "unauthorized" | "malformed" | "failed", Answer>> = {
  unknown: { status: 404, body: "" },
  unauthorized: { status: 401, body: "" },
  malformed: { status: 400, body: "" },
  failed: { status: 503, body: "" },
};

/** Answers calls of other replicas: it has one path, and hears who knows the secret. */
export class RangeServer {
  /** Null until it is known: then nobody is heard. */
  private secret: Buffer | null = null;
  private readonly rangeAt: (place: RangePlace) => Promise<SearchedRange>;
  private readonly queries = new Latest<unknown>(KNOWN_QUERIES);
  private readonly server: Server;

  constructor(rangeAt: (place: RangePlace) => Promise<SearchedRange>) {
    this.rangeAt = rangeAt;
    this.server = createServer((request, response) => void this.reply(request, response));
    this.server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  /** Gives the port, which the system chooses for 0. Throws INVALID_ARGUMENT where it cannot listen there. */
  async listen(host: string, port: number): Promise<number> {
    this.server.listen(port, host);
    try {
      await once(this.server, "listening");
    } catch (cause) {
      const code = systemErrorCode(cause) ?? "";
      throw new ArchiveError("INVALID_ARGUMENT", `cannot listen at ${host}:${port} for other replicas (${code})`, {
        cause,
      });
    }
    const address = this.server.address();
    return address !== null && typeof address === "object" ? address.port : port;
  }

  /** From now on whoever knows the secret is answered. */
  hear(secret: string): void {
    this.secret = digest(secret);
  }

  private async reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.answer(request).catch(() => REFUSED.failed);
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    if (request.method !== "POST" || request.url !== RANGE_PATH) return REFUSED.unknown;
    if (!this.isKnown(request.headers.authorization)) return REFUSED.unauthorized;
    const text = await textOf(request);
    const asked = text === null ? null : readCall(text);
    if (asked === null) return REFUSED.malformed;
    const range = await this.rangeAt(asked.place);
    const found = await callRange(
      range,
      asked.call,
      asked.given.map((value) => this.known(value)),
    );
    return { status: 200, body: JSON.stringify(found, withPackedNumbers) };
  }

  private isKnown(authorization = ""): boolean {
    const given = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? "";
    return this.secret !== null && timingSafeEqual(digest(given), this.secret);
  }

  /** Ranges keep what they find of a query as long as the very object is there. */
  private known(value: unknown): unknown {
    if (typeof value !== "object" || value === null || !("clauses" in value)) return value;
    const key = JSON.stringify(value);
    const query = this.queries.get(key) ?? value;
    this.queries.keep(key, query);
    return query;
  }
}

function digest(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Null for one that is too long. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_CALL_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Null for what is no call. */
function readCall(text: string): RangeCallWire | null {
  const call = rangeCallWire.safeParse(parsed(text));
  const given = call.success ? givenWire(call.data.call).safeParse(call.data.given) : null;
  return call.success && given?.success ? { ...call.data, given: [...given.data] } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
