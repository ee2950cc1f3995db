// The program itself, with the packages it uses: one file for each thing that starts, and one for each part that
// several of them, or some commands only, load. Node takes half a millisecond to find, read and compile a module, and a
// short command has dozens, an extraction hundreds.
import { relative, resolve, sep } from "node:path";
import { build } from "esbuild";
import { nodeModules, unaskedAnswers, unusedPackages, wordTables } from "./package-plugins.mjs";

/**
 * What starts as a process or a thread, what other programs import, and what benches do. All outputs lie two
 * directories deep: `src/built-files.ts` finds the others from wherever it was put.
 */
const ENTRIES = [
  { in: "src/cli/start.ts", out: "cli/main" },
  { in: "src/errors.ts", out: "cli/errors" },
  { in: "src/cli/terminal/command-thread.ts", out: "cli/command-thread" },
  { in: "src/extraction/run/worker.ts", out: "extraction/worker" },
  { in: "src/store/archive/search-worker.ts", out: "store/search-worker" },
  { in: "src/originals/original-worker.ts", out: "originals/original-worker" },
  { in: "src/http/upload-service/jobs/extraction-job.ts", out: "http/extraction-job" },
  { in: "src/file-text/file-text-process.ts", out: "file-text/file-text-process" },
  { in: "src/file-text/memory-watch.ts", out: "file-text/memory-watch" },
  { in: "src/library.ts", out: "library/library" },
  { in: "src/sources/pst/pst-source.ts", out: "sources/pst" },
];

/**
 * Programs of one file for command lines that people wait for, with the late parts that these load. `src/cli/start.ts`
 * chooses. They repeat code of the other bundles, so they are minified.
 */
const COMMAND_BUNDLES = [
  { out: "cli/search", held: /^src\/(?:cli\/reading\/search|store\/archive\/(?:locate-archive|open-search))\.ts$/ },
  { out: "cli/help", held: /^src\/cli\/(?:completion|extracting|reading|service)\/[a-z]+\.ts$/ },
];

/** Packages that are loaded in the middle of what cannot wait, which only a CommonJS file can be. */
const LATE_PACKAGES = [
  { in: "iconv-lite", out: "charset/iconv-lite" },
  { in: "@exodus/bytes/multi-byte.js", out: "charset/multi-byte" },
  { in: "@exodus/bytes/single-byte.js", out: "charset/single-byte" },
];

/**
 * Packages that are loaded by few, and are large enough to be written small: pdf.js is a fifth of all there is. Each is a
 * file of its own.
 */
const LARGE_PACKAGES = { "unpdf/pdfjs": "file-text/pdfjs" };

/** Packages that are not in the bundle: one with a compiled part, and those for a database or a bucket. */
const EXTERNAL = ["better-sqlite3", "pg", "pg-copy-streams", "@aws-sdk/client-s3", "@aws-sdk/lib-storage"];

const OPTIONS = {
  bundle: true,
  platform: "node",
  // The oldest Node.js that package.json allows.
  target: "node20.19",
  charset: "utf8",
  logLevel: "warning",
  metafile: true,
  legalComments: "none",
  // A quarter less to install and to read at each start. Names stay, and lines short: where a fault was can still be told.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
  sourcemap: true,
  external: EXTERNAL,
  plugins: [nodeModules, wordTables, unaskedAnswers, unusedPackages],
};

/** Asks for large packages where they lie: all outputs lie two directories deep. */
const largePackages = {
  name: "large packages",
  setup({ onResolve }) {
    onResolve({ filter: /^unpdf\/pdfjs$/ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: `../${LARGE_PACKAGES[path]}.js`, external: true },
    );
  },
};

/**
 * Leaves what is loaded late, but for what a bundle holds, to the parts of the program. Errors are told apart by their
 * class, which these share.
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
 * Writes the program below a directory, with maps: `node --enable-source-maps` names the lines of the sources.
 * @returns what went into each file, as esbuild tells it; what is in a file of one command is in another as well
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
  });
  await Promise.all(
    COMMAND_BUNDLES.map(({ out, held }) =>
      build({
        ...OPTIONS,
        minify: true,
        entryPoints: [{ in: "src/cli/main.ts", out }],
        outdir: directory,
        format: "esm",
        plugins: [...OPTIONS.plugins, lateParts(held, program.metafile)],
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

/** What runs in threads of an executable, which see none of its files: each as one script. */
const THREADS = [
  { in: "src/cli/terminal/command-thread.ts", out: "cli/command-thread" },
  { in: "src/extraction/run/worker.ts", out: "extraction/worker" },
  { in: "src/store/archive/search-worker.ts", out: "store/search-worker" },
  { in: "src/originals/original-worker.ts", out: "originals/original-worker" },
  { in: "src/file-text/memory-watch.ts", out: "file-text/memory-watch" },
];

/** Writes the scripts of threads below a directory. */
export async function bundleThreads(directory) {
  await build({
    ...OPTIONS,
    entryPoints: THREADS,
    outdir: directory,
    format: "esm",
    outExtension: { ".js": ".mjs" },
    // Files are asked for by their path in dist/, never by a place: see src/built-files.ts.
    define: { "import.meta.url": JSON.stringify("file:///archivetool/parts/thread.mjs") },
  });
}
