// Runs only the PST reader, as a separate process: reads every item of a store with texts and attachments. The second
// argument is the number of threads; each takes the next unit, like the workers of an extraction.
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { openPst, readPstUnit } from "../dist/sources/pst.js";

const LIMITS = { password: null, skipProtected: false };

/** @param next shared counter of started units */
function readUnits({ units, next }) {
  const seen = { items: 0, attachments: 0, bytes: 0, characters: 0 };
  for (let index = Atomics.add(next, 0, 1); index < units.length; index = Atomics.add(next, 0, 1)) {
    for (const item of readPstUnit(units[index])) {
      seen.items++;
      if (item.kind !== "object") continue;
      seen.characters += (item.message.textBody?.length ?? 0) + (item.message.htmlBody?.length ?? 0);
      for (const part of item.message.attachments) {
        seen.attachments++;
        seen.bytes += part.bytes().length;
      }
    }
  }
  return seen;
}

const ended = (worker) => new Promise((resolve, reject) => worker.once("error", reject).once("exit", resolve));

if (isMainThread) {
  const threads = Number(process.argv[3] ?? 1);
  // Started first: they load the reader while the store is opened here.
  const workers = Array.from({ length: threads - 1 }, () => new Worker(new URL(import.meta.url)));
  const others = Promise.all(workers.map(ended));
  const opened = await openPst(process.argv[2], LIMITS);
  const work = {
    units: Array.from(opened.units()),
    next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
  for (const worker of workers) worker.postMessage(work);
  console.log(JSON.stringify(readUnits(work)));
  await others;
} else {
  parentPort.once("message", (work) => console.log(JSON.stringify(readUnits(work))));
}
