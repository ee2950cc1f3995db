import { closeSync, openSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readFully, writeFully } from "../../files/whole-bytes.ts";
import type { StoredColumn } from "../tables/stored-tables.ts";
import type { ResultFile } from "../task-queue.ts";
import { RowDecoder, RowEncoder } from "./binary-rows.ts";
import type { PostgresClient } from "./postgres-client.ts";

/**
 * Tasks of runs, the files of their results, who works, and who has refused what. What is done once is led by the number
 * of its run or task, and stays until the run is removed.
 */
const TABLES = `
CREATE SCHEMA IF NOT EXISTS archivetool;
CREATE TABLE IF NOT EXISTS archivetool.task_runs(
  run int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, collection text COLLATE "C" NOT NULL, command text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL, begun_at timestamptz NOT NULL DEFAULT now(), UNIQUE(collection));
CREATE TABLE IF NOT EXISTS archivetool.tasks(
  task int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run int8 NOT NULL REFERENCES archivetool.task_runs ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL, inputs text COLLATE "C" NOT NULL, body bytea NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'ready', attempts int8 NOT NULL DEFAULT 0, token int8 NOT NULL DEFAULT 0,
  worker int8, lease_until timestamptz, UNIQUE(run, key));
CREATE INDEX IF NOT EXISTS tasks_to_do ON archivetool.tasks(attempts, task) WHERE state <> 'done';
CREATE TABLE IF NOT EXISTS archivetool.task_files(
  task int8 NOT NULL REFERENCES archivetool.tasks ON DELETE CASCADE, name text COLLATE "C" NOT NULL, part int8 NOT NULL,
  bytes bytea NOT NULL, PRIMARY KEY(task, name, part));
-- What is read once or twice and then gone stands in its rows as it is: compressing it, and keeping it apart in pieces of
-- 2 KB, took two thirds of what the server did for a run.
ALTER TABLE archivetool.task_files ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE archivetool.task_files SET (toast_tuple_target = 8160);
CREATE TABLE IF NOT EXISTS archivetool.workers(
  worker int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL, version text COLLATE "C" NOT NULL,
  alive_until timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS archivetool.task_refusals(
  task int8 NOT NULL REFERENCES archivetool.tasks ON DELETE CASCADE,
  worker int8 NOT NULL REFERENCES archivetool.workers ON DELETE CASCADE, reason text COLLATE "C" NOT NULL,
  PRIMARY KEY(task, worker));`;

/** Held while the tables are made: two that begin at once would both make them. */
const TABLES_LOCK = 1_095_910_230;

/** Makes the tables of the queue where they are not. */
export async function prepareQueue(client: PostgresClient): Promise<void> {
  const [[table]] = (await client.rows("SELECT to_regclass('archivetool.task_refusals')::text")) as [[string | null]];
  if (table !== null) return;
  await client.run(`BEGIN; SELECT pg_advisory_xact_lock(${TABLES_LOCK}); ${TABLES} COMMIT`);
}

/** What a result itself is called among its files. */
export const RESULT = "";
/** Bytes of a file in one row: with its number and name it fills a page of 8 KB, and nothing of it is kept apart. */
const PART_BYTES = 8_000;
/** Parts that are read and written at a time: half a megabyte. */
const PARTS_READ = 64;
/** Bytes handed to the connection at a time. */
const PIECE_BYTES = 1 << 18;

const FILE_COLUMNS: readonly StoredColumn[] = [
  { name: "name", type: "TEXT", isOriginal: true },
  { name: "part", type: "INTEGER", isOriginal: true },
  { name: "bytes", type: "BLOB", isOriginal: true },
];

/** Puts a result and its files beside a task, within the transaction of whoever asks. */
export async function stageFiles(
  client: PostgresClient,
  task: number,
  { result, files }: { readonly result: Uint8Array; readonly files: readonly ResultFile[] },
): Promise<void> {
  const sink = await client.copyIn("COPY task_files(task, name, part, bytes) FROM STDIN (FORMAT binary)");
  await pipeline(Readable.from(encodedFiles(task, result, files)), sink);
}

function* encodedFiles(task: number, result: Uint8Array, files: readonly ResultFile[]): Generator<Buffer> {
  const encoder = new RowEncoder();
  encoder.begin();
  for (let part = 0; part * PART_BYTES < result.length; part++) {
    encoder.row(task, FILE_COLUMNS, [RESULT, part, result.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)]);
    if (encoder.size >= PIECE_BYTES) yield encoder.take();
  }
  for (const { name, path } of files) {
    let part = 0;
    for (const bytes of partsOf(path)) {
      encoder.row(task, FILE_COLUMNS, [name, part, bytes]);
      part++;
      if (encoder.size >= PIECE_BYTES) yield encoder.take();
    }
  }
  encoder.end();
  yield encoder.take();
}

/** The bytes of a file; one part without any for one that is empty. */
function* partsOf(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, "r");
  try {
    const memory = Buffer.allocUnsafe(PARTS_READ * PART_BYTES);
    for (let isFirst = true; ; isFirst = false) {
      const length = readFully(descriptor, memory, null);
      if (length === 0 && isFirst) yield memory.subarray(0, 0);
      for (let at = 0; at < length; at += PART_BYTES) yield memory.subarray(at, Math.min(at + PART_BYTES, length));
      if (length < memory.length) return;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Gives the result of a task, and writes its files; of one file, where that is named, no result. */
export async function fetchFiles(
  client: PostgresClient,
  { task, name: only }: { readonly task: number; readonly name: string | null },
  pathOf: (name: string) => string,
): Promise<Uint8Array> {
  const named = only === null ? "" : ` AND name = '${only.replaceAll("'", "''")}'`;
  const stream = await client.copyOut(
    `COPY (SELECT name, part, bytes FROM task_files WHERE task = ${task}${named} ORDER BY name, part) TO STDOUT (FORMAT binary)`,
  );
  const decoder = new RowDecoder(FILE_COLUMNS);
  const result: Uint8Array[] = [];
  const writer = new PartWriter(pathOf);
  try {
    for await (const piece of stream as AsyncIterable<Buffer>)
      for (const row of decoder.rows(piece)) {
        const [name, part, bytes] = row as [string, number, Uint8Array];
        if (name === RESULT) result.push(bytes);
        else writer.write(name, part, bytes);
      }
  } finally {
    writer.close();
  }
  return Buffer.concat(result);
}

/** Writes parts of files as they come, one file after the other. */
class PartWriter {
  private readonly pathOf: (name: string) => string;
  private descriptor: number | null = null;
  private parts: Uint8Array[] = [];

  constructor(pathOf: (name: string) => string) {
    this.pathOf = pathOf;
  }

  write(name: string, part: number, bytes: Uint8Array): void {
    if (part === 0) {
      this.close();
      this.descriptor = openSync(this.pathOf(name), "w", 0o600);
    }
    this.parts.push(bytes);
    if (this.parts.length === PARTS_READ) this.flush();
  }

  close(): void {
    if (this.descriptor === null) return;
    this.flush();
    closeSync(this.descriptor);
    this.descriptor = null;
  }

  private flush(): void {
    if (this.parts.length > 0) writeFully(this.descriptor!, Buffer.concat(this.parts));
    this.parts = [];
  }
}
