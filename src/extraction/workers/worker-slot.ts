import type { Worker } from "node:worker_threads";
import { systemErrorCode } from "../../errors.ts";
import type { Task } from "../staging/task.ts";
import { taskBytes } from "./worker-limits.ts";
import { type StopReason, WorkerStop } from "./worker-stop.ts";
import type { Watched } from "./worker-watch.ts";

/** Reply of a worker. Contains no structures of many small objects, which are expensive to clone. */
export type WorkerReply =
  | { readonly result: unknown }
  | { readonly fault: { readonly message: string; readonly code: string | null; readonly stack: string } };

/** Node's error code for a thread with a full heap. */
const HEAP_FULL = "ERR_WORKER_OUT_OF_MEMORY";

/** A thread that runs one task at a time. */
export class WorkerSlot implements Watched {
  private task: Task | null = null;
  private settle: { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void } | null =
    null;
  private stopReason: StopReason = "crash";
  /** False once the thread ends and accepts no task. */
  isOpen = true;

  constructor(private readonly worker: Worker) {
    worker.unref();
    worker.on("message", (reply: WorkerReply) => {
      if ("result" in reply) this.take()?.resolve(reply.result);
      else this.take()?.reject(faultOf(reply.fault));
    });
    worker.on("error", (error) => {
      if (systemErrorCode(error) === HEAP_FULL) this.end("memory", "");
      else this.end(this.stopReason, error.message);
    });
    worker.on("exit", (code) => this.end(this.stopReason, this.stopReason === "crash" ? `exit code ${code}` : ""));
  }

  /** Rejects with WorkerStop if the task's input ends the thread, or makes it throw. */
  perform(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.task = task;
      this.settle = { resolve, reject };
      // While a task runs, the worker keeps the process alive; an idle one does not.
      this.worker.ref();
      this.worker.postMessage(task);
    }).finally(() => this.worker.unref());
  }

  taskBytes(): number {
    return this.task === null ? 0 : taskBytes(this.task);
  }

  activeMs(): number {
    return this.worker.performance.eventLoopUtilization().active;
  }

  stop(reason: StopReason): void {
    if (!this.isOpen) return;
    this.stopReason = reason;
    void this.close();
  }

  async close(): Promise<void> {
    this.isOpen = false;
    await this.worker.terminate();
  }

  private end(reason: StopReason, detail: string): void {
    this.isOpen = false;
    this.take()?.reject(new WorkerStop(reason, detail));
  }

  private take(): WorkerSlot["settle"] {
    const { settle } = this;
    this.settle = null;
    this.task = null;
    return settle;
  }
}

/** Errors of the system or the run are passed on; any other is caused by the input. */
function faultOf({ message, code, stack }: Extract<WorkerReply, { fault: unknown }>["fault"]): Error {
  const error: Error & { code?: string } =
    code === null || code.startsWith("ERR_")
      ? new WorkerStop("fault", message)
      : Object.assign(new Error(message), { code });
  error.stack = stack;
  return error;
}
