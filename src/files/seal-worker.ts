import { parentPort } from "node:worker_threads";
import { FileHasher, sealOfFile } from "./file-seal.ts";
import type { SealCall, SealReply } from "./seal-thread.ts";

/** Entry of a thread that computes seals of files: see `SealThread`. An error ends it. */
const never = new AbortController().signal;
/** Calls may share its buffer: none waits between reading and hashing. */
const hasher = new FileHasher();

parentPort!.on("message", async ({ call, path }: SealCall) => {
  parentPort!.postMessage({ call, seal: await sealOfFile(path, never, hasher) } satisfies SealReply);
});
