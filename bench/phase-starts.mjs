// Loaded into every thread of a command that is measured: the thread of an extraction says on stderr when a phase
// begins.
import { writeSync } from "node:fs";
import { isMainThread, parentPort } from "node:worker_threads";

if (!isMainThread && parentPort !== null) {
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message, transfer) => {
    const event = message?.kind === "event" ? message.event : null;
    if (event?.kind === "phase" && event.state === "started") writeSync(2, `phase ${event.phase}\n`);
    post(message, transfer);
  };
}
