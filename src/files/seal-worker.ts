import { parentPort } from "node:worker_threads";
import { sealOfFile } from "./file-seal.ts";
import type { SealCall, SealReply } from "./seal-thread.ts";

/** Entry of a thread that computes seals of files: see `SealThread`. An error ends it. */
const never = new AbortController().signal;

parentPort!.on("message", async ({ call, path }: SealCall) => {
  parentPort!.postMessage({ call, seal: await sealOfFile(path, never) } satisfies SealReply);
});
