import { parentPort } from "node:worker_threads";
import { systemErrorCode } from "../../errors.ts";
import type { Task } from "../staging/task.ts";
import type { WorkerReply } from "../workers/worker-slot.ts";
import { createTaskExecutor } from "./task-executor.ts";

const perform = createTaskExecutor();

/** Entry of a worker thread: one task in, one reply out. Mail stays in the thread and its segments. */
parentPort?.on("message", async (task: Task) => {
  parentPort?.postMessage(await replyTo(task));
});

async function replyTo(task: Task): Promise<WorkerReply> {
  try {
    return { result: await perform(task) };
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    return { fault: { message: fault.message, code: systemErrorCode(fault), stack: fault.stack ?? "" } };
  }
}
