import { hash } from "node:crypto";
import type { ArchivedMessage } from "../../mail/archive.ts";

/**
 * Flags of the archive with the letters of a Maildir name, which must be in ASCII order
 * (https://cr.yp.to/proto/maildir.html).
 */
const LETTERS: readonly (readonly [flag: string, letter: string])[] = [
  ["draft", "D"],
  ["flagged", "F"],
  ["forwarded", "P"],
  ["replied", "R"],
  ["seen", "S"],
  ["deleted", "T"],
];

/**
 * The file name of a message in a Maildir: unique by its id, with its flags after `:2,` (`;2,` if the system does not
 * allow colons).
 */
export function maildirName({
  id,
  sentAt,
  receivedAt,
  flags,
}: Pick<ArchivedMessage, "id" | "sentAt" | "receivedAt" | "flags">): string {
  const seconds = Math.max(0, Math.floor((receivedAt ?? sentAt ?? 0) / 1000));
  const letters = LETTERS.filter(([flag]) => flags.includes(flag)).map(([, letter]) => letter);
  return `${seconds}.${id}.archivetool${process.platform === "win32" ? ";" : ":"}2,${letters.join("")}`;
}

/** Maximum bytes of a folder name: file systems allow 255, and programs append a suffix to names they rename. */
const MAX_FOLDER_BYTES = 200;
/** Hex digits of the SHA-256 at the end of a shortened name: two folders never share a name. */
const HASH_DIGITS = 16;

/**
 * The directory of a mailbox by the rule of Maildir++: INBOX is the root, every other folder a directory in it, with
 * levels separated by dots, which no level may contain.
 */
export function maildirFolder(levels: readonly string[]): string {
  if (levels.length === 1 && levels[0]!.toLowerCase() === "inbox") return "";
  return `.${shortened(levels.join("."))}/`;
}

/** A name that is too long is truncated and ends in a hash of the whole, equal in every run. */
function shortened(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= MAX_FOLDER_BYTES) return name;
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_FOLDER_BYTES - HASH_DIGITS - 1), { stream: true });
  return `${kept}~${hash("sha256", name).slice(0, HASH_DIGITS)}`;
}
