import { createRequire } from "node:module";
import type Iconv from "iconv-lite";

const require = createRequire(import.meta.url);

/** The package for charsets that neither we nor Node.js know. It is loaded when the first of them is met: 15 ms that most runs, and all their threads, do without. */
function iconv(): typeof Iconv {
  return require("iconv-lite") as typeof Iconv;
}

/** True when text of that charset can be decoded. */
export function isRareCharset(name: string): boolean {
  return iconv().encodingExists(name);
}

export function decodeRareCharset(bytes: Buffer, name: string): string {
  return iconv().decode(bytes, name);
}
