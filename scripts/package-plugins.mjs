// What esbuild has to be told to put packages made for Node.js into ES modules.
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * `require` of a module of Node.js inside a CommonJS package: ES modules have none, and one made by `createRequire`
 * would cost every file a millisecond.
 */
export const nodeModules = {
  name: "modules of Node.js",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z_:0-9/]+$/ }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path) ? { path, namespace: "node-module" } : undefined,
    );
    onLoad({ filter: /./, namespace: "node-module" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** Tables of words, which V8 reads faster as JSON than as script. */
export const wordTables = {
  name: "tables of words",
  setup({ onLoad }) {
    const asScript = (table) => `JSON.parse(${JSON.stringify(JSON.stringify(table))})`;
    onLoad({ filter: /[\\/]stopwords-iso\.json$/ }, ({ path }) => ({
      contents: `export default ${asScript(JSON.parse(readFileSync(path, "utf8")))};`,
    }));
    onLoad({ filter: /[\\/]vader_lexicon\.js$/ }, async ({ path }) => ({
      contents: `export const lexicon = ${asScript((await import(pathToFileURL(path).href)).lexicon)};`,
    }));
  },
};

/**
 * What `@modelcontextprotocol/server` checks answers of users with, whom we ask nothing: it would bring 290 kB of a
 * compiler of JSON Schema.
 */
export const unaskedAnswers = {
  name: "answers that nobody is asked for",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: "unasked-answers",
    }));
    onLoad({ filter: /./, namespace: "unasked-answers" }, () => ({
      contents: 'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}',
    }));
  },
};

/**
 * Packages that are never used: `debug` colours its lines when `supports-color` happens to be installed,
 * `@fastify/static` asks `glob` for the files of a directory it serves whole, which we have it do nowhere. What asks
 * for one finds nothing in it.
 */
const UNUSED = /^(supports-color|glob)$/;

export const unusedPackages = {
  name: "unused packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: "unused-package" }));
    onLoad({ filter: /./, namespace: "unused-package" }, () => ({ contents: "module.exports = {};" }));
  },
};
