import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { syncDirectory } from "../../files/durable-files.ts";
import { makeDirectories } from "../../files/make-directories.ts";
import { identifyProcess } from "../../files/process-identity.ts";
import { agreesWithChecksums, requirePublishable } from "../../store/archive/publish-archive.ts";
import { archiveIn, OUTPUT_LOCK_FILE } from "../../store/contract/archive-location.ts";
import { PEOPLE_FILE, TOPICS_FILE } from "../../store/notebook/corrections-file.ts";
import { acquireFileLock, type FileLock } from "../../store/sqlite/files/file-lock.ts";
import {
  type DamagedFile,
  findChanges,
  findDamage,
  MANIFEST_FILE,
  type OutputFile,
  readManifest,
} from "./output-manifest.ts";
import { abandonPublish, finishPublish, inspectUnfinished, isPublishBegun, publishOutput } from "./publish.ts";
import type { Stop } from "./publish-gate.ts";
import {
  canGoOn,
  isRunDirectory,
  makeRunDirectory,
  ownerFileOf,
  ownerOf,
  RUN_DIRECTORY,
  type RunDirectory,
  type RunMaker,
  runDirectoriesIn,
  stateOfOwner,
  takeRunDirectory,
  writerOf,
} from "./run-directory.ts";

/** The process that claims an output directory. */
export interface OutputClaimant extends RunMaker {
  readonly directory: string;
  /** True for an incremental run, which requires an undamaged archive. */
  readonly isIncremental: boolean;
  readonly signal: AbortSignal;
}

/** A run that ended before it published. */
export type StoppedRun = Pick<OutputClaimant, "directory" | "processId" | "begunAt">;

/** An output directory owned by one run. */
export class OutputClaim {
  /** Description of the interrupted run that this run resumes, or null. */
  readonly goesOnFrom: string | null;
  /** Files of the earlier output, if any. */
  readonly earlier: readonly OutputFile[];
  /** Repairs made, one line each, for the user. */
  readonly notes: readonly string[];

  constructor(
    private readonly place: OutputPlace,
    readonly run: RunDirectory,
    found: FoundOutput,
  ) {
    this.goesOnFrom = found.goesOnFrom;
    this.earlier = found.earlier;
    this.notes = found.notes;
  }

  /**
   * Returns files of the earlier output that differ from what was written, or its list if that is damaged. Reads files
   * that were modified since, and the archive, which must be intact to be added to. Reads all files if something is
   * damaged or an earlier run was interrupted.
   */
  async findDamage(signal: AbortSignal): Promise<readonly DamagedFile[]> {
    const { directory } = this.place;
    if (existsSync(join(directory, MANIFEST_FILE)) && readManifest(directory) === null)
      return [{ path: MANIFEST_FILE, what: "changed" }];
    if (this.notes.length === 0) {
      const changes = await findChanges(directory, this.earlier, signal);
      if (changes.length === 0 && agreesWithChecksums(archiveIn(directory))) return [];
    }
    return findDamage(directory, this.earlier, signal);
  }

  /** Publishes `run.output`. Throws like `publishOutput`. */
  publish(kept: ReadonlySet<string>, stop: Stop): Promise<readonly string[]> {
    return publishOutput(this.run, this.place.directory, { earlier: this.earlier, kept, stop });
  }

  /** Releases the directory. Removes the run directory, except during a publish: the next command finishes it. */
  close(): void {
    if (!isPublishBegun(this.run.root)) removeRunDirectory(this.run.root, this.place.directory);
    this.place.leave();
  }
}

interface FoundOutput {
  readonly earlier: readonly OutputFile[];
  readonly notes: readonly string[];
  readonly goesOnFrom: string | null;
}

/**
 * Takes an output directory for a run: missing, empty, or an earlier output of ours. Finishes an interrupted publish
 * and removes leftovers of ended runs.
 *
 * @throws ArchiveError OUTPUT_NOT_OURS; OUTPUT_BUSY while another run is at work, or may be on another machine;
 * OUTPUT_UNWRITABLE; OUTPUT_UNFINISHED and ARCHIVE_DAMAGED for a publish that can neither be finished nor, by this run,
 * be replaced
 */
export async function claimOutput(claimant: OutputClaimant): Promise<OutputClaim> {
  const { directory, isIncremental, signal } = claimant;
  try {
    requireOurs(directory);
    const place = enterOutput(directory);
    try {
      // If files cannot be locked, two runs could take the directory.
      const maker = place.isLocked ? claimant : null;
      const settling = { isLocked: place.isLocked, isReplaced: !isIncremental, maker, signal };
      const { notes, abandoned, left } = await settleRuns(directory, settling);
      const earlier = [...(readManifest(directory) ?? []), ...abandoned];
      requirePublishable(archiveIn(directory));
      const goesOnFrom = left === null ? null : writerOf(left);
      const run = left === null ? makeRunDirectory(directory, claimant) : takeRunDirectory(left, claimant);
      return new OutputClaim(place, run, { earlier, notes, goesOnFrom });
    } catch (error) {
      place.leave();
      throw error;
    }
  } catch (cause) {
    if (cause instanceof ArchiveError || signal.aborted) throw cause;
    throw new ArchiveError("OUTPUT_UNWRITABLE", `cannot write to ${directory}`, { cause });
  }
}

/** Files that an output directory may have before its first run. Users may write the corrections first. */
const MAY_COME_FIRST: ReadonlySet<string> = new Set([OUTPUT_LOCK_FILE, PEOPLE_FILE, TOPICS_FILE]);

/** Never write to a directory with unrelated files. */
function requireOurs(directory: string): void {
  if (!existsSync(directory)) return;
  const names = readdirSync(directory);
  // A damaged list is ours, too: no other program creates a file with that name.
  if (names.every((name) => isRunDirectory(name) || MAY_COME_FIRST.has(name)) || names.includes(MANIFEST_FILE)) return;
  // An interrupted publish of a first run has moved files, but its list comes last.
  if (runDirectoriesIn(directory).some((name) => isPublishBegun(join(directory, name)))) return;
  throw new ArchiveError("OUTPUT_NOT_OURS", `${directory} is not empty and is not an archivetool output directory`);
}

/** An output directory with exclusive access until it is released. */
class OutputPlace {
  /** False if files cannot be locked: then only the run directory excludes others. */
  readonly isLocked: boolean;

  constructor(
    readonly directory: string,
    private readonly lock: FileLock | null,
    private readonly made: readonly string[],
  ) {
    this.isLocked = lock !== null;
  }

  /** Releases the lock and removes directories created for a failed run. */
  leave(): void {
    if (this.removeUnused()) this.lock?.release();
    else {
      this.lock?.release();
      // Windows cannot remove open files.
      this.removeUnused();
    }
  }

  /** Returns false if leftovers remain: another program added files, or the disk fails. */
  private removeUnused(): boolean {
    try {
      if (existsSync(join(this.directory, MANIFEST_FILE)) || runDirectoriesIn(this.directory).length > 0) return true;
      rmSync(join(this.directory, OUTPUT_LOCK_FILE), { force: true });
      for (const path of this.made) rmdirSync(path);
      return true;
    } catch {
      // The earlier error is the one reported.
      return false;
    }
  }
}

/** Creates the directory and locks it. Throws OUTPUT_BUSY or the system error. */
function enterOutput(directory: string): OutputPlace {
  const made = makeDirectories(directory);
  let lock: FileLock | null;
  try {
    lock = acquireFileLock(join(directory, OUTPUT_LOCK_FILE));
  } catch (error) {
    if (!isLockless(error)) throw error;
    return new OutputPlace(directory, null, made);
  }
  if (lock === null)
    throw new ArchiveError("OUTPUT_BUSY", `${writerOf(join(directory, RUN_DIRECTORY))} is writing to ${directory}`);
  return new OutputPlace(directory, lock, made);
}

/** SQLite error of a file system without locks, such as some network file systems. */
function isLockless(error: unknown): boolean {
  const code = systemErrorCode(error) ?? "";
  return code.startsWith("SQLITE_IOERR") || code === "SQLITE_PROTOCOL";
}

/**
 * Removes leftovers of a run in this process whose thread was stopped and could not close its claim. @param made
 * directories created by the run, the deepest first
 */
export function removeStoppedRun({ directory, processId, begunAt }: StoppedRun, made: readonly string[]): void {
  const root = join(directory, RUN_DIRECTORY);
  const owner = ownerOf(root);
  // A run directory appears with its owner file. Without it, its removal was interrupted, as by the end of the thread.
  const isOurs =
    owner === null
      ? !existsSync(ownerFileOf(root))
      : owner.begunAt === begunAt && isDeepStrictEqual(owner.process, identifyProcess(processId));
  if (isOurs && !isPublishBegun(root)) removeRunDirectory(root, directory);
  new OutputPlace(directory, null, made).leave();
}

/** How to clean up after earlier runs. */
interface Settling {
  readonly isLocked: boolean;
  /** True if the output will be replaced, so that a damaged publish need not be finished. */
  readonly isReplaced: boolean;
  /** The run that may resume an interrupted run of the same command, or null. */
  readonly maker: RunMaker | null;
  readonly signal: AbortSignal;
}

interface SettledRuns {
  readonly notes: readonly string[];
  /** Files of a damaged publish that was abandoned; the next publish removes or replaces them. */
  readonly abandoned: readonly OutputFile[];
  /** The directory of the run to resume, or null. */
  readonly left: string | null;
}

async function settleRuns(directory: string, settling: Settling): Promise<SettledRuns> {
  const notes: string[] = [];
  const abandoned: OutputFile[] = [];
  let left: string | null = null;
  for (const name of runDirectoriesIn(directory)) {
    const root = join(directory, name);
    requireEnded(root, directory, settling.isLocked);
    const who = writerOf(root);
    if (isPublishBegun(root)) {
      const settled = await settlePublish({ root, directory, who }, settling);
      notes.push(settled.note);
      abandoned.push(...settled.abandoned);
    } else if (settling.maker !== null && canGoOn(root, settling.maker)) {
      left = root;
      continue;
    } else notes.push(`${who} was interrupted: removed its temporary files from ${directory}`);
    removeRunDirectory(root, directory);
  }
  return { notes, abandoned, left };
}

/** Finishes an interrupted publish, or abandons it if its files are lost. */
async function settlePublish(
  { root, directory, who }: { readonly root: string; readonly directory: string; readonly who: string },
  { isReplaced, signal }: Settling,
): Promise<{ readonly note: string; readonly abandoned: readonly OutputFile[] }> {
  const { files, damaged, isUntouched } = await inspectUnfinished(root, directory, signal);
  if (damaged.length === 0) {
    finishPublish(root, directory);
    const note = `${who} was interrupted while publishing its output: completed it in ${directory}`;
    return { note, abandoned: [] };
  }
  const first = damaged[0]?.path ?? "";
  if (!isUntouched && !isReplaced)
    throw new ArchiveError(
      "ARCHIVE_DAMAGED",
      `${who} was interrupted while publishing its output in ${directory}, and ${first} is missing or changed`,
    );
  abandonPublish(root);
  const note = `${who} was interrupted, and ${first} of its output is missing or changed: ${isUntouched ? "the previous output is unchanged" : "all of it was replaced"} in ${directory}`;
  return { note, abandoned: isUntouched ? [] : files };
}

function requireEnded(root: string, directory: string, isLocked: boolean): void {
  const state = stateOfOwner(root, isLocked);
  if (state === "ended") return;
  const who = writerOf(root);
  if (state === "alive") throw new ArchiveError("OUTPUT_BUSY", `${who} is writing to ${directory}`);
  throw new ArchiveError("OUTPUT_BUSY", `${who} wrote to ${directory} and may still be running`, {
    hint: `if it is no longer running, remove ${ownerFileOf(root)} and run again`,
  });
}

/** If removing fails, the next command tries again. */
function removeRunDirectory(root: string, directory: string): void {
  try {
    rmSync(root, { recursive: true, force: true });
    syncDirectory(directory);
  } catch {
    // It contains nothing useful.
  }
}

/**
 * Repairs what finished runs left in a directory before it is read: finishes a publish, removes text. Changes nothing
 * while a run is active: the directory has the earlier output, or the new one.
 * @returns the repairs made, one line each, for the user
 * @throws ArchiveError OUTPUT_UNFINISHED, ARCHIVE_DAMAGED; the reason of the signal
 */
export async function settleOutput(directory: string, signal: AbortSignal): Promise<readonly string[]> {
  if (runDirectoriesIn(directory).length === 0) return [];
  let place: OutputPlace;
  try {
    place = enterOutput(directory);
  } catch (error) {
    if (error instanceof ArchiveError && error.code === "OUTPUT_BUSY") return [];
    return [unsettled(directory, error)];
  }
  try {
    return (await settleRuns(directory, { isLocked: place.isLocked, isReplaced: false, maker: null, signal })).notes;
  } catch (error) {
    const cause = error instanceof ArchiveError ? error.cause : error;
    const isBusy = error instanceof ArchiveError && error.code === "OUTPUT_BUSY";
    if (isBusy || READ_ONLY.has(systemErrorCode(cause))) return [unsettled(directory, error)];
    throw error;
  } finally {
    place.leave();
  }
}

/** Error codes of a directory that this user may only read. */
const READ_ONLY: ReadonlySet<string | null> = new Set(["EACCES", "EPERM", "EROFS"]);

/** Both the earlier and the new archive are complete and readable. */
function unsettled(directory: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const begun = runDirectoriesIn(directory).some((name) => isPublishBegun(join(directory, name)));
  const what = begun
    ? "it may contain output of two different runs"
    : "it contains temporary files of an interrupted run";
  return `cannot repair ${directory} (${reason}): ${what}`;
}
