// Bundles the program with its packages: one file per entry point, and one per part that several of them, or only
// some commands, load. Node takes half a millisecond to find, read and compile a module, and a short command has
// dozens, an extraction hundreds.
import { relative, resolve, sep } from "node:path";
import { build } from "esbuild";
import { writeMerged } from "./merge-chunks.mjs";
import { nodeModules, slowModules, unaskedAnswers, unusedPackages, wordTables } from "./package-plugins.mjs";

/**
 * Entry points of processes, threads, other programs and benchmarks. All outputs are two directories deep:
 * `src/built-files.ts` finds the others from any of them.
 */
const ENTRIES = [
  { in: "src/cli/start.ts", out: "cli/main" },
  { in: "src/errors.ts", out: "cli/errors" },
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
 * Single-file programs for interactive commands, with their lazily loaded parts. `src/cli/start.ts` selects one.
 * Minified, because they repeat code of the other bundles.
 */
const COMMAND_BUNDLES = [
  { out: "cli/search", held: /^src\/(?:cli\/reading\/search|store\/archive\/(?:locate-archive|open-search))\.ts$/ },
  { out: "cli/help", held: /^src\/cli\/(?:completion|extracting|reading|service)\/[a-z]+\.ts$/ },
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

/**
 * Leaves lazily loaded modules outside a bundle to the parts of the program. Error classes are shared, because errors
 * are recognized by class.
 */
function lateParts(held, { outputs }) {
  const places = new Map(
    Object.entries(outputs).flatMap(([output, { entryPoint }]) =>
      entryPoint === undefined ? [] : [[entryPoint, `../${output.split("/").slice(-2).join("/")}`]],
    ),
  );
  const placeOfPackage = (name) => [...places].find(([source]) => source.startsWith(`node_modules/${name}/`))?.[1];
  return {
    name: "late parts",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
        const source = relative(process.cwd(), resolve(resolveDir, path)).replaceAll(sep, "/");
        const isLate = kind === "dynamic-import" && !held.test(source);
        return isLate || source === "src/errors.ts" ? { path: places.get(source), external: true } : undefined;
      });
      onResolve({ filter: /^[a-z]+$/ }, ({ path, kind }) => {
        const place = kind === "dynamic-import" ? placeOfPackage(path) : undefined;
        return place === undefined ? undefined : { path: place, external: true };
      });
    },
  };
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
    plugins: [...OPTIONS.plugins, largePackages],
    sourcemap: "inline",
    write: false,
  });
  await writeMerged(program, { ...OPTIONS, outdir: directory, format: "esm" });
  await Promise.all(
    COMMAND_BUNDLES.map(({ out, held }) =>
      build({
        ...OPTIONS,
        minify: true,
        entryPoints: [{ in: "src/cli/main.ts", out }],
        outdir: directory,
        format: "esm",
        plugins: [slowModules, ...OPTIONS.plugins, lateParts(held, program.metafile)],
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
