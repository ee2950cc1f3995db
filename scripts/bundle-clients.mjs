// Builds browser code: the page of the contact graph, as a single offline file, and the web application, with
// content-hashed file names.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import { run } from "./run.mjs";

/** Directories with browser code, each with a `tsconfig.json` for the DOM. */
const CLIENTS = ["src/graph-view", "src/outputs/graph-page/client", "src/web"];

const OPTIONS = {
  bundle: true,
  minify: true,
  // First versions with `light-dark()` and `:has()`; esbuild escapes `</script` in strings.
  target: ["es2022", "chrome123", "firefox121", "safari17.5"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
};

/** Native replacements of the polyfills that tus-js-client imports, limited to the parts it uses. */
const NATIVE = {
  "url-parse": "export default function (link, base) { return new URL(link, new URL(base, location.href)); }",
  "js-base64":
    "export const Base64 = { encode: (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text))) };",
  // The only simulation is advanced by animation frames and has no listeners.
  "d3-timer": "export const timer = () => ({ restart() {}, stop() {} });",
  "d3-dispatch": "export const dispatch = () => ({ call() {} });",
  "./fileSignature.js": `export default async ({ name, type, size, lastModified }, { endpoint }) =>
    ["tus-br", name, type, size, lastModified, endpoint].join("-");`,
  "./uuid.js": "export default () => crypto.randomUUID();",
  // Only files are uploaded: omits streams, React Native URLs and Cordova files.
  "./fileReader.js": `class FileSource {
    constructor(file) { this.file = file; this.size = file.size; }
    async slice(start, end) { return { value: this.file.slice(start, end), done: end >= this.size }; }
    close() {}
  }
  export default class { async openFile(file) { return new FileSource(file); } }`,
};
const nativeParts = {
  name: "native parts",
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^(?:url-parse|js-base64|d3-timer|d3-dispatch|\.\/(?:fileReader|fileSignature|uuid)\.js)$/ },
      ({ path }) => ({
        path,
        namespace: "native",
      }),
    );
    onLoad({ filter: /./, namespace: "native" }, ({ path }) => ({ contents: NATIVE[path] }));
  },
};

/** Checks the types of every client and writes their files to a directory. @returns esbuild's metafile of each build */
export async function bundleClients(directory) {
  for (const source of CLIENTS) run("npx", ["tsc", "-p", `${source}/tsconfig.json`]);
  return [await bundleGraphPage(directory), await bundleApplication(join(directory, "web"))];
}

async function bundleGraphPage(directory) {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [
      { in: "src/outputs/graph-page/client/main.ts", out: "outputs/graph-page/client" },
      { in: "src/outputs/graph-page/client/page.css", out: "outputs/graph-page/client" },
    ],
    outdir: directory,
    format: "iife",
    plugins: [nativeParts],
  });
  return metafile;
}

/** Code around every view. */
const FRAME = ["frame/frame.tsx", "parts/view-head.tsx", "search/query/choice.tsx"];
/** Code of most mail views. */
const OF_MAIL = [
  "conversation/marked-text.tsx",
  "conversation/people-line.tsx",
  "conversation/print-foot.tsx",
  "conversation/reply-tree.ts",
  "shell/fault-page.tsx",
  "parts/figure.tsx",
  "notebook/mark-editor.tsx",
  "search/facets/bars.tsx",
  "search/results/export-menu.tsx",
  "search/query/search-box.tsx",
  "search/state/search-page.ts",
  "parts/search-link.tsx",
  "parts/value-names.ts",
];
/** Code of most table and card views. */
const OF_TABLES = [
  "about/reconciliation.tsx",
  "parts/choices.tsx",
  "files/file-columns.tsx",
  "parts/filter-box.tsx",
  "hits/use-hit-counts.ts",
  "parts/source-name.tsx",
  "parts/thread-list.tsx",
  "parts/time-chart.tsx",
  "parts/value-list.tsx",
];
/** Views without mail, and those of search and conversations, which need no tables. */
const WITHOUT_MAIL = ["archives-view", "graph-view", "key-dialog", "sign-in", "upload-queue"];
const WITHOUT_TABLES = [
  "column-menu",
  "conversation-views",
  "corrections",
  "formatted-mail",
  "message-details",
  "outline",
  "result-transcript",
  "refused-original",
  "result-table",
  "save-search",
  "search-view",
  "selection-bar",
  "text-pieces",
];

/** Imports shared by lazily loaded parts. */
function sharedImports(path) {
  const name = basename(path).replace(/\.tsx?$/, "");
  const ofMail = WITHOUT_MAIL.includes(name) ? [] : OF_MAIL;
  const ofTables = ofMail.length === 0 || WITHOUT_TABLES.includes(name) ? [] : OF_TABLES;
  const shared = [...FRAME, ...ofMail, ...ofTables];
  return shared.map((file) => `import ${JSON.stringify(resolve("src/web", file))};\n`).join("");
}

/**
 * esbuild creates a chunk for each set of parts that share code: dozens of small files and requests. So each part
 * imports everything that its kind shares.
 */
const sharedFiles = {
  name: "shared-files",
  setup(bundle) {
    // esbuild inlines its constants, and would create an empty chunk.
    bundle.onResolve({ filter: /\/ascii\.ts$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      sideEffects: false,
    }));
    const later = new Set();
    const loaded = new Set();
    bundle.onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const part = resolve(resolveDir, path);
      // A part loaded eagerly elsewhere may already be parsed, without its shared imports.
      if (loaded.has(part) && !later.has(part)) throw new Error(`${part} is loaded both at once and on demand`);
      later.add(part);
      return undefined;
    });
    bundle.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      loaded.add(path);
      if (!later.has(path)) return undefined;
      return { contents: sharedImports(path) + readFileSync(path, "utf8"), loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};

/**
 * The application: shared code and one chunk per view, with `manifest.json`. Browsers cache the files forever,
 * because their names change with the content.
 */
async function bundleApplication(directory) {
  rmSync(directory, { recursive: true, force: true });
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: ["src/web/main.tsx", "src/web/page.css"],
    outdir: directory,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    format: "esm",
    splitting: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    // The modern source instead of the transpiled one for old browsers.
    alias: { "tus-js-client": "tus-js-client/lib/browser/index.js" },
    plugins: [sharedFiles, nativeParts],
  });
  writeFileSync(join(directory, "manifest.json"), `${JSON.stringify(manifestOf(metafile.outputs), null, 2)}\n`);
  return metafile;
}

/** Entry script and style, preloads of the script and of each view, and all files. */
function manifestOf(outputs) {
  const fileOf = (source) => Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
  const neededBy = ({ imports }) =>
    imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path));
  const [script, entry] = fileOf("src/web/main.tsx");
  const [style] = fileOf("src/web/page.css");
  // views.ts contains the file name of each view.
  const loads = readFileSync("src/web/views.ts", "utf8").matchAll(/const (\w+) = async .*?import\("\.\/(.+?)"\)/g);
  const views = [...loads].map(([, view, source]) => {
    const [path, output] = fileOf(`src/web/${source}`);
    return [view, [basename(path), ...neededBy(output)]];
  });
  return {
    script: basename(script),
    style: basename(style),
    needed: neededBy(entry),
    views: Object.fromEntries(views),
    files: Object.keys(outputs)
      .map((path) => basename(path))
      .sort(),
  };
}
