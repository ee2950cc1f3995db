// Writes the files of a split esbuild build with fewer chunks. esbuild creates one chunk per set of entry points that
// share code: an extraction loaded 270 files. Node.js takes a millisecond to find, read and link each, in every thread.
import { dirname, relative, resolve, sep } from "node:path";
import { build } from "esbuild";
import { groupChunks } from "./group-chunks.mjs";

/** Prefix of virtual entry points, one per group of chunks. */
const GROUP = "chunk-group:";
/** Static imports of a file of the first build: with names, or to load the file only. */
const IMPORT = /(?<![\w$.])import\s*(?:\{([^{}]*)\}\s*from\s*)?"([^"]+)";?/g;

/**
 * Writes the files of a split build. Entry points, also of lazily loaded parts, keep their paths; chunks that are
 * loaded by the same or similar entry points become one file.
 * @param build result of esbuild, with a metafile and inline source maps, not written
 * @param options for writing
 */
export async function writeMerged({ outputFiles, metafile: { outputs } }, { outdir, ...options }) {
  const texts = new Map(outputFiles.map(({ path, text }) => [pathOf(path), text]));
  const groups = groupChunks(outputs);
  const grouped = new Set(groups.flat());
  const entries = [...texts.keys()].filter((path) => !grouped.has(path));
  await build({
    ...options,
    outdir,
    metafile: false,
    entryPoints: [
      ...entries.map((path) => ({ in: path, out: relative(outdir, path).replace(/\.js$/, "") })),
      ...groups.map((_, index) => ({ in: `${GROUP}${index}`, out: `parts/chunk-${index}` })),
    ],
    // Inputs are in memory.
    allowOverwrite: true,
    plugins: [mergedChunks(groups, texts)],
  });
}

function pathOf(file) {
  return relative(process.cwd(), file).replaceAll(sep, "/");
}

function mergedChunks(groups, texts) {
  const groupOf = new Map(groups.flatMap((group, index) => group.map((chunk) => [chunk, index])));
  const files = new Map([...texts].map(([path, text]) => [path, separateImports(path, text, groupOf)]));
  const names = groups.map((group) => exportNames(group, files));
  return {
    name: "merged chunks",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
        if (path.startsWith(GROUP)) return { path, namespace: "group" };
        const target = resolve(resolveDir, path);
        const isInside = kind !== "dynamic-import" && texts.has(pathOf(target));
        return isInside ? { path: target } : { path, external: true };
      });
      onLoad({ filter: /./, namespace: "group" }, ({ path }) => ({
        contents: groupText(names[Number(path.slice(GROUP.length))]),
        resolveDir: process.cwd(),
      }));
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const { text, imports } = files.get(pathOf(path));
        return { contents: `${text}\n${importText(imports, names, groupOf)}`, resolveDir: dirname(path) };
      });
    },
  };
}

/** The text of a file with blanks for its imports from other groups, so that its source map fits, and these imports. */
function separateImports(path, text, groupOf) {
  const imports = [];
  const own = text.replace(IMPORT, (statement, names, target) => {
    const chunk = pathOf(resolve(dirname(path), target));
    if (!groupOf.has(chunk) || groupOf.get(chunk) === groupOf.get(path)) return statement;
    const pairs = (names ?? "").split(",").filter((name) => name.trim() !== "");
    imports.push({ chunk, pairs: pairs.map((name) => name.trim().split(/\s+as\s+/)) });
    return statement.replace(/[^\n]/g, " ");
  });
  return { text: own, imports };
}

/** Names by which a group exports what other files import from its chunks: by chunk and name in the chunk. */
function exportNames(group, files) {
  const taken = new Set();
  const names = new Map(group.map((chunk) => [chunk, new Map()]));
  for (const { imports } of files.values()) {
    for (const { chunk, pairs } of imports) {
      const ofChunk = names.get(chunk);
      for (const [name] of ofChunk === undefined ? [] : pairs) {
        if (ofChunk.has(name)) continue;
        const unique = taken.has(name) ? `${name}$${taken.size}` : name;
        taken.add(unique);
        ofChunk.set(name, unique);
      }
    }
  }
  return names;
}

function groupText(names) {
  return [...names]
    .map(([chunk, ofChunk]) => {
      const clause = [...ofChunk].map(([name, unique]) => `${name} as ${unique}`);
      return `export {${clause}} from ${JSON.stringify(resolve(chunk))};`;
    })
    .join("\n");
}

/** One import per group. All outputs are two directories deep. */
function importText(imports, names, groupOf) {
  const clauses = new Map();
  for (const { chunk, pairs } of imports) {
    const group = groupOf.get(chunk);
    const uniqueNames = names[group].get(chunk);
    const clause = pairs.map(([name, local = name]) => `${uniqueNames.get(name)} as ${local}`);
    clauses.set(group, [...(clauses.get(group) ?? []), ...clause]);
  }
  return [...clauses].map(([group, clause]) => `import {${clause}} from "../parts/chunk-${group}.js";`).join("\n");
}
