// Loaded into every thread of a command under test: where the phase FULL_MEMORY begins, the thread of the command fills
// its heap.
import { isMainThread, parentPort } from "node:worker_threads";

if (!isMainThread && parentPort !== null) {
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message, transfer) => {
    post(message, transfer);
    const event = message?.kind === "event" ? message.event : null;
    if (event?.kind !== "phase" || event.state !== "started" || event.phase !== process.env.FULL_MEMORY) return;
    for (let list = null; ; list = { list });
  };
}
