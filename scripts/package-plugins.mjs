// esbuild plugins for bundling Node.js packages as ES modules.
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * `require` of built-in modules in CommonJS packages: ES modules have none, and `createRequire` would cost every file
 * a millisecond.
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

/** Word tables, which V8 parses faster as JSON than as script. */
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
 * Validator in `@modelcontextprotocol/server` for user input that we never request: it would add 290 kB of JSON
 * Schema compiler.
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
 * Unused packages, replaced by empty modules: `debug` uses `supports-color` if installed, `@fastify/static` needs
 * `glob` only to list a whole directory, and `prom-client` needs OpenTelemetry only for exemplars.
 */
const UNUSED = /^(supports-color|glob|@opentelemetry\/api)$/;

export const unusedPackages = {
  name: "unused packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: "unused-package" }));
    onLoad({ filter: /./, namespace: "unused-package" }, () => ({ contents: "module.exports = {};" }));
  },
};
