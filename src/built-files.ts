import { readFileSync } from "node:fs";
import { getAsset, isSea } from "node:sea";
import { compileFunction } from "node:vm";

/** True when the sources run, as in tests; false in a built package. */
export const isFromSource: boolean = import.meta.url.endsWith(".ts");

/**
 * True in an executable, whose files are embedded: the main thread can import and read them, other threads can only
 * read them.
 */
export const isExecutable: boolean = isSea();

/**
 * Returns the URL of a file of `dist/`. Built code is two directories deep, this file one; `scripts/bundle-program.mjs`
 * keeps that layout.
 */
export function builtFile(path: string): URL {
  return new URL(isFromSource ? `../dist/${path}` : `../${path}`, import.meta.url);
}

/**
 * Reads a file of `dist/`. Throws the system error if it is missing: the sources were never built, or the package is
 * incomplete.
 */
export function readBuiltFile(path: string): Buffer {
  return isExecutable ? Buffer.from(getAsset(path)) : readFileSync(builtFile(path));
}

/**
 * Exports of a CommonJS file of `dist/`: a package that synchronous code loads on demand. It can only require modules
 * of Node.js.
 */
export function loadBuiltModule(path: string): unknown {
  const module = { exports: {} };
  compileFunction(readBuiltFile(path).toString(), ["module", "exports", "require"], { filename: builtFile(path).href })(
    module,
    module.exports,
    process.getBuiltinModule,
  );
  return module.exports;
}
