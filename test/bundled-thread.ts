import { join, resolve } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "..");

/** A thread of the tests as one script of sources that run in it. */
export async function bundleThread(entry: string): Promise<(options: WorkerOptions) => Worker> {
  const script = await bundleScript(entry);
  return (options) => new Worker(script, options);
}

/**
 * The path of sources of the tests as one script: compiling them when it starts takes ten times as long. The script
 * lies where packages are found, and believes to be a source itself.
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
