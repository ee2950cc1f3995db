// The PST reader alone, as a process of its own: every item of a store, its texts decoded and the bytes of its attachments read.
// The second argument is the number of threads; the units of a store are dealt out among them.
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { pst } from "../dist/sources/pst.js";

const LIMITS = { password: null, skipProtected: false };

function readUnits(units) {
  const seen = { items: 0, attachments: 0, bytes: 0, characters: 0 };
  for (const unit of units) {
    for (const item of pst.read(unit)) {
      seen.items += 1;
      if (item.kind !== "mapi") continue;
      seen.characters += (item.message.textBody?.length ?? 0) + (item.message.htmlBody?.length ?? 0);
      for (const part of item.message.attachments) {
        seen.attachments += 1;
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
  const opened = await pst.open(process.argv[2], LIMITS);
  const units = Array.from(opened.units());
  const shares = Array.from({ length: threads }, (_, thread) => units.filter((_unit, index) => index % threads === thread));
  for (const [index, worker] of workers.entries()) worker.postMessage(shares[index + 1]);
  console.log(JSON.stringify(readUnits(shares[0])));
  await others;
} else {
  parentPort.once("message", (units) => console.log(JSON.stringify(readUnits(units))));
}
