import { relative, sep } from "node:path";

/** Characters without special meaning in any shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;
const PLAIN_ON_WINDOWS = /^[\w@+=:,./\\~-]+$/;
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/**
 * A path as one word of a command line that can be copied; control characters are written as escapes, which bash and
 * zsh read.
 */
export function shellWord(path: string, platform: NodeJS.Platform): string {
  // A word that begins with a dash would be a flag.
  const word = path.startsWith("-") ? `./${path}` : path;
  if (platform === "win32") return PLAIN_ON_WINDOWS.test(word) ? word : `"${word}"`;
  if (PLAIN.test(word)) return word;
  return CONTROL.test(word) ? ansiQuoted(word) : `'${word.replaceAll("'", "'\\''")}'`;
}

/** `$'…'` (POSIX.1-2024 section 2.2.4), with an escape for every byte that is not visible ASCII. */
function ansiQuoted(word: string): string {
  let quoted = "";
  for (const byte of Buffer.from(word, "utf8")) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
    // Three octal digits, so that a following digit never becomes part of the escape.
    quoted += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `$'${quoted}'`;
}

/**
 * How this program was started, for suggested commands: its name, or `node dist/cli/main.js` in a checkout. @param
 * script path of the running script
 */
export function invocationOf(script: string, directory: string, platform: NodeJS.Platform): string {
  const isCheckout = script.endsWith(`${sep}main.js`) && !script.includes(`${sep}node_modules${sep}`);
  if (!isCheckout) return "archivetool";
  const path = relative(directory, script);
  return `node ${shellWord(path.startsWith("..") ? script : path, platform)}`;
}
