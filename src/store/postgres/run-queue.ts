import { ArchiveError } from "../../errors.ts";
import { type CollectionLocation, nameOfArchive } from "../archive-location.ts";
import { assigned, every, inserted, type Question, type Statement, scalar, single, sql } from "../tables/statement.ts";
import { selection } from "../tables/table.ts";
import {
  MAX_ATTEMPTS,
  type QueuedTask,
  type ResultFile,
  type RunQueue,
  type TaskState,
  type WorkerCount,
} from "../task-queue.ts";
import { askIn, runIn } from "./asked-client.ts";
import type { PostgresClient } from "./postgres-client.ts";
import {
  fetchFiles,
  filesGone,
  hasResult,
  prepareQueue,
  REFUSALS,
  RUNS,
  stageFiles,
  TASKS,
  type TaskProgress,
  WORKERS,
} from "./queue-tables.ts";
import { ordinalList } from "./selection.ts";
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
    // Who may not use the queue is refused before it could learn that somebody is at work.
    await runIn(opened, sql`SELECT 1 FROM ${RUNS} LIMIT 0`);
    const isOurs = await askIn(
      opened,
      scalar<number>(sql`SELECT pg_try_advisory_lock(${RUNS_LOCK}, hashtext(${location.collection}))`),
    );
    if (isOurs !== 1) throw new ArchiveError("OUTPUT_BUSY", `another run is at work on ${name}`);
  });
  const number = await client.first((opened) => enterRun(opened, location.collection, run));
  return new PostgresRunQueue(client, number);
}

async function enterRun(client: PostgresClient, collection: string, { command, version }: QueuedRun): Promise<number> {
  await runIn(
    client,
    sql`DELETE FROM ${RUNS} WHERE collection = ${collection} AND (command <> ${command} OR version <> ${version})`,
  );
  const run = inserted(RUNS, { collection, command, version });
  return askIn(
    client,
    scalar<number>(sql`${run} ON CONFLICT (collection) DO UPDATE SET begun_at = now() RETURNING run`),
  );
}

const numberedTask = (task: number): Statement => sql`task = ${task}`;
const numberedTasks = (tasks: readonly number[]): Statement => sql`task = ANY(${ordinalList(tasks)}::int8[])`;

/** A task as an earlier process, or this one, has left it. */
interface KnownTask {
  readonly task: number;
  readonly inputs: string;
  readonly state: TaskProgress;
  readonly attempts: number;
}

const KNOWN = selection<KnownTask>([TASKS], ["task", "inputs", "state", "attempts"]);

class PostgresRunQueue implements RunQueue {
  private readonly client: SteadyClient;
  private readonly number: number;

  constructor(client: SteadyClient, number: number) {
    this.client = client;
    this.number = number;
  }

  add(task: QueuedTask): Promise<number> {
    return this.client.change((client) => this.enter(client, task));
  }

  put(task: QueuedTask, result: Uint8Array, files: readonly ResultFile[]): Promise<number> {
    return this.client.change(async (client) => {
      const number = await this.enter(client, task);
      await runIn(client, filesGone(numberedTask(number)));
      await stageFiles(client, number, { result, files });
      await runIn(client, sql`UPDATE ${TASKS} SET state = 'done', token = token + 1 WHERE task = ${number}`);
      return number;
    });
  }

  take(task: number): Promise<void> {
    return this.run(
      sql`UPDATE ${TASKS} SET state = 'taken', token = token + 1 WHERE task = ${task} AND state <> 'done'`,
    );
  }

  async states(tasks: readonly number[]): Promise<ReadonlyMap<number, TaskState>> {
    const state = sql`CASE WHEN state = 'done' THEN 'done'
      WHEN attempts >= ${MAX_ATTEMPTS} AND (state = 'ready' OR lease_until < now()) THEN 'spent' ELSE 'waiting' END`;
    return new Map(
      await this.ask(
        every(
          sql`SELECT task, ${state} FROM ${TASKS} WHERE ${numberedTasks(tasks)}`,
          ([task, told]) => [task, told] as [number, TaskState],
        ),
      ),
    );
  }

  async workers(): Promise<WorkerCount> {
    const alive = await this.ask(
      scalar<number>(
        sql`SELECT count(*) FROM ${WORKERS} WHERE alive_until > now()
          AND version = (SELECT version FROM ${RUNS} WHERE run = ${this.number})`,
      ),
    );
    const refused = await this.ask(
      every(
        sql`SELECT task, min(reason) FROM ${REFUSALS} JOIN ${TASKS} USING (task)
          JOIN ${WORKERS} ON workers.worker = task_refusals.worker
          WHERE run = ${this.number} AND state = 'ready' AND alive_until > now() GROUP BY task HAVING count(*) >= ${alive}`,
        ([task, reason]) => [task, reason] as [number, string],
      ),
    );
    return { alive, refused: new Map(refused) };
  }

  fetch(task: number, pathOf: (name: string) => string): Promise<Uint8Array> {
    return this.client.ask((client) => fetchFiles(client, { task, name: null }, pathOf));
  }

  dropFiles(tasks: readonly number[]): Promise<void> {
    return this.run(filesGone(numberedTasks(tasks)));
  }

  async remove(): Promise<void> {
    try {
      await this.client.ask(async (client) => {
        await runIn(client, sql`DELETE FROM ${RUNS} WHERE run = ${this.number}`);
        await runIn(client, sql`DELETE FROM ${WORKERS} WHERE alive_until < now() - interval '1 day'`);
      }, 1);
    } catch (error) {
      // The next run over the collection removes it, too.
      if (!(error instanceof ArchiveError)) throw error;
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private ask<Answer>(question: Question<Answer>): Promise<Answer> {
    return this.client.ask((client) => askIn(client, question));
  }

  private async run(statement: Statement): Promise<void> {
    await this.client.ask((client) => runIn(client, statement));
  }

  /**
   * Within a transaction. A task with other inputs is begun anew, and what came of it goes. So is one that a process
   * took for itself and then ended, and one whose result that process had fetched and dropped.
   */
  private async enter(client: PostgresClient, { key, inputs, body }: QueuedTask): Promise<number> {
    const known = await askIn(
      client,
      single(sql`SELECT ${KNOWN} FROM ${TASKS} WHERE run = ${this.number} AND key = ${key}`, KNOWN.decode),
    );
    if (known === null) {
      const entered = inserted(TASKS, { run: this.number, key, inputs, body, state: "ready" });
      return askIn(client, scalar<number>(sql`${entered} RETURNING task`));
    }
    const { task, state } = known;
    const isSame = known.inputs === inputs;
    if (isSame && state !== "taken" && (state !== "done" || (await hasResult(client, task)))) return task;
    await runIn(client, filesGone(numberedTask(task)));
    await runIn(client, sql`DELETE FROM ${REFUSALS} WHERE ${numberedTask(task)}`);
    const anew = assigned(TASKS, { inputs, body, state: "ready", attempts: isSame ? known.attempts : 0 });
    await runIn(client, sql`UPDATE ${TASKS} SET ${anew}, token = token + 1 WHERE ${numberedTask(task)}`);
    return task;
  }
}
