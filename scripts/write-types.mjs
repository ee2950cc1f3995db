// Writes dist/types: the declarations of the library and of referenced types.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { run } from "./run.mjs";

const ENTRY = "library.d.ts";
/** Modules referenced by a declaration, with their paths in src/. */
const NAMED = /(\bfrom "|\bimport\(")(\.[^"]+)\.ts"/g;

/**
 * Writes `types/` to a directory. The compiler emits declarations of all loaded modules; only referenced ones are
 * kept.
 */
export function writeTypes(directory) {
  const declared = mkdtempSync(join(tmpdir(), "archivetool-types-"));
  try {
    run("npx", ["tsc", "-p", "tsconfig.types.json", "--outDir", declared]);
    const reached = new Set([ENTRY]);
    for (const file of reached) {
      const text = readFileSync(join(declared, file), "utf8");
      for (const [, , path] of text.matchAll(NAMED)) reached.add(`${posix.join(posix.dirname(file), path)}.d.ts`);
      const target = join(directory, "types", file);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text.replaceAll(NAMED, '$1$2.js"'));
    }
  } finally {
    rmSync(declared, { recursive: true, force: true });
  }
}
