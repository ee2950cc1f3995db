// Loaded into a worker under test: each of its threads is busy with its first task for BUSY_MS milliseconds longer, so
// that something can happen to it in the middle.
import { isMainThread, parentPort } from "node:worker_threads";

if (!isMainThread && parentPort !== null) {
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message, transfer) => {
    parentPort.postMessage = post;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.BUSY_MS));
    post(message, transfer);
  };
}
