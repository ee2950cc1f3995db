import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { ArchiveError } from "../../../errors.ts";
import { nameOfServer } from "../../contract/archive-location.ts";
import type { DatabaseWatch } from "../../contract/database-watch.ts";
import { connect, type PostgresClient } from "./postgres-client.ts";

/** Milliseconds between two probes: clients notice a recovered database within two seconds. */
export const PROBE_EVERY_MS = 500;
/** Maximum milliseconds of a probe: a database that is merely busy responds in time. */
export const PROBE_LIMIT_MS = 1000;

/** Probes a database over a separate connection until closed. It counts as reachable until a probe fails. */
export function watchDatabase(server: string): DatabaseWatch {
  return new PostgresWatch(server);
}

class PostgresWatch implements DatabaseWatch {
  private readonly name: string;
  private readonly closing = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly probes: Promise<void>;
  private reachable = true;
  /** Why the last probe failed. */
  private cause: unknown = null;

  constructor(private readonly server: string) {
    this.name = nameOfServer(server);
    this.probes = this.probeAll();
  }

  get isReachable(): boolean {
    return this.reachable;
  }

  whileReachable<T>(answer: Promise<T>): Promise<T> {
    if (!this.reachable) return Promise.reject(this.fault());
    return new Promise<T>((resolve, reject) => {
      const lose = (): void => reject(this.fault());
      this.listeners.add(lose);
      answer.then(resolve, reject).finally(() => this.listeners.delete(lose));
    });
  }

  onLoss(listener: () => void): void {
    this.listeners.add(listener);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.probes;
  }

  private async probeAll(): Promise<void> {
    const { signal } = this.closing;
    let client: PostgresClient | null = null;
    while (!signal.aborted) {
      try {
        // After a restart or a failover between two probes, the database is reachable over a new connection.
        if (client?.isLost) client = null;
        client ??= await connect(this.server, this.name, PROBE_LIMIT_MS);
        await this.inTime(client.rows("SELECT 1"));
        this.reachable = true;
      } catch (error) {
        this.cause = error;
        await client?.close();
        client = null;
        this.lose();
      }
      await pause(PROBE_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await client?.close();
  }

  private async inTime(probe: Promise<unknown>): Promise<void> {
    const stop = new AbortController();
    const late = pause(PROBE_LIMIT_MS, undefined, { signal: stop.signal, ref: false }).then(async () => {
      // After long work of this thread, a response that arrived in time is read after its timers.
      await turn();
      throw new ArchiveError("STORE_UNREACHABLE", `${this.name} does not respond`);
    });
    try {
      await Promise.race([probe, late]);
    } finally {
      stop.abort();
      late.catch(() => undefined);
      probe.catch(() => undefined);
    }
  }

  private lose(): void {
    if (!this.reachable) return;
    this.reachable = false;
    for (const listener of [...this.listeners]) listener();
  }

  private fault(): ArchiveError {
    if (this.cause instanceof ArchiveError) return this.cause;
    return new ArchiveError("STORE_UNREACHABLE", `${this.name} does not respond`);
  }
}
