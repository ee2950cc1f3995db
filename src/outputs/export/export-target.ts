import { createHash, type Hash } from "node:crypto";
import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from "../../files/durable-files.ts";
import type { Instant } from "../../mail/dates/instant.ts";

/** Bytes buffered per open file: an export of folders has hundreds open. */
const FLUSH_BYTES = 1 << 15;

/** A file of an export. */
export interface ExportedFile {
  /** Relative to the export, with `/` between levels. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A new export file, written sequentially and hashed at the same time. */
export class ExportFile {
  private readonly descriptor: number;
  private readonly hash: Hash = createHash("sha256");
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private sizeBytes = 0;

  constructor(
    root: string,
    readonly path: string,
  ) {
    const place = join(root, path);
    mkdirSync(dirname(place), { recursive: true, mode: PRIVATE_DIRECTORY });
    this.descriptor = openSync(place, "wx", PRIVATE_FILE);
  }

  /** Bytes must not change before the next write. */
  write(content: string | Buffer): void {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    if (this.pendingBytes >= FLUSH_BYTES) this.flush();
  }

  close(): ExportedFile {
    this.flush();
    closeSync(this.descriptor);
    return { path: this.path, sizeBytes: this.sizeBytes, sha256: this.hash.digest("hex") };
  }

  private flush(): void {
    for (const bytes of this.pending) {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.descriptor, bytes, written);
      this.hash.update(bytes);
      this.sizeBytes += bytes.length;
    }
    this.pending = [];
    this.pendingBytes = 0;
  }
}

/** Private build directory of an export until it is complete. */
export class ExportTarget {
  /** @param onFile called for every complete file; the target does not keep a list */
  constructor(
    private readonly root: string,
    private readonly onFile: (file: ExportedFile) => void = () => undefined,
    private readonly prefix: string = "",
  ) {}

  /** Begins a file, which `closeFile` ends. */
  openFile(path: string): ExportFile {
    return new ExportFile(this.root, this.prefix + path);
  }

  closeFile(file: ExportFile): ExportedFile {
    const done = file.close();
    this.onFile(done);
    return done;
  }

  /** @param modifiedAt modification time of the file; null for now */
  writeFile(path: string, content: string | Buffer, modifiedAt: Instant | null = null): ExportedFile {
    const file = this.openFile(path);
    file.write(content);
    const done = this.closeFile(file);
    if (modifiedAt !== null) setTime(join(this.root, this.prefix + path), modifiedAt);
    return done;
  }

  makeDirectory(path: string): void {
    mkdirSync(join(this.root, this.prefix + path), { recursive: true, mode: PRIVATE_DIRECTORY });
  }
}

/** File systems that cannot store the date keep their own. */
function setTime(path: string, modifiedAt: Instant): void {
  const seconds = modifiedAt / 1000;
  try {
    utimesSync(path, seconds, seconds);
  } catch {
    // The message contains the date, too.
  }
}
