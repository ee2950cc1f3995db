import { resolve } from "node:path";
import { formatRow } from "../../mail/records/source-formats.ts";
import { joinedUnits, withoutFiles } from "../../sources/maildir/message-files.ts";
import type { WorkUnit } from "../../sources/reading/source.ts";
import { DirectoryHash } from "../../sources/reading/source-hash.ts";
import { storedValue } from "../../store/archive/stored-value.ts";
import type { EarlierArchive } from "../earlier/earlier-archive.ts";
import type { FileHashes } from "../staging/message-header-record.ts";
import type { FileHash, HashFileTask, HashTask } from "../staging/task.ts";
import type { Errand, TaskRunner } from "../workers/worker-pool.ts";
import { addFileHashes } from "./file-hashes.ts";
import { KnownFiles, knownFilesKey } from "./known-files.ts";
import type { LabeledSource } from "./source-watch.ts";

/** A source of this run, and its index among the archive's sources. */
export interface NumberedSource {
  readonly source: LabeledSource;
  readonly index: number;
}

/**
 * Numbers sources: known ones keep their number, new ones follow. If a path is named twice, the second source has
 * only duplicates.
 */
export function numberSources(
  opened: readonly LabeledSource[],
  earlier: EarlierArchive | null,
): readonly NumberedSource[] {
  const known = earlier?.provenance.sources ?? [];
  const taken = new Set<number>();
  let next = known.length;
  return opened.map((source) => {
    const found = known.findIndex(
      ({ path, format }, index) =>
        resolve(path) === resolve(source.name) && format === source.format && !taken.has(index),
    );
    const index = found >= 0 ? found : next++;
    taken.add(index);
    return { source, index };
  });
}

/** A source to read, some of whose files an earlier run may have read. */
export interface ChangedSource extends NumberedSource {
  /** Hashes of its files by units; null for a single file or a completely new source. */
  readonly fileHashes: readonly FileHashes[] | null;
}

/** Options that affect what is read of a source. */
interface ReadingOptions {
  readonly options: { readonly maxMessages: number | null };
  readonly limits: { readonly password: string | null };
}

/**
 * Sources that must be read: all in a first run; in an incremental one, those with a changed hash. Files that are as an
 * earlier run listed them are not read. Hashing runs at disk speed, so a run without changes ends in seconds.
 */
export async function changedSources(
  sources: readonly NumberedSource[],
  earlier: EarlierArchive | null,
  request: ReadingOptions,
  runner: TaskRunner,
): Promise<readonly ChangedSource[]> {
  if (earlier === null || earlier.provenance.options.maxMessages !== request.options.maxMessages)
    return sources.map((source) => ({ ...source, fileHashes: null }));
  const known = earlier.provenance.sources;
  const stored = sources.filter(({ index }) => known[index] !== undefined);
  const directories = new Map<number, HashedDirectory>();
  for (const numbered of stored)
    if (!numbered.source.isFile)
      directories.set(numbered.index, new HashedDirectory(numbered, knownFilesOf(earlier, numbered)));
  const hashes = new Map<number, string>();
  for await (const { task, about, result } of runner.inOrder(hashErrands(stored, directories))) {
    if (task.kind === "hash-file") hashes.set(about.index, (result as FileHash).sha256);
    else directories.get(about.index)!.addHashes(about.units, result as FileHashes);
  }
  for (const [index, directory] of directories)
    hashes.set(index, directory.isUnchanged() ? known[index]!.sha256 : directory.digest());
  return sources.flatMap((source) => {
    const { index } = source;
    const record = known[index];
    if (record === undefined || hashes.get(index) !== record.sha256)
      return { ...source, fileHashes: directories.get(index)?.fileHashes ?? null };
    // A source that was protected may open now.
    const isLocked = formatRow(record.format).takesPassword && record.counts.skipped > 0;
    return isLocked && request.limits.password !== null ? { ...source, fileHashes: null } : [];
  });
}

/** The files that an earlier run read; null if it did not store them. */
function knownFilesOf(earlier: EarlierArchive, { index }: NumberedSource): KnownFiles | null {
  const stored = storedValue(earlier.location, knownFilesKey(index));
  return stored instanceof Uint8Array ? new KnownFiles(stored) : null;
}

/** Units of a source, by number. */
interface NumberedUnits {
  readonly index: number;
  readonly units: readonly number[];
}

function* hashErrands(
  sources: readonly NumberedSource[],
  directories: ReadonlyMap<number, HashedDirectory>,
): Generator<Errand<HashTask | HashFileTask, NumberedUnits>> {
  for (const { source, index } of sources) {
    const { isFile, path, sizeBytes } = source;
    if (isFile) yield { task: { kind: "hash-file", path, sizeBytes }, about: { index, units: [] } };
    else
      for (const { unit, about: units } of joinedUnits(directories.get(index)!.unread()))
        yield { task: { kind: "hash", unit }, about: { index, units } };
  }
}

/** A directory whose message files are hashed, except those that an earlier run read. */
class HashedDirectory {
  /** By unit. */
  readonly fileHashes: (string | null)[][] = [];
  private readonly units: readonly WorkUnit[];
  private knownCount = 0;
  private isEveryFileKnown = true;

  constructor(
    { source }: NumberedSource,
    private readonly known: KnownFiles | null,
  ) {
    this.units = [...source.units()];
  }

  /** The files that must be read, by unit. */
  *unread(): Generator<{ readonly unit: WorkUnit; readonly isPart: boolean; readonly about: number }> {
    for (const [number, unit] of this.units.entries()) {
      const hashes = this.known?.hashesOf(unit) ?? [];
      this.fileHashes.push([...hashes]);
      const isKnown = hashes.map((sha256) => sha256 !== null);
      this.knownCount += isKnown.filter((isOne) => isOne).length;
      const rest = unit.kind === "files" && isKnown.includes(true) ? withoutFiles(unit, isKnown) : unit;
      if (rest === null) continue;
      this.isEveryFileKnown = false;
      yield { unit: rest, isPart: rest !== unit, about: number };
    }
  }

  /** Adds the hashes of the files of some units that were not known, in order. */
  addHashes(units: readonly number[], read: FileHashes): void {
    let next = 0;
    for (const unit of units) {
      const hashes = this.fileHashes[unit]!;
      if (hashes.length === 0) hashes.push(...read);
      else for (const [file, sha256] of hashes.entries()) if (sha256 === null) hashes[file] = read[next++]!;
    }
  }

  /** True if it has the files that an earlier run read, and no others. */
  isUnchanged(): boolean {
    return this.isEveryFileKnown && this.knownCount === this.known?.size;
  }

  digest(): string {
    const directory = new DirectoryHash();
    for (const [number, unit] of this.units.entries()) addFileHashes(directory, unit, this.fileHashes[number]!);
    return directory.digest();
  }
}
