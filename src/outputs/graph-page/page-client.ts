import { existsSync, readFileSync } from "node:fs";
import { builtFile } from "../../built-files.ts";
import { ArchiveError } from "../../errors.ts";

/** Browser code, bundled by `npm run build` from `client/`. */
export interface PageClient {
  readonly script: string;
  readonly style: string;
}

/** Reads the bundle. Throws INTERNAL_ERROR when it was never built. */
export function readPageClient(): PageClient {
  const script = builtFile("outputs/graph-page/client.js");
  if (existsSync(script))
    return {
      script: readFileSync(script, "utf8"),
      style: readFileSync(builtFile("outputs/graph-page/client.css"), "utf8"),
    };
  throw new ArchiveError("INTERNAL_ERROR", "the script of the graph page is missing", {
    hint: "run `npm run build`, or install the package again",
  });
}
