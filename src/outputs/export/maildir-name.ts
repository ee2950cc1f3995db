import type { ArchivedMessage } from "../../mail/archive.ts";

/**
 * Words of the archive and the letters of a Maildir name, which stand in the order of ASCII
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
 * The file of a message in a Maildir: unique by its id, its flags behind `:2,` (`;2,` where the system allows no
 * colon).
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

/**
 * The directory of a mailbox by the rule of Maildir++: INBOX is the root, every other folder a directory of it, levels
 * parted by dots.
 */
export function maildirFolder(levels: readonly string[]): string {
  if (levels.length === 1 && levels[0]!.toLowerCase() === "inbox") return "";
  return `.${levels.map((level) => level.replaceAll(".", "_")).join(".")}/`;
}
