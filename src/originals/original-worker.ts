import { parentPort, workerData } from "node:worker_threads";
import { FileTextReader } from "../file-text/file-text-reader.ts";
import { OriginalReader, type OriginalSearch } from "../sources/read-original.ts";
import type { OriginalCall, OriginalReply } from "./original-thread.ts";
import { partOf } from "./part-of-original.ts";

/** Entry of the thread that reads originals: one message in, one out, in order. */
const reader = new OriginalReader(workerData as OriginalSearch);
const files = new FileTextReader();
let last = Promise.resolve();

parentPort?.on("message", (message: OriginalCall) => {
  last = last.then(() => answer(message));
});

async function answer({ call, place, part }: OriginalCall): Promise<void> {
  try {
    const message = await reader.read(place);
    const original = message.state === "available" ? await partOf(message, part, files) : message;
    const reply: OriginalReply = { call, original };
    parentPort?.postMessage(reply);
  } catch (error) {
    parentPort?.postMessage({
      call,
      fault: error instanceof Error ? error.message : String(error),
    } satisfies OriginalReply);
  }
}
