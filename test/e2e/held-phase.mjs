// Loaded into every thread of a command under test: what HELD_PHASE names never ends and hears nothing, as a long
// computation does, or ends when the file HELD_UNTIL is there. It is a phase of an extraction, or `rename`: the first
// file that is put into its place.
import fs, { existsSync, writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread, parentPort } from "node:worker_threads";

const { HELD_PHASE: held, HELD_UNTIL: until } = process.env;
const LOOK_MS = 10;

function hold() {
  writeSync(2, "held\n");
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (until === undefined || !existsSync(until))
    Atomics.wait(never, 0, 0, until === undefined ? undefined : LOOK_MS);
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
