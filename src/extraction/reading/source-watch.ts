import { type BigIntStats, closeSync, openSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { readFully } from "../../files/read-fully.ts";
import { formatRow } from "../../mail/records/source-formats.ts";
import type { SourcePlace } from "../../sources/finding/resolve-input.ts";
import { openSource } from "../../sources/formats/detect-format.ts";
import { mailboxOfFile } from "../../sources/mbox/mbox.ts";
import { DISK_FAULTS } from "../../sources/reading/disk-faults.ts";
import type { OpenedSource, SourceItem, SourceLimits } from "../../sources/reading/source.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";

/** Metadata of a path when it was opened; null if the source was already gone. */
type SourceState = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs"> | null;

/**
 * Bytes at the beginning and end of a mailbox that are compared. Insertions move the end; appending leaves both
 * unchanged.
 */
const REMEMBERED_BYTES = 64 * 1024;

/** An open source and its name in the archive. */
export interface LabeledSource extends OpenedSource {
  readonly name: string;
}

/** The sources of a run with their state before reading. */
export class SourceWatch {
  private readonly states = new Map<OpenedSource, SourceState>();
  /** First and last bytes of mailboxes. */
  private readonly ends = new Map<OpenedSource, Buffer>();

  /** Opens a source as `openSource` does; errors include its name. */
  async open({ path, name }: SourcePlace, limits: SourceLimits): Promise<LabeledSource> {
    const before = stateOf(path);
    const opened = await openSource(path, limits).catch((error: unknown) => {
      throw named(error, { path, name });
    });
    // A mailbox may be inside a package at that path.
    const source = { ...opened, name: name + opened.path.slice(path.length) };
    // For a mailbox packed into a directory, the file inside it is read.
    this.states.set(source, source.path === path ? before : stateOf(source.path));
    if (formatRow(source.format).growsAtEnd) this.ends.set(source, endsOf(source));
    return source;
  }

  /**
   * Throws if a source has changed: SOURCE_LOST if it is gone, or another directory has its name (a disk that was
   * removed, or mounted over it); SOURCE_CHANGED if a file was replaced or written to. Files of a directory may
   * change. A mailbox may grow.
   */
  requireSame(source: OpenedSource): void {
    const before = this.states.get(source) ?? null;
    const now = stateOf(source.path);
    if (before === null || now === null) throw lost(source.path);
    const isSamePlace = before.dev === now.dev && before.ino === now.ino;
    if (!source.isFile) {
      if (!isSamePlace) throw lost(source.path);
      return;
    }
    const isSameContent = before.size === now.size && before.mtimeNs === now.mtimeNs && before.ctimeNs === now.ctimeNs;
    if (isSamePlace && !isSameContent && this.hasGrown(source)) return;
    if (!isSamePlace || !isSameContent)
      throw new ArchiveError("SOURCE_CHANGED", `${source.path} changed while it was read`);
  }

  /** Notes that mail was added to a mailbox while it was read; none for other sources. */
  growthNotes(source: OpenedSource): readonly SourceItem[] {
    if (!this.hasGrown(source)) return [];
    const message = `mail was added to the file while it was read: data after the first ${source.sizeBytes} bytes is left to the next run`;
    const place = { mailbox: mailboxOfFile(source.path), location: `offset:${source.sizeBytes}` };
    return [{ kind: "note", ...place, code: "mbox-grew", message, sha256: null }];
  }

  private hasGrown(source: OpenedSource): boolean {
    const ends = this.ends.get(source);
    if (ends === undefined) return false;
    const now = stateOf(source.path);
    return now !== null && now.size > source.sizeBytes && endsOf(source).equals(ends);
  }

  /** Replaces a reading error by that of the source, if it has one. */
  explained(error: unknown, sources: readonly OpenedSource[]): unknown {
    if (error instanceof ArchiveError || systemErrorCode(error) === null) return error;
    try {
      for (const source of sources) this.requireSame(source);
    } catch (fault) {
      return fault;
    }
    if (!DISK_FAULTS.has(systemErrorCode(error) ?? "")) return error;
    return new ArchiveError("SOURCE_LOST", "the disk of a source failed while it was read", { cause: error });
  }
}

/** The first and last bytes of a file at its original length. */
function endsOf({ path, sizeBytes }: OpenedSource): Buffer {
  const descriptor = openSync(encodePath(path), "r");
  try {
    const bytes = Buffer.alloc(Math.min(sizeBytes, 2 * REMEMBERED_BYTES));
    const half = bytes.length >>> 1;
    readFully(descriptor, bytes.subarray(0, half), 0);
    readFully(descriptor, bytes.subarray(half), sizeBytes - (bytes.length - half));
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** Files that a source may lose during a run, because mail programs move a few; of more than a thousand, this share. */
const FEW_FILES = 10;
const FEW_SHARE = 0.01;

/** Counts the files that each source lost during the run: they vanished, or their disk failed. */
export class LostFiles {
  private readonly counts = new Map<OpenedSource, { lost: number; all: number }>();

  add(source: OpenedSource, lost: number, all: number): void {
    const count = this.counts.get(source) ?? { lost: 0, all: 0 };
    count.lost += lost;
    count.all += all;
    this.counts.set(source, count);
  }

  /**
   * Throws SOURCE_LOST for a source that lost all of its files, and SOURCE_CHANGED for one that lost more than a few.
   * @param allowMissing true to accept any number, as long as one file is left
   */
  requireFew(allowMissing: boolean): void {
    for (const [source, { lost: gone, all }] of this.counts) {
      if (gone === 0) continue;
      if (gone === all) throw lost(source.path);
      const few = Math.min(Math.max(FEW_FILES, all * FEW_SHARE), all / 2);
      if (allowMissing || gone <= few) continue;
      throw new ArchiveError(
        "SOURCE_CHANGED",
        `${source.path}: ${formatCount(gone)} of ${countOf(all, "file")} disappeared before they could be read`,
        { hint: "run again when the source no longer changes, or skip these files with --allow-missing" },
      );
    }
  }
}

/** Uses the user's path instead of the directory that a source was unpacked to. */
function named(error: unknown, { path, name }: SourcePlace): unknown {
  if (path === name || !(error instanceof ArchiveError)) return error;
  const { code, hint } = error;
  return new ArchiveError(code, error.message.replaceAll(path, name), { hint: hint.replaceAll(path, name) });
}

function lost(path: string): ArchiveError {
  return new ArchiveError("SOURCE_LOST", `${path} disappeared while it was read`);
}

function stateOf(path: string): SourceState {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(encodePath(path), { bigint: true });
    return { dev, ino, size, mtimeNs, ctimeNs };
  } catch {
    return null;
  }
}

/** Rejects sources in the output directory, which the run would replace. */
export function requireOutside(paths: readonly string[], outputDirectory: string): void {
  const output = realPath(outputDirectory);
  for (const path of paths) {
    const source = realPath(path);
    if (source !== output && !source.startsWith(output + sep)) continue;
    throw new ArchiveError("INVALID_ARGUMENT", `${path} is in the output directory ${outputDirectory}`, {
      hint: "select another directory with --output",
    });
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(encodePath(path), "utf8");
  } catch {
    return resolve(path);
  }
}
