import { join, resolve } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "..");

/** Bundles a test thread into one script of the sources that it runs. */
export async function bundleThread(entry: string): Promise<(options: WorkerOptions) => Worker> {
  const script = await bundleScript(entry);
  return (options) => new Worker(script, options);
}

/**
 * Path of test sources as one script: compiling them at startup takes ten times as long. The script is written where
 * packages are found, and behaves like a source file.
 */
export async function bundleScript(entry: string): Promise<string> {
  const script = join(ROOT, "node_modules", ".test-threads", entry.replace(/\.ts$/, ".mjs"));
  const source = new URL("../src/built-files.ts", import.meta.url).href;
  await build({
    entryPoints: [join(ROOT, "test", entry)],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    define: { "import.meta.url": JSON.stringify(source) },
    logLevel: "warning",
  });
  return script;
}
