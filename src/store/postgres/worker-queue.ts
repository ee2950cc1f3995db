import { ArchiveError } from "../../errors.ts";
import { type ClaimedTask, MAX_ATTEMPTS, type ResultFile, type WorkerPulse, type WorkerQueue } from "../task-queue.ts";
import { fetchFiles, prepareQueue, stageFiles } from "./queue-tables.ts";
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
  const { leaseSeconds, version } = setting;
  const [[worker]] = (await client.ask((opened) =>
    opened.rows(
      "INSERT INTO workers(name, version, alive_until) VALUES ($1, $2, now() + make_interval(secs => $3::float8)) RETURNING worker",
      [host, version, leaseSeconds],
    ),
  )) as [[number]];
  return {
    worker,
    beat: (claimed) =>
      client.ask(async (opened) => {
        await opened.rows(
          "UPDATE workers SET alive_until = now() + make_interval(secs => $2::float8) WHERE worker = $1",
          [worker, leaseSeconds],
        );
        for (const { task, token } of claimed)
          await opened.rows(
            `UPDATE tasks SET lease_until = now() + make_interval(secs => $3::float8)
             WHERE task = $1 AND token = $2 AND state = 'leased'`,
            [task, token, leaseSeconds],
          );
      }),
    async close() {
      await client
        .ask((opened) => opened.rows("DELETE FROM workers WHERE worker = $1", [worker]))
        .catch((error: unknown) => {
          if (!(error instanceof ArchiveError)) throw error;
        });
      await client.close();
    },
  };
}

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
      const [row] = await client.rows(
        `UPDATE tasks SET state = 'leased', attempts = attempts + 1, token = token + 1, worker = $1,
           lease_until = now() + make_interval(secs => $2::float8)
         WHERE task = (
           SELECT task FROM tasks AS next JOIN task_runs USING (run)
           WHERE version = $3 AND attempts < ${MAX_ATTEMPTS} AND (state = 'ready' OR (state = 'leased' AND lease_until < now()))
             AND NOT EXISTS (SELECT 1 FROM task_refusals WHERE task_refusals.task = next.task AND task_refusals.worker = $1)
           ORDER BY attempts, task LIMIT 1 FOR UPDATE OF next SKIP LOCKED)
         RETURNING task, token, body`,
        [this.worker, this.setting.leaseSeconds, this.setting.version],
      );
      if (row === undefined) return null;
      const [task, token, body] = row as [number, number, Uint8Array];
      return { task, token, body };
    });
  }

  complete({ task, token }: ClaimedTask, result: Uint8Array, files: readonly ResultFile[]): Promise<boolean> {
    return this.client.change(async (client) => {
      const [row] = await client.rows("SELECT state FROM tasks WHERE task = $1 AND token = $2 FOR UPDATE", [
        task,
        token,
      ]);
      // Of another by now, or removed with its run; or done by this very one, whose answer was lost on its way.
      if (row === undefined || row[0] !== "leased") return row?.[0] === "done";
      await stageFiles(client, task, { result, files });
      await client.rows("UPDATE tasks SET state = 'done' WHERE task = $1", [task]);
      return true;
    });
  }

  refuse({ task, token }: ClaimedTask, reason: string): Promise<void> {
    return this.client.change(async (client) => {
      const back = await this.giveBack(client, task, token);
      if (back)
        await client.rows(
          "INSERT INTO task_refusals(task, worker, reason) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
          [task, this.worker, reason],
        );
    });
  }

  release({ task, token }: ClaimedTask): Promise<void> {
    return this.client.ask(async (client) => {
      await this.giveBack(client, task, token);
    });
  }

  async fetchFile(task: number, name: string, path: string): Promise<void> {
    await this.client.ask((client) => fetchFiles(client, { task, name }, () => path));
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** The attempt does not count; false when the task is another's by now. */
  private async giveBack(
    client: { rows(sql: string, values: readonly number[]): Promise<unknown[]> },
    task: number,
    token: number,
  ): Promise<boolean> {
    const given = await client.rows(
      "UPDATE tasks SET state = 'ready', attempts = attempts - 1 WHERE task = $1 AND token = $2 AND state = 'leased' RETURNING task",
      [task, token],
    );
    return given.length > 0;
  }
}
