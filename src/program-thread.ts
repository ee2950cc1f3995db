import { Worker, type WorkerOptions } from "node:worker_threads";
import { builtFile, isExecutable, isFromSource, readBuiltFile } from "./built-files.ts";

/** Where the code of a thread lies: its file of `dist/`, and that of the sources, which tests run. */
export interface ThreadEntry {
  readonly built: string;
  readonly source: URL;
}

/** From source a thread must register the loader of TypeScript itself: `--import` does so in the main thread only. */
const SOURCE_ENTRY = (loader: string, entry: string): string =>
  `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry)}); })`;

/** Starts a thread of this program. */
export function startProgramThread({ built, source }: ThreadEntry, options: WorkerOptions): Worker {
  // There it is one script, which imports nothing: see bundleThreads in scripts/bundle-program.mjs.
  if (isExecutable)
    return new Worker(readBuiltFile(built.replace(/\.js$/, ".mjs")).toString(), { ...options, eval: true });
  if (!isFromSource) return new Worker(builtFile(built), options);
  // Resolved here: evaluated code looks for packages from the working directory, which a job of the upload service has
  // changed.
  return new Worker(SOURCE_ENTRY(import.meta.resolve("tsx/esm/api"), source.href), { ...options, eval: true });
}
