import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UNFINISHED_SUFFIX } from "./data-directory.ts";

/** Files synced at a time: file systems write the waiting ones together. */
const SYNCED_AT_ONCE = 16;
/** What a fresh file may be: read and written by the user of the service. */
const PRIVATE_FILE = 0o600;

/** Waits until every file and directory below a directory is on disk, so that what is said to be done survives a power cut. */
export async function syncTree(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true });
  const pending = [root, ...entries.map((entry) => join(root, entry))].values();
  const syncNext = async (): Promise<void> => {
    for (const path of pending) await syncPath(path);
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, syncNext));
}

/** Waits until a file, or what was renamed in a directory, is on disk; others are served meanwhile. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a small file whole or not at all, and on disk when the call returns. */
export function writeDurably(path: string, text: string): void {
  const unfinished = `${path}${UNFINISHED_SUFFIX}`;
  writeFileSync(unfinished, text, { mode: PRIVATE_FILE, flush: true });
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}

/** Waits until what was renamed in a directory is on disk. */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
