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

/** Where tests that sync thousands of times make their files: in memory where there is a place for that. */
export const UNSLOWED_DIRECTORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/**
 * What a power cut keeps of names: `synced` those of directories that were synced since, `all` every change up to that
 * moment. File systems are somewhere between; the bytes of a file are kept as they were when it was synced, and else
 * there are none.
 */
export type KeptNames = "synced" | "all";

/** Names in a directory and what they name, by inode. */
type Names = ReadonlyMap<string, number>;

/**
 * A disk that forgets: it is told every call of a layer under `node:fs`, and makes at any moment what a power cut would
 * leave of a directory. Linux only: it asks /proc where a descriptor leads.
 */
export class ForgetfulDisk {
  private readonly root: string;
  private readonly bytes = new Map<number, Buffer>();
  private readonly names = new Map<number, Names>();
  /** Held open, so that no inode is given to another file. */
  private readonly held: number[] = [];

  /** @param root a directory all of which is on disk */
  constructor(root: string) {
    this.root = root;
    this.remember(root);
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
      this.remember(join(entry.parentPath, entry.name));
  }

  /** Hears of a call that is about to happen. */
  observe({ synced }: DiskCall): void {
    if (synced !== null) this.remember(readlinkSync(`/proc/self/fd/${synced}`));
  }

  /** Writes to a new directory what a power cut would leave now. */
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
