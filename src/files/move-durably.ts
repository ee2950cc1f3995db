import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { PRIVATE_DIRECTORY, replaceFile, syncDirectory, syncFile, UNFINISHED_SUFFIX } from "./durable-files.ts";

/**
 * Moves a file or directory; across file systems, copies and deletes it. Not on disk before the directories are synced.
 */
export function moveDurably(source: string, target: string): void {
  const pending = [{ source, target }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    try {
      replaceFile(next.source, next.target);
    } catch (error) {
      if (systemErrorCode(error) !== "EXDEV") throw error;
      if (statSync(next.source).isDirectory()) {
        mkdirSync(next.target, { mode: PRIVATE_DIRECTORY, recursive: true });
        syncDirectory(dirname(next.target));
        for (const name of readdirSync(next.source))
          pending.push({ source: join(next.source, name), target: join(next.target, name) });
      } else copyOver(next.source, next.target);
    }
  }
}

function copyOver(source: string, target: string): void {
  const unfinished = `${target}${UNFINISHED_SUFFIX}`;
  copyFileSync(source, unfinished);
  syncFile(unfinished);
  replaceFile(unfinished, target);
  syncDirectory(dirname(target));
  rmSync(source);
}
