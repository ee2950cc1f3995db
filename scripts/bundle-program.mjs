// Bundles the program with its packages: one file per entry point, and one per part that several of them, or only
// some commands, load. Node takes half a millisecond to find, read and compile a module, and a short command has
// dozens, an extraction hundreds.
import { resolve } from "node:path";
import { build } from "esbuild";
import { writeMerged } from "./merge-chunks.mjs";
import { nodeModules, unaskedAnswers, unusedPackages, wordTables } from "./package-plugins.mjs";
import { quickSources, slowModules } from "./quick-sources.mjs";

/**
 * Entry points of processes, threads, other programs and benchmarks. All outputs are two directories deep:
 * `src/built-files.ts` finds the others from any of them.
 */
const ENTRIES = [
  { in: "src/cli/main.ts", out: "cli/program" },
  { in: "src/cli/terminal/command-thread.ts", out: "cli/command-thread" },
  { in: "src/extraction/run/worker.ts", out: "extraction/worker" },
  { in: "src/store/archive/search-worker.ts", out: "store/search-worker" },
  { in: "src/originals/original-worker.ts", out: "originals/original-worker" },
  { in: "src/outputs/part-worker.ts", out: "outputs/part-worker" },
  { in: "src/http/upload-service/jobs/extraction-job.ts", out: "http/extraction-job" },
  { in: "src/file-text/file-text-process.ts", out: "file-text/file-text-process" },
  { in: "src/file-text/memory-watch.ts", out: "file-text/memory-watch" },
  { in: "src/library.ts", out: "library/library" },
  { in: "src/sources/pst/pst-source.ts", out: "sources/pst" },
];

/**
 * Single files: the start, which selects another program, interactive commands with their lazily loaded parts, and the
 * error classes. Minified, because they repeat code of the other bundles.
 */
const COMMAND_BUNDLES = [
  { from: "src/errors.ts", out: "cli/errors", held: /^$/ },
  { from: "src/cli/start.ts", out: "cli/main", held: /^$/ },
  {
    from: "src/cli/main.ts",
    out: "cli/search",
    held: /^src\/(?:cli\/reading\/search|store\/archive\/(?:locate-archive|open-search))\.ts$/,
  },
  {
    from: "src/cli/main.ts",
    out: "cli/help",
    held: /^src\/cli\/(?:completion|extracting|reading|service)\/[a-z]+\.ts$/,
  },
];

/** Packages that synchronous code loads on demand, which requires CommonJS. */
const LATE_PACKAGES = [
  { in: "iconv-lite", out: "charset/iconv-lite" },
  { in: "@exodus/bytes/multi-byte.js", out: "charset/multi-byte" },
  { in: "@exodus/bytes/single-byte.js", out: "charset/single-byte" },
];

/** Rarely loaded packages that are worth minifying: pdf.js is a fifth of everything. Each is a separate file. */
const LARGE_PACKAGES = { "unpdf/pdfjs": "file-text/pdfjs" };

/** Packages outside the bundle: a compiled one, and those for databases and buckets. */
const EXTERNAL = ["better-sqlite3", "pg", "pg-copy-streams", "@aws-sdk/client-s3", "@aws-sdk/lib-storage"];

const OPTIONS = {
  bundle: true,
  platform: "node",
  // The oldest Node.js in package.json.
  target: "node20.19",
  charset: "utf8",
  logLevel: "warning",
  metafile: true,
  legalComments: "none",
  // Saves a quarter of the size and of the parse time. Names and short lines are kept for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
  sourcemap: true,
  external: EXTERNAL,
  plugins: [nodeModules, wordTables, unaskedAnswers, unusedPackages],
};

/** Resolves large packages by relative path: all outputs are two directories deep. */
const largePackages = {
  name: "large packages",
  setup({ onResolve }) {
    onResolve({ filter: /^unpdf\/pdfjs$/ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: `../${LARGE_PACKAGES[path]}.js`, external: true },
    );
  },
};

/** Shares error classes, because errors are recognized by class. */
const sharedErrors = {
  name: "shared errors",
  setup({ onResolve }) {
    onResolve({ filter: /\/errors\.ts$/ }, ({ path, kind, resolveDir }) =>
      kind !== "entry-point" && resolve(resolveDir, path) === resolve("src/errors.ts")
        ? { path: "../cli/errors.js", external: true }
        : undefined,
    );
  },
};

/** Entry points of the program as modules that other outputs import, by source. */
function entryPlaces({ outputs }) {
  return new Map(
    Object.entries(outputs).flatMap(([output, { entryPoint }]) =>
      entryPoint === undefined ? [] : [[entryPoint, `../${output.split("/").slice(-2).join("/")}`]],
    ),
  );
}

/**
 * Writes the program with source maps to a directory: `node --enable-source-maps` prints lines of the sources.
 * @returns esbuild's metafiles; code of command bundles is also in others
 */
export async function bundleProgram(directory) {
  const program = await build({
    ...OPTIONS,
    entryPoints: ENTRIES,
    outdir: directory,
    chunkNames: "parts/[name]-[hash]",
    splitting: true,
    format: "esm",
    plugins: [...OPTIONS.plugins, largePackages, sharedErrors],
    sourcemap: "inline",
    write: false,
  });
  await writeMerged(program, { ...OPTIONS, outdir: directory, format: "esm" });
  await Promise.all(
    COMMAND_BUNDLES.map(({ from, out, held }) =>
      build({
        ...OPTIONS,
        minify: true,
        entryPoints: [{ in: from, out }],
        outdir: directory,
        format: "esm",
        plugins: [slowModules, ...OPTIONS.plugins, sharedErrors, quickSources(held, entryPlaces(program.metafile))],
      }),
    ),
  );
  const large = await build({
    ...OPTIONS,
    entryPoints: Object.entries(LARGE_PACKAGES).map(([from, out]) => ({ in: from, out })),
    outdir: directory,
    format: "esm",
    minify: true,
  });
  const late = await build({
    ...OPTIONS,
    entryPoints: LATE_PACKAGES,
    outdir: directory,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    minify: true,
  });
  return [program.metafile, large.metafile, late.metafile];
}

/** Threads of an executable, which cannot read its files: one script each. */
const THREADS = [
  { in: "src/cli/terminal/command-thread.ts", out: "cli/command-thread" },
  { in: "src/extraction/run/worker.ts", out: "extraction/worker" },
  { in: "src/store/archive/search-worker.ts", out: "store/search-worker" },
  { in: "src/originals/original-worker.ts", out: "originals/original-worker" },
  { in: "src/outputs/part-worker.ts", out: "outputs/part-worker" },
  { in: "src/file-text/memory-watch.ts", out: "file-text/memory-watch" },
];

/** Writes the thread scripts to a directory. */
export async function bundleThreads(directory) {
  await build({
    ...OPTIONS,
    entryPoints: THREADS,
    outdir: directory,
    format: "esm",
    outExtension: { ".js": ".mjs" },
    // Files are found by their path in dist/: see src/built-files.ts.
    define: { "import.meta.url": JSON.stringify("file:///archivetool/parts/thread.mjs") },
  });
}
