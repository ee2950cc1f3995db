import { PROCESS_MEMORY_BYTES } from "./file-text-call.ts";

/** Polling interval in milliseconds: the fastest allocation takes about 50 MB in it. */
const LOOK_MS = 25;

/** Entry of a thread that ends its process if it uses too much memory: the reading thread is busy. */
setInterval(() => {
  if (process.memoryUsage.rss() > PROCESS_MEMORY_BYTES) process.kill(process.pid, "SIGKILL");
}, LOOK_MS);
