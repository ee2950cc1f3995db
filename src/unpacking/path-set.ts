import { createHash } from "node:crypto";
import { Float64Column, Uint8Column, Uint32Column } from "../columns/column.ts";
import { HashIndex, NO_ENTRY } from "../columns/hash-index.ts";

/** Kind of a seen path. */
export type PathKind = "file" | "directory";

const KINDS: readonly PathKind[] = ["directory", "file"];

/**
 * Set of seen paths by 64 bits of their SHA-256, with file sizes: at most 33 bytes per path, where a set of two
 * million strings would take 250 MB. If two paths collide (one archive of a million in forty million), they look like
 * duplicates, never the other way round.
 */
export class PathSet {
  private readonly index = new HashIndex();
  /** The half of the hash that is not in the index. */
  private readonly hashes = new Uint32Column();
  private readonly kinds = new Uint8Column();
  private readonly bytes = new Float64Column();

  get size(): number {
    return this.index.size;
  }

  /** Adds a new path; returns the kind of an existing one. */
  add(path: string, kind: PathKind, bytes = 0): PathKind | null {
    const { first, second } = hashOf(path);
    const known = this.find(first, second);
    if (known !== NO_ENTRY) return KINDS[this.kinds.at(known)]!;
    this.index.add();
    this.hashes.push(second);
    this.kinds.push(KINDS.indexOf(kind));
    this.bytes.push(bytes);
    return null;
  }

  /** Bytes of an added file; null if the path is not a file. */
  bytesOf(path: string): number | null {
    const { first, second } = hashOf(path);
    const known = this.find(first, second);
    return known !== NO_ENTRY && KINDS[this.kinds.at(known)] === "file" ? this.bytes.at(known) : null;
  }

  private find(first: number, second: number): number {
    let entry = this.index.first(first);
    while (entry !== NO_ENTRY && this.hashes.at(entry) !== second) entry = this.index.next();
    return entry;
  }
}

function hashOf(path: string): { readonly first: number; readonly second: number } {
  const digest = createHash("sha256").update(path).digest();
  return { first: digest.readUInt32LE(0), second: digest.readUInt32LE(4) };
}
