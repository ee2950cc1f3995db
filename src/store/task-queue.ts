/** What a database keeps of the tasks of runs, and of those who do them; what a task is only the extraction knows. */

/** How often a task is begun before nobody is given it any more: it ends whatever does it. */
export const MAX_ATTEMPTS = 5;

/** A task as it is handed to workers. */
export interface QueuedTask {
  /** Names the task among those of its run. */
  readonly key: string;
  /** What it is done with: the same task with other inputs is done again. */
  readonly inputs: string;
  readonly body: Uint8Array;
}

/** A file of a result, on the machine of whoever puts it into the queue. */
export interface ResultFile {
  readonly name: string;
  readonly path: string;
}

/** What came of a task; `spent` when everybody who did it has ended in the middle. */
export type TaskState = "waiting" | "done" | "spent";

/** Whoever works for runs, now. */
export interface WorkerCount {
  readonly alive: number;
  /** Tasks that each of them has refused, with what one of them said. */
  readonly refused: ReadonlyMap<number, string>;
}

/** The tasks of one run, for whoever hands them out. */
export interface RunQueue {
  /** Adds a task, or finds it as an earlier process of the run has added it. Gives its number. */
  add(task: QueuedTask): Promise<number>;
  /** Adds a task with its result. */
  put(task: QueuedTask, result: Uint8Array, files: readonly ResultFile[]): Promise<number>;
  /** Takes a task away from whoever does it: what they give comes too late. */
  take(task: number): Promise<void>;
  states(tasks: readonly number[]): Promise<ReadonlyMap<number, TaskState>>;
  workers(): Promise<WorkerCount>;
  /** The result of a task; its files are written to where `pathOf` says. */
  fetch(task: number, pathOf: (name: string) => string): Promise<Uint8Array>;
  /** Removes the files of tasks that are needed no more. */
  dropFiles(tasks: readonly number[]): Promise<void>;
  /** Removes the run. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

/** A task that a worker has been given, and by which number of times: its result is taken by that only. */
export interface ClaimedTask {
  readonly task: number;
  readonly token: number;
  readonly body: Uint8Array;
}

/** The tasks of all runs, for one that does them one after the other. */
export interface WorkerQueue {
  /** The next task that nobody does; null when there is none. */
  claim(): Promise<ClaimedTask | null>;
  /** Gives a result; false when it comes too late, as the task was given to another meanwhile. */
  complete(claimed: ClaimedTask, result: Uint8Array, files: readonly ResultFile[]): Promise<boolean>;
  /** Leaves a task to others, for what this worker has not. */
  refuse(claimed: ClaimedTask, reason: string): Promise<void>;
  /** Gives a task back as it was. */
  release(claimed: ClaimedTask): Promise<void>;
  /** Writes a file of another task. */
  fetchFile(task: number, name: string, path: string): Promise<void>;
  close(): Promise<void>;
}

/** Says that a worker is there, and keeps what it does its own. */
export interface WorkerPulse {
  /** Names the worker in the queue. */
  readonly worker: number;
  beat(claimed: Iterable<ClaimedTask>): Promise<void>;
  close(): Promise<void>;
}
