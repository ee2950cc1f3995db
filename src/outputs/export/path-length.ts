import { hash } from "node:crypto";

/** Maximum characters of a path on Windows, including drive and file name, without the final NUL. */
const MAX_PATH = 259;
/** Characters left for exported files, after the path of the export. */
const LEAST_ROOM = 120;
/** Characters of a message's file name: date, id, extension and the beginning of its subject. */
const NAME_ROOM = 64;
/** Hex digits of the SHA-256 at the end of a shortened path: two folders never share a path. */
const HASH_DIGITS = 16;
/** Characters reserved for the number that distinguishes names that became equal. */
const COUNT_ROOM = 8;

/** Maximum UTF-16 units of a path below a directory on Windows. */
export function maxPathLength(directory: string): number {
  return Math.max(MAX_PATH - directory.length - 1, LEAST_ROOM);
}

/** Shortens the levels of a folder so that files fit: long paths are truncated and end in a hash of the whole. */
export function shortenedFolder(levels: readonly string[], room: number): readonly string[] {
  const path = levels.join("/");
  const most = room - NAME_ROOM - COUNT_ROOM - 1;
  if (path.length <= most) return levels;
  const kept = path.slice(0, most - HASH_DIGITS - 1).replace(/[\ud800-\udbff]$/, "");
  return `${kept.replace(/[/ .]{1,8}$/, "")}~${hash("sha256", path).slice(0, HASH_DIGITS)}`.split("/");
}
