// dist/types: the declarations of the library, and of what they name.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { run } from "./run.mjs";

const ENTRY = "library.d.ts";
/** Modules a declaration names, as they stand in the sources. */
const NAMED = /(\bfrom "|\bimport\(")(\.[^"]+)\.ts"/g;

/**
 * Writes `types/` below a directory. The compiler declares all that the library loads; only what its declarations name
 * is kept.
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
