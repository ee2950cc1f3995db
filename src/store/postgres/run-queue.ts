import { ArchiveError } from "../../errors.ts";
import { type CollectionLocation, nameOfArchive } from "../archive-location.ts";
import {
  MAX_ATTEMPTS,
  type QueuedTask,
  type ResultFile,
  type RunQueue,
  type TaskState,
  type WorkerCount,
} from "../task-queue.ts";
import type { PostgresClient } from "./postgres-client.ts";
import { fetchFiles, prepareQueue, stageFiles } from "./queue-tables.ts";
import { SteadyClient } from "./steady-client.ts";

/** Tells the locks of runs from those of other programs. */
const RUNS_LOCK = 1_095_910_231;

/** Of what a run is, whatever process it is in. */
export interface QueuedRun {
  /** What was asked for: a run of the same goes on with what is there. */
  readonly command: string;
  /** Of the tool: a worker of another one gives other results. */
  readonly version: string;
  readonly signal: AbortSignal;
}

/**
 * Opens the queue of a run over a collection, or goes on with that of the same command whose process has ended.
 * Throws OUTPUT_BUSY while another run over the collection is at work; STORE_UNREACHABLE, DRIVER_MISSING.
 */
export async function openRunQueue(location: CollectionLocation, run: QueuedRun): Promise<RunQueue> {
  const name = nameOfArchive(location);
  const client = new SteadyClient({ server: location.server, name, signal: run.signal }, async (opened) => {
    await prepareQueue(opened);
    const [[isOurs]] = (await opened.rows("SELECT pg_try_advisory_lock($1, hashtext($2))", [
      RUNS_LOCK,
      location.collection,
    ])) as [[number]];
    if (isOurs !== 1) throw new ArchiveError("OUTPUT_BUSY", `another run is at work on ${name}`);
  });
  const number = await client.change((opened) => enterRun(opened, location.collection, run));
  return new PostgresRunQueue(client, number);
}

async function enterRun(client: PostgresClient, collection: string, { command, version }: QueuedRun): Promise<number> {
  await client.rows("DELETE FROM task_runs WHERE collection = $1 AND (command <> $2 OR version <> $3)", [
    collection,
    command,
    version,
  ]);
  const [[run]] = (await client.rows(
    `INSERT INTO task_runs(collection, command, version) VALUES ($1, $2, $3)
     ON CONFLICT (collection) DO UPDATE SET begun_at = now() RETURNING run`,
    [collection, command, version],
  )) as [[number]];
  return run;
}

/** A list of numbers as one parameter. */
function list(numbers: readonly number[]): string {
  return `{${numbers.join(",")}}`;
}

class PostgresRunQueue implements RunQueue {
  private readonly client: SteadyClient;
  private readonly run: number;

  constructor(client: SteadyClient, run: number) {
    this.client = client;
    this.run = run;
  }

  add(task: QueuedTask): Promise<number> {
    return this.client.change((client) => this.enter(client, task));
  }

  put(task: QueuedTask, result: Uint8Array, files: readonly ResultFile[]): Promise<number> {
    return this.client.change(async (client) => {
      const number = await this.enter(client, task);
      await client.rows("DELETE FROM task_files WHERE task = $1", [number]);
      await stageFiles(client, number, { result, files });
      await client.rows("UPDATE tasks SET state = 'done', token = token + 1 WHERE task = $1", [number]);
      return number;
    });
  }

  take(task: number): Promise<void> {
    return this.client.ask(async (client) => {
      await client.rows("UPDATE tasks SET state = 'taken', token = token + 1 WHERE task = $1 AND state <> 'done'", [
        task,
      ]);
    });
  }

  states(tasks: readonly number[]): Promise<ReadonlyMap<number, TaskState>> {
    return this.client.ask(async (client) => {
      const rows = await client.rows(
        `SELECT task, CASE WHEN state = 'done' THEN 'done'
           WHEN attempts >= ${MAX_ATTEMPTS} AND (state = 'ready' OR lease_until < now()) THEN 'spent' ELSE 'waiting' END
         FROM tasks WHERE task = ANY($1::int8[])`,
        [list(tasks)],
      );
      return new Map(rows as [number, TaskState][]);
    });
  }

  workers(): Promise<WorkerCount> {
    return this.client.ask(async (client) => {
      const [[alive]] = (await client.rows(
        "SELECT count(*) FROM workers WHERE alive_until > now() AND version = (SELECT version FROM task_runs WHERE run = $1)",
        [this.run],
      )) as [[number]];
      const refused = await client.rows(
        `SELECT task, min(reason) FROM task_refusals JOIN tasks USING (task) JOIN workers ON workers.worker = task_refusals.worker
         WHERE run = $1 AND state = 'ready' AND alive_until > now() GROUP BY task HAVING count(*) >= $2`,
        [this.run, alive],
      );
      return { alive, refused: new Map(refused as [number, string][]) };
    });
  }

  fetch(task: number, pathOf: (name: string) => string): Promise<Uint8Array> {
    return this.client.ask((client) => fetchFiles(client, { task, name: null }, pathOf));
  }

  dropFiles(tasks: readonly number[]): Promise<void> {
    return this.client.ask(async (client) => {
      await client.rows("DELETE FROM task_files WHERE task = ANY($1::int8[])", [list(tasks)]);
    });
  }

  async remove(): Promise<void> {
    try {
      await this.client.ask(async (client) => {
        await client.rows("DELETE FROM task_runs WHERE run = $1", [this.run]);
        await client.rows("DELETE FROM workers WHERE alive_until < now() - interval '1 day'");
      }, 1);
    } catch (error) {
      // The next run over the collection removes it, too.
      if (!(error instanceof ArchiveError)) throw error;
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Within a transaction. A task with other inputs is begun anew, and what came of it goes. */
  private async enter(client: PostgresClient, { key, inputs, body }: QueuedTask): Promise<number> {
    const [known] = await client.rows("SELECT task, inputs FROM tasks WHERE run = $1 AND key = $2", [this.run, key]);
    if (known === undefined) {
      const [[task]] = (await client.rows(
        "INSERT INTO tasks(run, key, inputs, body) VALUES ($1, $2, $3, $4) RETURNING task",
        [this.run, key, inputs, body],
      )) as [[number]];
      return task;
    }
    const [task, before] = known as [number, string];
    if (before === inputs) return task;
    await client.rows("DELETE FROM task_files WHERE task = $1", [task]);
    await client.rows("DELETE FROM task_refusals WHERE task = $1", [task]);
    await client.rows(
      "UPDATE tasks SET inputs = $2, body = $3, state = 'ready', attempts = 0, token = token + 1 WHERE task = $1",
      [task, inputs, body],
    );
    return task;
  }
}
