import { existsSync, readFileSync } from "node:fs";
import { ArchiveError } from "../../errors.ts";

/** What runs in the browser, as `npm run build` bundled it from `client/`. */
export interface PageClient {
  readonly script: string;
  readonly style: string;
}

/** Where the bundle lies: beside this module in a built package, in `dist/` when the sources run. */
const PLACES = ["./", "../../../dist/outputs/graph-page/"] as const;

/** Reads the bundle. Throws INTERNAL_ERROR when it was never built. */
export function readPageClient(): PageClient {
  for (const place of PLACES) {
    const script = new URL(`${place}client.js`, import.meta.url);
    if (!existsSync(script)) continue;
    return { script: readFileSync(script, "utf8"), style: readFileSync(new URL(`${place}client.css`, import.meta.url), "utf8") };
  }
  throw new ArchiveError("INTERNAL_ERROR", "the script of the graph page is missing", {
    hint: "run `npm run build`, or install the package again",
  });
}
