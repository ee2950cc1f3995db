import { parentPort, workerData } from "node:worker_threads";
import { FileTextReader } from "../file-text/file-text-reader.ts";
import { type Original, OriginalReader, type OriginalSearch } from "../sources/read-original.ts";
import type { OriginalCall, OriginalReply } from "./original-thread.ts";
import { partOf, partOfItem } from "./part-of-original.ts";

/** Entry of the thread that reads originals: one message in, one out, in order. */
const reader = new OriginalReader(workerData as OriginalSearch);
const files = new FileTextReader();
let last = Promise.resolve();

parentPort?.on("message", (message: OriginalCall) => {
  last = last.then(() => answer(message));
});

async function answer(asked: OriginalCall): Promise<void> {
  const { call } = asked;
  try {
    const original = await partAskedFor(asked);
    if (original.state !== "available") return respond({ call, original });
    // Transferring a view would copy its whole buffer: a file window for one message.
    const bytes = new Uint8Array(original.bytes);
    respond({ call, original: { ...original, bytes: Buffer.from(bytes.buffer) } }, [bytes.buffer]);
  } catch (error) {
    respond({ call, fault: error instanceof Error ? error.message : String(error) });
  }
}

async function partAskedFor(asked: OriginalCall): Promise<Original> {
  if (asked.of === "item") return reader.readItem(asked.place, (attachments) => partOfItem(attachments, asked.part));
  const message = await reader.read(asked.place);
  return message.state === "available" ? partOf(message, asked.part, { charset: asked.place.charset, files }) : message;
}

/** @param given memory that is transferred, not copied */
function respond(reply: OriginalReply, given: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, given);
}
