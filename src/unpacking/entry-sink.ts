import { closeSync, constants, copyFileSync, mkdirSync, openSync, rmSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { writeFully } from "../files/read-fully.ts";
import { unsafeEntry } from "./entry-path.ts";

/**
 * Destination of the entries of an archive, in order. Paths come from `entryPath`. Synchronous: the reader waits for
 * the disk.
 */
export interface EntrySink {
  makeDirectory(path: string): void;
  openFile(path: string): void;
  write(chunk: Uint8Array): void;
  closeFile(): void;
  /** Closes and deletes the file that is being written. */
  dropFile(): void;
  /** A second link to a written file. */
  copyFile(from: string, to: string): void;
}

/** Discards everything, for inspection. */
export const NO_SINK: EntrySink = {
  makeDirectory: () => undefined,
  openFile: () => undefined,
  write: () => undefined,
  closeFile: () => undefined,
  dropFile: () => undefined,
  copyFile: () => undefined,
};

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** Creates a new file; never overwrites, and does not follow links. Windows has neither this flag nor such links. */
const OPEN_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Writes below an initially empty directory of our own. Ignores modes, owners and times of the archive. */
export class DirectorySink implements EntrySink {
  /** The last created directory: files of one directory are usually adjacent. */
  private lastMade = "";
  private descriptor: number | null = null;
  private path = "";

  constructor(private readonly root: string) {}

  makeDirectory(path: string): void {
    if (path === this.lastMade) return;
    written(path, () => mkdirSync(`${this.root}/${path}`, { recursive: true, mode: DIRECTORY_MODE }));
    this.lastMade = path;
  }

  openFile(path: string): void {
    this.makeDirectory(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
    this.path = path;
    this.descriptor = written(path, () => openSync(`${this.root}/${path}`, OPEN_FLAGS, FILE_MODE));
  }

  write(chunk: Uint8Array): void {
    const descriptor = this.descriptor;
    if (descriptor === null) throw new ArchiveError("INTERNAL_ERROR", "entry data arrived before its file was opened");
    written(this.path, () => writeFully(descriptor, chunk));
  }

  closeFile(): void {
    if (this.descriptor === null) return;
    const descriptor = this.descriptor;
    this.descriptor = null;
    written(this.path, () => closeSync(descriptor));
  }

  dropFile(): void {
    this.closeFile();
    written(this.path, () => rmSync(`${this.root}/${this.path}`));
  }

  copyFile(from: string, to: string): void {
    this.makeDirectory(to.slice(0, Math.max(0, to.lastIndexOf("/"))));
    const flags = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
    written(to, () => copyFileSync(`${this.root}/${from}`, `${this.root}/${to}`, flags));
  }
}

/** Passes on one file, or one directory with all its content. Omits links to files outside. */
export class SelectingSink implements EntrySink {
  private isTaken = false;

  /** @param wanted "" for everything */
  constructor(
    private readonly wanted: string,
    private readonly sink: EntrySink,
  ) {}

  makeDirectory(path: string): void {
    if (this.takes(path)) this.sink.makeDirectory(path);
  }

  openFile(path: string): void {
    this.isTaken = this.takes(path);
    if (this.isTaken) this.sink.openFile(path);
  }

  write(chunk: Uint8Array): void {
    if (this.isTaken) this.sink.write(chunk);
  }

  closeFile(): void {
    if (this.isTaken) this.sink.closeFile();
  }

  dropFile(): void {
    if (this.isTaken) this.sink.dropFile();
  }

  copyFile(from: string, to: string): void {
    if (this.takes(from) && this.takes(to)) this.sink.copyFile(from, to);
  }

  private takes(path: string): boolean {
    return this.wanted === "" || path === this.wanted || path.startsWith(`${this.wanted}/`);
  }
}

/** Converts errors of the file system to errors about the archive. */
function written<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === "ENOSPC" || code === "EDQUOT") {
      throw new ArchiveError("DISK_FULL", "cannot unpack the archive: the disk is full", { cause });
    }
    // If `A` and `a` are the same name, or a name is too long for this file system.
    if (code === "EEXIST" || code === "ENOTDIR") throw unsafeEntry(path, "has the name of another entry");
    if (code === "ENAMETOOLONG" || code === "EILSEQ" || code === "EINVAL")
      throw unsafeEntry(path, "has a name that cannot be written");
    throw new ArchiveError("OUTPUT_UNWRITABLE", "cannot unpack the archive: its directory is not writable", { cause });
  }
}
