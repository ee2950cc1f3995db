// Loaded into every thread of a measured command: the extraction thread prints the start of each phase to stderr.
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
