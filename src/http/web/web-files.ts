import { existsSync, readFileSync } from "node:fs";
import { builtFile } from "../../built-files.ts";
import { ArchiveError } from "../../errors.ts";
import type { ViewName } from "../../web/shell/addresses.ts";

/** The files of the application, as `npm run build` bundled them from `src/web/`. */
export interface WebManifest {
  /** Entry script. */
  readonly script: string;
  readonly style: string;
  /** Scripts to preload. */
  readonly needed: readonly string[];
  /** The files of each view. */
  readonly views: Partial<Readonly<Record<ViewName, readonly string[]>>>;
  readonly files: readonly string[];
}

/** Reads the list of files. Throws INTERNAL_ERROR when the application was never built. */
export function readManifest(): WebManifest {
  return JSON.parse(readWebFile("manifest.json").toString()) as WebManifest;
}

/** The bytes of a file of the application. */
export function readWebFile(name: string): Buffer {
  const url = builtFile(`web/${name}`);
  if (existsSync(url)) return readFileSync(url);
  throw new ArchiveError("INTERNAL_ERROR", `page file ${name} is missing`, {
    hint: "run `npm run build`, or install the package again",
  });
}
