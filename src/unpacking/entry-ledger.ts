import { ArchiveError } from "../errors.ts";
import { unsafeEntry } from "./entry-path.ts";
import { type PathKind, PathSet } from "./path-set.ts";
import type { UnpackLimits } from "./unpack-limits.ts";

/** Extensions of archives inside an archive, which are not unpacked: a nested bomb stays a file. */
const NESTED_ARCHIVE = /\.(?:zip|tar|tgz|gz|bz2|tbz2?|xz|txz|zst|7z|rar)$/i;

/** Accounts for the content of an archive, and rejects entries beyond the limits or with a repeated path. */
export class EntryLedger {
  private readonly paths = new PathSet();
  /** Directory of the last entry: files of one directory are usually adjacent. */
  private lastParent = "";
  private fileCount = 0;
  private nested = 0;
  private totalBytes = 0;
  private expandedBytes = 0;

  /** @param packedBytes size of the archive file */
  constructor(
    private readonly limits: UnpackLimits,
    private readonly packedBytes: number,
  ) {}

  /** Files and directories so far. */
  get entries(): number {
    return this.paths.size;
  }
  get files(): number {
    return this.fileCount;
  }
  /** Files that are archives by their name. */
  get nestedArchives(): number {
    return this.nested;
  }
  get declaredBytes(): number {
    return this.totalBytes;
  }
  /** Bytes unpacked so far. */
  get unpackedBytes(): number {
    return this.expandedBytes;
  }

  /** Registers an entry before its bytes are read. @param path from `entryPath` */
  admit(path: string, kind: PathKind, declaredBytes: number): void {
    this.admitParents(path);
    const known = this.paths.add(path, kind, declaredBytes);
    if (known !== null && (known === "file" || kind === "file")) {
      throw unsafeEntry(path, known === kind ? "occurs twice" : "is both a file and a directory");
    }
    if (kind === "file") this.fileCount++;
    if (kind === "file" && NESTED_ARCHIVE.test(path)) this.nested++;
    this.requireRoom();
    this.totalBytes += declaredBytes;
    this.requireBounded(this.totalBytes);
  }

  /** Bytes of an admitted file; null if the path is not a file. */
  fileBytes(path: string): number | null {
    return this.paths.bytesOf(path);
  }

  /** Counts bytes as they are unpacked. */
  expand(bytes: number): void {
    this.expandedBytes += bytes;
    this.requireBounded(this.expandedBytes);
  }

  private admitParents(path: string): void {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (parent === this.lastParent) return;
    for (let above = parent; above !== ""; above = above.slice(0, Math.max(0, above.lastIndexOf("/")))) {
      const known = this.paths.add(above, "directory");
      if (known === "file") throw unsafeEntry(above, "is both a file and a directory");
      if (known === "directory") break;
      this.requireRoom();
    }
    this.lastParent = parent;
  }

  private requireRoom(): void {
    if (this.paths.size <= this.limits.maxEntries) return;
    throw new ArchiveError(
      "UNSAFE_ARCHIVE",
      `archive rejected: more than ${this.limits.maxEntries} files and directories`,
    );
  }

  private requireBounded(bytes: number): void {
    const { maxExpandedBytes, ratioFromBytes, maxRatio } = this.limits;
    if (bytes > maxExpandedBytes) {
      throw new ArchiveError("UNSAFE_ARCHIVE", `archive rejected: larger than ${maxExpandedBytes} bytes when unpacked`);
    }
    if (bytes > ratioFromBytes && bytes > this.packedBytes * maxRatio) {
      throw new ArchiveError("UNSAFE_ARCHIVE", `archive rejected: more than ${maxRatio} times as large when unpacked`, {
        hint: "this looks like a decompression bomb; use the mailbox uncompressed",
      });
    }
  }
}
