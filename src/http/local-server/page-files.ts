import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { builtFile } from "../../built-files.ts";
import { ArchiveError } from "../../errors.ts";

/** A file the page asks for, as `npm run build` bundled it from `client/`. */
export interface PageFile {
  readonly content: string;
  readonly tag: string;
}

/** Reads a file of the bundle. Throws INTERNAL_ERROR when it was never built. */
export function readPageFile(name: "client.js" | "client.css"): PageFile {
  const url = builtFile(`http/local-server/${name}`);
  if (existsSync(url)) return pageFile(readFileSync(url, "utf8"));
  throw new ArchiveError("INTERNAL_ERROR", `${name} of the page is missing`, {
    hint: "run `npm run build`, or install the package again",
  });
}

/** A text with its strong entity tag. */
export function pageFile(content: string): PageFile {
  return { content, tag: `"${createHash("sha256").update(content).digest("base64url")}"` };
}
