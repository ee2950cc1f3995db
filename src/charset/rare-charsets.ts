import { createRequire } from "node:module";
import type Iconv from "iconv-lite";
import { isFromSource, loadBuiltModule } from "../built-files.ts";

let loaded: typeof Iconv | null = null;

/**
 * Package for charsets that neither we nor Node.js support. Loaded on first use, which saves 15 ms in most runs and
 * threads.
 */
function iconv(): typeof Iconv {
  loaded ??= (
    isFromSource ? createRequire(import.meta.url)("iconv-lite") : loadBuiltModule("charset/iconv-lite.cjs")
  ) as typeof Iconv;
  return loaded;
}

/** True when text of that charset can be decoded. */
export function isRareCharset(name: string): boolean {
  return iconv().encodingExists(name);
}

export function decodeRareCharset(bytes: Buffer, name: string): string {
  return iconv().decode(bytes, name);
}
