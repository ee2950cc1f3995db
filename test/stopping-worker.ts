import { parentPort } from "node:worker_threads";
import { createTaskExecutor } from "../src/extraction/run/task-executor.ts";
import { readSegment } from "../src/extraction/staging/staged-record.ts";
import { actionAt } from "../src/extraction/staging/staged-segment.ts";
import type { ParseTask, PrepareTask, Task } from "../src/extraction/staging/task.ts";
import { readUnit } from "../src/sources/work-units.ts";

/** A worker with faulty parsers: words of a mail trigger the faults. It processes all other mail like the real one. */
const FAULTS: Readonly<Record<string, () => void>> = {
  "exit-reader": () => process.exit(7),
  "spin-reader": () => {
    for (;;);
  },
  "fill-reader": () => {
    // V8 ends a thread for small objects, and the process for a large one.
    for (let list: object | null = null; ; list = { list });
  },
  "fill-in-pieces": () => {
    for (const pieces: number[][] = []; ; ) pieces.push(new Array<number>(8 << 20).fill(pieces.length));
  },
  "throw-reader": () => {
    throw new RangeError("invented fault");
  },
};

const perform = createTaskExecutor();

parentPort?.on("message", async (task: Task) => {
  try {
    if (task.kind === "parse" && task.lost === null) await parseFaults(task);
    if (task.kind === "prepare") prepareFaults(task);
    parentPort?.postMessage({ result: await perform(task) });
  } catch (error) {
    parentPort?.postMessage({ fault: { message: (error as Error).message, code: null, stack: "" } });
  }
});

async function parseFaults({ unit }: ParseTask): Promise<void> {
  for (const item of await readUnit(unit)) {
    if (item.kind !== "rfc5322") continue;
    for (const [word, fault] of Object.entries(FAULTS)) if (item.bytes.includes(word)) fault();
  }
}

function prepareFaults({ segments, range, unread }: PrepareTask): void {
  let number = 0;
  for (const { path, actions } of segments) {
    let index = 0;
    for (const { body } of readSegment(path)) {
      if (actionAt(actions, index).kind !== "left_out") {
        const isRead = (range === null || (number >= range.from && number < range.to)) && !unread.includes(number);
        if (isRead && body.includes("exit-analysis")) process.exit(7);
        number++;
      }
      index++;
    }
  }
}
