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
    if (original.state !== "available") return tell({ call, original });
    // Of a view all the memory that it lies in would be copied: a window of the file for a message of it.
    const bytes = new Uint8Array(original.bytes);
    tell({ call, original: { ...original, bytes: Buffer.from(bytes.buffer) } }, [bytes.buffer]);
  } catch (error) {
    tell({ call, fault: error instanceof Error ? error.message : String(error) });
  }
}

/** @param given memory that is handed over, not copied */
function tell(reply: OriginalReply, given: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, given);
}
