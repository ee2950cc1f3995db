import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiskCall } from "./disk-layer.ts";

/** Directory for tests that sync thousands of times: in memory if possible. */
export const UNSLOWED_DIRECTORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/**
 * File names that survive a power cut: `synced` keeps those of directories synced since their last change, `all` every
 * change until the power cut. Real file systems are between the two. File contents are those of the last sync; a file
 * that was never synced is empty.
 */
export type KeptNames = "synced" | "all";

/** Names in a directory with their inodes. */
type Names = ReadonlyMap<string, number>;

/**
 * A disk that loses unsynced data: it observes every call of a layer under `node:fs`, and can write the state of a
 * directory after a power cut. Linux only: it resolves descriptors with /proc.
 */
export class ForgetfulDisk {
  private readonly root: string;
  private readonly bytes = new Map<number, Buffer>();
  private readonly names = new Map<number, Names>();
  /** Kept open, so that no inode is reused for another file. */
  private readonly held: number[] = [];

  /** @param root a directory that is completely on disk */
  constructor(root: string) {
    this.root = root;
    this.remember(root);
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
      this.remember(join(entry.parentPath, entry.name));
  }

  /** Called before each call of the layer. */
  observe({ synced }: DiskCall): void {
    if (synced !== null) this.remember(readlinkSync(`/proc/self/fd/${synced}`));
  }

  /** Writes the state after a power cut to a new directory. */
  cut(target: string, kept: KeptNames): void {
    const pending = [{ inode: lstatSync(this.root).ino, path: this.root, target }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      mkdirSync(next.target);
      for (const [name, inode] of kept === "all"
        ? namesIn(next.path)
        : (this.names.get(next.inode) ?? new Map<string, number>())) {
        const place = join(next.target, name);
        if (this.isDirectory(inode, join(next.path, name)))
          pending.push({ inode, path: join(next.path, name), target: place });
        else writeFileSync(place, this.bytes.get(inode) ?? "");
      }
    }
  }

  close(): void {
    for (const descriptor of this.held) closeSync(descriptor);
  }

  private isDirectory(inode: number, path: string): boolean {
    if (this.names.has(inode)) return true;
    if (this.bytes.has(inode)) return false;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.ino === inode && stats.isDirectory();
  }

  private remember(path: string): void {
    const descriptor = openSync(path, "r");
    this.held.push(descriptor);
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) this.names.set(stats.ino, namesIn(path));
    else this.bytes.set(stats.ino, readFileSync(path));
  }
}

function namesIn(path: string): Names {
  return new Map(readdirSync(path).map((name) => [name, lstatSync(join(path, name)).ino]));
}
