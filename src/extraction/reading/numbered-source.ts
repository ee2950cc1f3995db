import { resolve } from "node:path";
import { formatRow } from "../../mail/records/source-formats.ts";
import { DirectoryHash } from "../../sources/reading/source-hash.ts";
import type { EarlierArchive } from "../earlier/earlier-archive.ts";
import type { FileHashes } from "../staging/message-header-record.ts";
import type { FileHash, HashFileTask, HashTask } from "../staging/task.ts";
import type { Errand, TaskRunner } from "../workers/worker-pool.ts";
import { addFileHashes } from "./file-hashes.ts";
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
 * Sources that must be read: all in a first run; in an incremental one, those with a changed hash. Hashing runs at
 * disk speed, so a run without changes ends in seconds.
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
  const directoryHashes = new Map<number, DirectoryHash>();
  const fileHashes = new Map<number, FileHashes[]>();
  const hashes = new Map<number, string>();
  for await (const { task, about, result } of runner.inOrder(
    hashErrands(sources.filter(({ index }) => known[index] !== undefined)),
  )) {
    if (task.kind === "hash-file") {
      hashes.set(about.index, (result as FileHash).sha256);
      continue;
    }
    const directory = directoryHashes.get(about.index) ?? new DirectoryHash();
    directoryHashes.set(about.index, directory);
    addFileHashes(directory, task.unit, result as FileHashes);
    const ofUnits = fileHashes.get(about.index) ?? [];
    fileHashes.set(about.index, ofUnits);
    ofUnits.push(result as FileHashes);
  }
  for (const [index, directory] of directoryHashes) hashes.set(index, directory.digest());
  return sources.flatMap((source) => {
    const { index } = source;
    const record = known[index];
    if (record === undefined || hashes.get(index) !== record.sha256)
      return { ...source, fileHashes: fileHashes.get(index) ?? null };
    // A source that was protected may open now.
    const isLocked = formatRow(record.format).takesPassword && record.counts.skipped > 0;
    return isLocked && request.limits.password !== null ? { ...source, fileHashes: null } : [];
  });
}

function* hashErrands(sources: readonly NumberedSource[]): Generator<Errand<HashTask | HashFileTask, NumberedSource>> {
  for (const numbered of sources) {
    const { source } = numbered;
    const { isFile, path, sizeBytes } = source;
    if (isFile) yield { task: { kind: "hash-file", path, sizeBytes }, about: numbered };
    else for (const unit of source.units()) yield { task: { kind: "hash", unit }, about: numbered };
  }
}
