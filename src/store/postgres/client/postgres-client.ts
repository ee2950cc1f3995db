import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Client } from "pg";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { decodeText, encodeText } from "./stored-text.ts";

/** Parameters of a statement; a list is one parameter. */
export type Parameter = SqlValue | readonly string[];

/** A connection to PostgreSQL. Rows are arrays in the order of the columns; int8 is read as a number. */
export interface PostgresClient {
  rows(sql: string, values?: readonly Parameter[]): Promise<SqlValue[][]>;
  /** Runs one or several statements without parameters. */
  run(sql: string): Promise<void>;
  /** Output of COPY … TO STDOUT. */
  copyOut(sql: string): Promise<Readable>;
  /** Stream for COPY … FROM STDIN. */
  copyIn(sql: string): Promise<Writable>;
  /** True once the server or the network has ended it. */
  readonly isLost: boolean;
  close(): Promise<void>;
}

/** Milliseconds within which a server must respond to a new connection. */
const CONNECT_TIMEOUT_MS = 15_000;

/** Object identifiers of the types that our tables and statements have. */
const OID = { bool: 16, bytea: 17, int8: 20, int4: 23, float8: 701 } as const;

const PARSERS = new Map<number, (text: string) => unknown>([
  [OID.bool, (text) => (text === "t" ? 1 : 0)],
  [OID.bytea, bytesOf],
  [OID.int8, Number],
  [OID.int4, Number],
  [OID.float8, Number],
]);

/** Decodes hexadecimal digits after `\x`. */
function bytesOf(text: string): Uint8Array {
  return Buffer.from(text.slice(2), "hex");
}

/** Everything else is text. */
const types = { getTypeParser: (oid: number) => PARSERS.get(oid) ?? decodeText };

/**
 * Connects. Throws DRIVER_MISSING and STORE_UNREACHABLE.
 * @param timeoutMs milliseconds within which the server must respond
 */
export async function connect(
  server: string,
  name: string,
  timeoutMs: number = CONNECT_TIMEOUT_MS,
): Promise<PostgresClient> {
  const { Client: Connection, copyFrom, copyTo } = await drivers();
  const client = new Connection({
    connectionString: server,
    connectionTimeoutMillis: timeoutMs,
    application_name: "archivetool",
    types: types as never,
  });
  // From the URL or PGPASSWORD, otherwise from the password file when the server requires one.
  if (client.password === null) Object.assign(client, { password: passwordInFile });
  let isLost = false;
  client.on("error", () => {
    isLost = true;
  });
  client.on("end", () => {
    isLost = true;
  });
  try {
    await withErrorMapping(name, async () => {
      await client.connect();
      await client.query("SET search_path TO archivetool");
    });
  } catch (error) {
    // If no password is available, the server would keep waiting on this connection.
    await client.end().catch(() => undefined);
    throw error;
  }
  const statements = new Map<string, string>();
  // Runs one statement at a time; further ones wait.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const turn = last.then(ask, ask);
    last = turn.catch(() => undefined);
    return turn;
  };
  /** A COPY keeps its turn until its stream has ended or failed; other queries wait here, not in the queue of pg. */
  const inTurnToItsEnd = <S extends Readable | Writable>(begin: () => S): Promise<S> => {
    const begun = last.then(begin);
    last = begun.then((stream) => finished(stream)).catch(() => undefined);
    return begun;
  };
  return {
    get isLost() {
      return isLost;
    },
    async rows(sql, values = []) {
      return withErrorMapping(name, async () => (await inTurn(() => query(client, statements, { sql, values }))).rows);
    },
    async run(sql) {
      await withErrorMapping(name, () => inTurn(() => client.query(sql)));
    },
    copyOut: (sql) => inTurnToItsEnd(() => client.query(copyTo(sql))),
    copyIn: (sql) => inTurnToItsEnd(() => client.query(copyFrom(sql))),
    async close() {
      await client.end().catch(() => undefined);
    },
  };
}

/** Each distinct statement is prepared once. */
function query(
  client: Client,
  statements: Map<string, string>,
  { sql, values }: { readonly sql: string; readonly values: readonly Parameter[] },
): Promise<{ readonly rows: SqlValue[][] }> {
  let name = statements.get(sql);
  if (name === undefined) statements.set(sql, (name = `s${statements.size}`));
  return client.query<SqlValue[]>({ name, text: sql, values: values.map(encodeParameter), rowMode: "array" });
}

function encodeParameter(value: Parameter): unknown {
  if (typeof value === "string") return encodeText(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.isArray(value) ? value.map(encodeText) : value;
}

/** Both packages are optional peers, installed only for PostgreSQL. Throws DRIVER_MISSING. */
async function drivers() {
  try {
    const { default: pg } = await import("pg");
    const { default: streams } = await import("pg-copy-streams");
    return { Client: pg.Client, copyFrom: streams.from, copyTo: streams.to };
  } catch (cause) {
    const isMissing = systemErrorCode(cause) === "ERR_MODULE_NOT_FOUND";
    throw new ArchiveError("DRIVER_MISSING", "the packages pg and pg-copy-streams are not installed", {
      hint: INSTALL,
      ...(isMissing ? {} : { cause }),
    });
  }
}

/** Parameters by which the password of a connection is looked up. */
interface Connecting {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * Password of a connection in the password file (PostgreSQL 15, section 34.16), or undefined. Read with pg's own
 * package, because pg warns that it will stop reading it.
 */
function passwordInFile(connecting: Connecting): Promise<string | undefined> {
  const ours = createRequire(import.meta.url);
  const readFile = createRequire(ours.resolve("pg"))("pgpass") as (
    connecting: Connecting,
    found: (password: string | undefined) => void,
  ) => void;
  return new Promise((resolve) => readFile(connecting, resolve));
}

const INSTALL =
  "run: npm install -g pg@8.23.1 pg-copy-streams@7.0.0 (in a project: npm install pg@8.23.1 pg-copy-streams@7.0.0)";

/** Runs a call to the server and converts its errors. */
export async function withErrorMapping<T>(name: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw serverFault(name, error);
  }
}

/** Codes of PostgreSQL by their first characters (https://www.postgresql.org/docs/15/errcodes-appendix.html). */
const FAULTS: readonly (readonly [codes: RegExp, errorOf: (name: string, cause: unknown) => ArchiveError])[] = [
  [/^53100/, (name, cause) => new ArchiveError("DISK_FULL", `no space left at ${name}`, { cause, hint: GIVE_ROOM })],
  [
    /^42501/,
    (name, cause) =>
      new ArchiveError("SOURCE_UNREADABLE", `${name} denied access to this user (${messageOf(cause)})`, {
        cause,
        hint: "grant the permissions listed in docs/guides/scaling-out.md",
      }),
  ],
  [
    /^(?:42P01|42703|3F000)/,
    (name, cause) =>
      new ArchiveError("ARCHIVE_VERSION", `${name} does not have the tables of this version (${messageOf(cause)})`, {
        cause,
        hint: "copy an archive there with this version of archivetool to update them",
      }),
  ],
  [
    /^25006/,
    (name, cause) =>
      new ArchiveError("STORE_UNREACHABLE", `${name} is read-only (${messageOf(cause)})`, { cause, hint: PROMOTE }),
  ],
  [
    /^55P03/,
    (name, cause) =>
      new ArchiveError("OUTPUT_BUSY", `${name} is locked by another session (${messageOf(cause)})`, {
        cause,
        hint: "wait until it ends; see pg_locks for the session",
      }),
  ],
  [/^(?:08|28|3D|57P|53300|E[A-Z]+$)/, (name, cause) => unreachable(name, cause)],
];

const GIVE_ROOM = "add disk space to the server";
/** The host name of a lost server may lead to its standby before that is promoted. */
const PROMOTE = "a standby is read-only until it is promoted";

function serverFault(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ArchiveError) return error;
  const code = systemErrorCode(error) ?? "";
  const [, errorOf] = FAULTS.find(([codes]) => codes.test(code)) ?? [];
  if (errorOf !== undefined) return errorOf(name, error);
  // pg gives these errors neither a code nor a class.
  return /connection|timeout|not queryable|password/i.test(error.message) && code === ""
    ? unreachable(name, error)
    : error;
}

/** True if the server rejects the user, which a retry would not change. */
export function isAuthError({ cause }: ArchiveError): boolean {
  return /^28/.test(systemErrorCode(cause) ?? "") || (cause instanceof Error && /password/i.test(cause.message));
}

function unreachable(name: string, cause: unknown): ArchiveError {
  return new ArchiveError("STORE_UNREACHABLE", `cannot reach ${name} (${messageOf(cause)})`, { cause });
}

function messageOf(cause: unknown): string {
  // A host with several addresses causes one error per address.
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(", ");
  return cause instanceof Error ? cause.message : String(cause);
}
