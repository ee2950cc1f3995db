import { Worker, type WorkerOptions } from "node:worker_threads";
import { builtFile, isExecutable, readBuiltFile } from "./built-files.ts";

/**
 * Starts a thread of this program.
 * @param entry its file, by the path in `dist/`
 */
export function startProgramThread(entry: string, options: WorkerOptions = {}): Worker {
  // In a built package, it is a single script without imports: see bundleThreads in scripts/bundle-program.mjs.
  if (isExecutable)
    return new Worker(readBuiltFile(entry.replace(/\.js$/, ".mjs")).toString(), { ...options, eval: true });
  return new Worker(builtFile(entry), options);
}
