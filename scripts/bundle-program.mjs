// The program itself: one file for each thing that starts, and one for each part that several of them, or some commands only, load.
// Node takes half a millisecond to find, read and compile a module, and a short command has dozens, an extraction hundreds.
import { build } from "esbuild";

/**
 * What starts as a process or a thread, and what benches import. All outputs lie two directories deep: `src/built-files.ts` finds
 * the others from wherever it was put.
 */
const ENTRIES = [
  { in: "src/cli/main.ts", out: "cli/main" },
  { in: "src/extraction/worker.ts", out: "extraction/worker" },
  { in: "src/store/search-worker.ts", out: "store/search-worker" },
  { in: "src/http/upload-service/extraction-job.ts", out: "http/extraction-job" },
  { in: "src/sources/pst.ts", out: "sources/pst" },
];

/** Writes the program below a directory, with maps: `node --enable-source-maps` names the lines of the sources. */
export async function bundleProgram(directory) {
  await build({
    entryPoints: ENTRIES,
    outdir: directory,
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    // The oldest Node.js that package.json allows.
    target: "node20.19",
    sourcemap: true,
    charset: "utf8",
    logLevel: "warning",
  });
}
