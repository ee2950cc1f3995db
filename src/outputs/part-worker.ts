import { parentPort, workerData } from "node:worker_threads";
import { systemErrorCode } from "../errors.ts";
import { openArchive } from "../store/archive/open-archive.ts";
import { archiveIn } from "../store/contract/archive-location.ts";
import { WRITTEN_MEMORY } from "../store/contract/reading-memory.ts";
import type { PartReply, PartsOrder } from "./part-threads.ts";
import { VaultPartWriter } from "./wiki/vault-part.ts";

/** Entry of a thread that renders parts of the messages of an archive, until none is left. */
const { directory, ranges, vault, next } = workerData as PartsOrder;

function reply(message: PartReply): void {
  parentPort!.postMessage(message);
}

async function renderParts(): Promise<void> {
  const archive = await openArchive(archiveIn(directory), WRITTEN_MEMORY);
  for (let index = takeNext(); index < ranges.length; index = takeNext()) {
    const writer = new VaultPartWriter(vault, index, () => false);
    for await (const messages of archive.messages.scan(ranges[index])) writer.showMessages(messages);
    reply({ index, messages: writer.length, part: writer.finish() });
  }
  await archive.close();
}

function takeNext(): number {
  return Atomics.add(next, 0, 1);
}

try {
  await renderParts();
} catch (error) {
  const fault = error instanceof Error ? error : new Error(String(error));
  reply({ fault: { message: fault.message, code: systemErrorCode(fault), stack: fault.stack ?? "" } });
}
