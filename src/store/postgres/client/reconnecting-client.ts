import { setTimeout as pause } from "node:timers/promises";
import { ArchiveError } from "../../../errors.ts";
import type { DatabaseWatch } from "../../contract/database-watch.ts";
import { connect, isAuthError, type PostgresClient, withErrorMapping } from "./postgres-client.ts";

/** Milliseconds between attempts to reconnect. */
const RETRY_MS = 1_000;
/** Milliseconds within which a watched server must respond to a new connection, the maximum that callers wait. */
const WATCHED_CONNECT_MS = 2_000;
/** Maximum attempts: the server has some minutes to restart or to fail over. */
const MAX_TRIES = 300;

interface SteadySetting {
  readonly server: string;
  readonly name: string;
  readonly signal: AbortSignal;
  /** Ends queries when the server is unreachable; without it, they wait for the server. */
  readonly watch?: DatabaseWatch | null;
}

/** A client that reconnects: every query must be harmless when repeated. */
export class ReconnectingClient {
  private readonly server: string;
  private readonly name: string;
  private readonly signal: AbortSignal;
  private readonly watch: DatabaseWatch | null;
  private client: Promise<PostgresClient> | null = null;
  /** Runs after it is connected. */
  private opened: PostgresClient | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(
    { server, name, signal, watch }: SteadySetting,
    /** Runs on each new connection, before any query. */
    private readonly begin: (client: PostgresClient) => Promise<void> = async () => undefined,
  ) {
    this.server = server;
    this.watch = watch ?? null;
    // A suspended server would never answer a pending query.
    this.watch?.onLoss(() => void this.opened?.close());
    this.name = name;
    this.signal = signal;
  }

  /** Runs one query or transaction at a time. */
  ask<T>(question: (client: PostgresClient) => Promise<T>, tries = MAX_TRIES): Promise<T> {
    // A query after `close` would reconnect and keep the process alive.
    if (this.isClosed) return Promise.reject(new Error(`${this.name} is closed`));
    const turn = this.last.then(() => this.askSteadily(question, tries));
    this.last = turn.catch(() => undefined);
    return this.watch === null ? turn : this.watch.whileReachable(turn);
  }

  /** The same inside a transaction. */
  change<T>(question: (client: PostgresClient) => Promise<T>, tries = MAX_TRIES): Promise<T> {
    return this.ask(async (client) => {
      await client.run("BEGIN");
      try {
        const answer = await question(client);
        await client.run("COMMIT");
        return answer;
      } catch (error) {
        // If the connection is lost, so is the transaction.
        await client.run("ROLLBACK").catch(() => undefined);
        throw error;
      }
    }, tries);
  }

  /** Runs the first queries in a transaction; if it fails, releases the connection. */
  async first<T>(question: (client: PostgresClient) => Promise<T>): Promise<T> {
    try {
      return await this.change(question);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Earlier queries are completed; later ones are rejected. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.last;
    await this.disconnect();
  }

  private async disconnect(): Promise<void> {
    const client = await this.client?.catch(() => null);
    await client?.close();
  }

  private async askSteadily<T>(question: (client: PostgresClient) => Promise<T>, most: number): Promise<T> {
    for (let tries = 1; ; tries++) {
      // Callers were already rejected.
      await this.watch?.whileReachable(Promise.resolve());
      try {
        const client = await this.connected();
        return await withErrorMapping(this.name, () => question(client));
      } catch (error) {
        const isAway = error instanceof ArchiveError && error.code === "STORE_UNREACHABLE" && !isAuthError(error);
        if (!isAway) throw error;
        await this.disconnect();
        this.client = null;
        if (tries === most || this.isClosed || this.signal.aborted) throw error;
        await pause(RETRY_MS, undefined, { signal: this.signal });
      }
    }
  }

  private async connected(): Promise<PostgresClient> {
    if (this.client !== null && (await this.client).isLost) this.client = null;
    this.client ??= this.connect();
    return this.client;
  }

  private async connect(): Promise<PostgresClient> {
    const client = await connect(this.server, this.name, this.watch === null ? undefined : WATCHED_CONNECT_MS);
    try {
      this.opened = client;
      await this.begin(client);
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }
}
