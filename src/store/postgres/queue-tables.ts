import { closeSync, openSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readFully, writeFully } from "../../files/whole-bytes.ts";
import { blob, choice, counted, counter, integer, optional, unique, word } from "../tables/column.ts";
import { type Statement, scalar, sql } from "../tables/statement.ts";
import { table } from "../tables/table.ts";
import type { ResultFile } from "../task-queue.ts";
import { askIn } from "./asked-client.ts";
import { RowDecoder, RowEncoder } from "./binary-rows.ts";
import { ownTableSql } from "./own-tables.ts";
import type { PostgresClient } from "./postgres-client.ts";

/*
 * Tasks of runs, the files of their results, who works, and who has refused what. What is done once is led by the number
 * of its run or task, and stays until the run is removed. Columns of times are read and compared by the server alone.
 */

const OF_TASK = "FOREIGN KEY(task) REFERENCES archivetool.tasks ON DELETE CASCADE";

export const RUNS = table(
  "task_runs",
  { run: counted("run"), collection: unique(word("collection")), command: word("command"), version: word("version") },
  { keys: "begun_at timestamptz NOT NULL DEFAULT now()", options: "" },
);

/** How far a task is; `taken` by the run itself. */
export type TaskProgress = "ready" | "leased" | "taken" | "done";

/** `token` tells the attempts of a task apart. */
export const TASKS = table(
  "tasks",
  {
    task: counted("task"),
    run: integer("run"),
    key: word("key"),
    inputs: word("inputs"),
    body: blob("body"),
    state: choice<TaskProgress>("state"),
    attempts: counter("attempts"),
    token: counter("token"),
    worker: optional(integer("worker")),
  },
  {
    keys: `lease_until timestamptz, UNIQUE(run, key),
      FOREIGN KEY(run) REFERENCES archivetool.task_runs ON DELETE CASCADE`,
    options: "",
  },
);

const TASK_FILES = table(
  "task_files",
  { task: integer("task"), name: word("name"), part: integer("part"), bytes: blob("bytes") },
  { keys: `PRIMARY KEY(task, name, part), ${OF_TASK}`, options: "" },
);

export const WORKERS = table(
  "workers",
  { worker: counted("worker"), name: word("name"), version: word("version") },
  { keys: "alive_until timestamptz NOT NULL", options: "" },
);

export const REFUSALS = table(
  "task_refusals",
  { task: integer("task"), worker: integer("worker"), reason: word("reason") },
  {
    keys: `PRIMARY KEY(task, worker), ${OF_TASK},
      FOREIGN KEY(worker) REFERENCES archivetool.workers ON DELETE CASCADE`,
    options: "",
  },
);

const TABLES = `
CREATE SCHEMA IF NOT EXISTS archivetool;
${[RUNS, TASKS, TASK_FILES, WORKERS, REFUSALS].map(ownTableSql).join("\n")}
CREATE INDEX IF NOT EXISTS tasks_to_do ON archivetool.tasks(attempts, task) WHERE state <> 'done';
-- What is read once or twice and then gone stands in its rows as it is: compressing it, and keeping it apart in pieces of
-- 2 KB, took two thirds of what the server did for a run.
ALTER TABLE archivetool.task_files ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE archivetool.task_files SET (toast_tuple_target = 8160);`;

/** Held while the tables are made: two that begin at once would both make them. */
const TABLES_LOCK = 1_095_910_230;

/** Makes the tables of the queue where they are not. */
export async function prepareQueue(client: PostgresClient): Promise<void> {
  const made = await askIn(client, scalar<string | null>(sql`SELECT to_regclass('archivetool.task_refusals')::text`));
  if (made !== null) return;
  await client.run(`BEGIN; SELECT pg_advisory_xact_lock(${TABLES_LOCK}); ${TABLES} COMMIT`);
}

/** Takes what came of tasks away. */
export const filesGone = (condition: Statement): Statement => sql`DELETE FROM ${TASK_FILES} WHERE ${condition}`;

/** What a result itself is called among its files. */
export const RESULT = "";

/** False where a task has none yet, or it was dropped with its files. */
export async function hasResult(client: PostgresClient, task: number): Promise<boolean> {
  const first = sql`SELECT 1 FROM ${TASK_FILES} WHERE task = ${task} AND name = ${RESULT}`;
  return (await askIn(client, scalar<number>(sql`SELECT count(*) FROM (${first} LIMIT 1) AS parts`))) > 0;
}

/** Bytes of a file in one row: with its number and name it fills a page of 8 KB, and nothing of it is kept apart. */
const PART_BYTES = 8_000;
/** Parts that are read and written at a time: half a megabyte. */
const PARTS_READ = 64;
/** Bytes handed to the connection at a time. */
const PIECE_BYTES = 1 << 18;

/** Columns of a part, behind the number of its task. */
const [, ...PART] = TASK_FILES.places;
const namesOf = (columns: readonly { readonly name: string }[]): string => columns.map(({ name }) => name).join(", ");

/** Puts a result and its files beside a task, within the transaction of whoever asks. */
export async function stageFiles(
  client: PostgresClient,
  task: number,
  { result, files }: { readonly result: Uint8Array; readonly files: readonly ResultFile[] },
): Promise<void> {
  const sink = await client.copyIn(`COPY ${TASK_FILES.name}(${namesOf(TASK_FILES.places)}) FROM STDIN (FORMAT binary)`);
  await pipeline(Readable.from(encodedFiles(task, result, files)), sink);
}

function* encodedFiles(task: number, result: Uint8Array, files: readonly ResultFile[]): Generator<Buffer> {
  const encoder = new RowEncoder();
  encoder.begin();
  for (let part = 0; part * PART_BYTES < result.length; part++) {
    encoder.row(task, PART, [RESULT, part, result.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)]);
    if (encoder.size >= PIECE_BYTES) yield encoder.take();
  }
  for (const { name, path } of files) {
    let part = 0;
    for (const bytes of partsOf(path)) {
      encoder.row(task, PART, [name, part, bytes]);
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
    `COPY (SELECT ${namesOf(PART)} FROM ${TASK_FILES.name} WHERE task = ${task}${named} ORDER BY name, part) TO STDOUT (FORMAT binary)`,
  );
  const decoder = new RowDecoder(PART);
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
