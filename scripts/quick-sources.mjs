// esbuild plugins for programs of a single file that start quickly.
import { readFile } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";

/** Built-in modules that take 3 to 10 ms to load and that short commands rarely use. */
const SLOW_MODULES = /^node:(?:child_process|crypto|fs\/promises|v8|worker_threads|zlib)$/;
/** Static imports of built-in modules. */
const BUILT_IN_IMPORT = /^import (\{[^}]*\}) from "(node:[a-z_/]+)";$/gm;
/** Dynamic imports of sources, without those of types. */
const LATE_IMPORT = /(?<!typeof )\bimport\("(\.[^"]+)"\)/g;

/** Loads slow built-in modules when one of their exports is first used. */
export const slowModules = {
  name: "slow modules of Node.js",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: SLOW_MODULES }, ({ path }) => ({ path, namespace: "slow-module" }));
    onLoad({ filter: /./, namespace: "slow-module" }, ({ path }) => ({
      contents: `for (const name of ${JSON.stringify(Object.keys(process.getBuiltinModule(path)))})
        Object.defineProperty(exports, name, {
          get: () => process.getBuiltinModule(${JSON.stringify(path)})[name],
          enumerable: true,
        });`,
    }));
  },
};

/**
 * Changes imports of sources:
 * - Dynamic imports of a held module become static. esbuild would wrap it in a function, which V8 parses twice.
 * - Other dynamic imports load an entry point of the program.
 * - Other built-in modules are imported without the ES module that Node.js creates for each: that of `node:fs` loads
 *   streams and promises.
 * @param held matches the paths of held modules
 * @param places modules of entry points, by path of their source
 */
export function quickSources(held, places) {
  const placeOfPackage = (name) => [...places].find(([source]) => source.startsWith(`node_modules/${name}/`))?.[1];
  return {
    name: "quick sources",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(?:\.|[a-z]+$)/ }, ({ path, kind, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const place = path.startsWith(".") ? places.get(sourcePath(resolveDir, path)) : placeOfPackage(path);
        return place === undefined ? undefined : { path: place, external: true };
      });
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
        contents: quickSource(await readFile(path, "utf8"), (target) => held.test(sourcePath(dirname(path), target))),
        loader: "ts",
      }));
    },
  };
}

function quickSource(text, isHeld) {
  const imports = [];
  const quick = text
    .replace(BUILT_IN_IMPORT, (statement, names, module) =>
      SLOW_MODULES.test(module) ? statement : `const ${pattern(names)} = process.getBuiltinModule("${module}");`,
    )
    .replace(LATE_IMPORT, (expression, target) => {
      if (!isHeld(target)) return expression;
      const name = `held${imports.length}`;
      imports.push(`import * as ${name} from "${target}";`);
      return `Promise.resolve(${name})`;
    });
  return [quick, ...imports].join("\n");
}

/** The destructuring pattern of imported names, without types. */
function pattern(names) {
  return names.replace(/\btype \w+,?/g, "").replace(/ as /g, ": ");
}

function sourcePath(directory, path) {
  return relative(process.cwd(), resolve(directory, path)).replaceAll(sep, "/");
}
