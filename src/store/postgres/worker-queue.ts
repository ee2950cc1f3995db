import { ArchiveError } from "../../errors.ts";
import { assigned, inserted, type Question, type Statement, scalar, single, some, sql } from "../tables/statement.ts";
import { selection } from "../tables/table.ts";
import { type ClaimedTask, MAX_ATTEMPTS, type ResultFile, type WorkerPulse, type WorkerQueue } from "../task-queue.ts";
import { askIn, runIn } from "./asked-client.ts";
import { fetchFiles, prepareQueue, REFUSALS, RUNS, stageFiles, TASKS, WORKERS } from "./queue-tables.ts";
import { SteadyClient } from "./steady-client.ts";

/** Where a worker looks for tasks, and as whom. */
export interface WorkerSetting {
  readonly server: string;
  /** What messages call the server. */
  readonly name: string;
  /** Of the tool: tasks of other versions are left alone. */
  readonly version: string;
  /** Seconds after which a task that its worker does not speak of is given to another. */
  readonly leaseSeconds: number;
  readonly signal: AbortSignal;
}

/** Enters a worker, which beats from then on. */
export async function openWorkerPulse(setting: WorkerSetting, host: string): Promise<WorkerPulse> {
  const client = new SteadyClient(setting, prepareQueue);
  const leaseEnd = inSeconds(setting.leaseSeconds);
  const entered = sql`INSERT INTO ${WORKERS}(name, version, alive_until) VALUES (${host}, ${setting.version}, ${leaseEnd})`;
  const worker = await client.first((opened) => askIn(opened, scalar<number>(sql`${entered} RETURNING worker`)));
  return {
    worker,
    beat: (claimed) =>
      client.ask(async (opened) => {
        await runIn(opened, sql`UPDATE ${WORKERS} SET alive_until = ${leaseEnd} WHERE worker = ${worker}`);
        for (const one of claimed)
          await runIn(opened, sql`UPDATE ${TASKS} SET lease_until = ${leaseEnd} WHERE ${isHeld(one)}`);
      }),
    async close() {
      await client
        .ask((opened) => runIn(opened, sql`DELETE FROM ${WORKERS} WHERE worker = ${worker}`))
        .catch((error: unknown) => {
          if (!(error instanceof ArchiveError)) throw error;
        });
      await client.close();
    },
  };
}

function inSeconds(seconds: number): Statement {
  return sql`now() + make_interval(secs => ${seconds}::float8)`;
}

/** The attempt at a task that somebody was given, as long as it is theirs. */
function isHeld({ task, token }: Pick<ClaimedTask, "task" | "token">): Statement {
  return sql`task = ${task} AND token = ${token} AND state = 'leased'`;
}

const CLAIMED = selection<ClaimedTask>([TASKS], ["task", "token", "body"]);

/** Opens the queue for one that does one task at a time. */
export function openWorkerQueue(setting: WorkerSetting, worker: number): WorkerQueue {
  return new PostgresWorkerQueue(setting, worker);
}

class PostgresWorkerQueue implements WorkerQueue {
  private readonly client: SteadyClient;
  private readonly setting: WorkerSetting;
  private readonly worker: number;

  constructor(setting: WorkerSetting, worker: number) {
    this.client = new SteadyClient(setting, prepareQueue);
    this.setting = setting;
    this.worker = worker;
  }

  claim(): Promise<ClaimedTask | null> {
    return this.client.ask(async (client) => {
      // Asked twice, it claims two: the first is left to its lease. What nobody has begun goes first: a task that ends
      // whatever does it then ends few, and one that was unlucky is not the next to be unlucky with.
      const next = sql`SELECT task FROM ${TASKS} AS next JOIN ${RUNS} USING (run)
        WHERE version = ${this.setting.version} AND attempts < ${MAX_ATTEMPTS}
          AND (state = 'ready' OR (state = 'leased' AND lease_until < now()))
          AND NOT EXISTS (SELECT 1 FROM ${REFUSALS} WHERE task_refusals.task = next.task AND task_refusals.worker = ${this.worker})
        ORDER BY attempts, task LIMIT 1 FOR UPDATE OF next SKIP LOCKED`;
      const claim = sql`UPDATE ${TASKS} SET ${assigned(TASKS, { state: "leased", worker: this.worker })},
        attempts = attempts + 1, token = token + 1, lease_until = ${inSeconds(this.setting.leaseSeconds)}
        WHERE task = (${next}) RETURNING ${CLAIMED}`;
      return askIn(client, single(claim, CLAIMED.decode));
    });
  }

  complete({ task, token }: ClaimedTask, result: Uint8Array, files: readonly ResultFile[]): Promise<boolean> {
    return this.client.change(async (client) => {
      const state = await askIn(
        client,
        single(sql`SELECT state FROM ${TASKS} WHERE task = ${task} AND token = ${token} FOR UPDATE`, ([told]) => told),
      );
      // Of another by now, or removed with its run; or done by this very one, whose answer was lost on its way.
      if (state !== "leased") return state === "done";
      await stageFiles(client, task, { result, files });
      await runIn(client, sql`UPDATE ${TASKS} SET state = 'done' WHERE task = ${task}`);
      return true;
    });
  }

  refuse(claimed: ClaimedTask, reason: string): Promise<void> {
    return this.client.change(async (client) => {
      if (!(await askIn(client, givenBack(claimed)))) return;
      const refusal = inserted(REFUSALS, { task: claimed.task, worker: this.worker, reason });
      await runIn(client, sql`${refusal} ON CONFLICT DO NOTHING`);
    });
  }

  async release(claimed: ClaimedTask): Promise<void> {
    await this.client.ask((client) => askIn(client, givenBack(claimed)));
  }

  async fetchFile(task: number, name: string, path: string): Promise<void> {
    await this.client.ask((client) => fetchFiles(client, { task, name }, () => path));
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** The attempt does not count; false when the task is another's by now. */
function givenBack(claimed: ClaimedTask): Question<boolean> {
  return some(
    sql`UPDATE ${TASKS} SET state = 'ready', attempts = attempts - 1 WHERE ${isHeld(claimed)} RETURNING task`,
  );
}
