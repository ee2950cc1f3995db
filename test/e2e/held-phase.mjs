// Loaded into every thread of a command under test: what HELD_PHASE names never ends and hears nothing, as a long
// computation does. It is a phase of an extraction, or `rename`: the first file that is put into its place.
import fs, { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread, parentPort } from "node:worker_threads";

const held = process.env.HELD_PHASE;

function hold() {
  writeSync(2, "held\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function isHeld(message) {
  return (
    message?.kind === "event" &&
    message.event.kind === "phase" &&
    message.event.state === "started" &&
    message.event.phase === held
  );
}

if (!isMainThread && parentPort !== null) {
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message, transfer) => {
    if (isHeld(message)) hold();
    post(message, transfer);
  };
  if (held === "rename") {
    fs.renameSync = hold;
    syncBuiltinESMExports();
  }
}
