import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { entriesBelow, sealTree } from "../../files/checksummed-files.ts";
import { syncDirectory, writeDurably } from "../../files/durable-files.ts";
import { moveDurably } from "../../files/move-durably.ts";
import { requireReplaceable } from "../../files/replaceable-file.ts";
import { publishArchive } from "../../store/archive/publish-archive.ts";
import { ARCHIVE_FILE, archiveIn } from "../../store/contract/archive-location.ts";
import {
  type DamagedFile,
  findDamage,
  isInside,
  listedFiles,
  MANIFEST_FILE,
  manifestText,
  type OutputFile,
  readManifest,
} from "./output-manifest.ts";
import { passGate, type Stop } from "./publish-gate.ts";
import type { RunDirectory } from "./run-directory.ts";

/**
 * Marks a run directory whose new output is complete and on disk, but not yet in place. An interrupted publish is
 * finished from it.
 */
const READY_FILE = "ready.json";
/** Renamed last, in this order: the archive after its pages, and the list after all files. */
const LAST_FILES: readonly string[] = [ARCHIVE_FILE, MANIFEST_FILE];

interface Ready {
  readonly stale: readonly string[];
  /**
   * Files of the new output, its list among them: when all still wait, nothing was moved. Earlier versions did not
   * count.
   */
  readonly created?: number;
}

/** How to publish over an earlier output. */
interface PublishPlan {
  /** Files of the earlier output. */
  readonly earlier: readonly OutputFile[];
  /** Earlier files that stay valid (attachments saved by an earlier run). */
  readonly kept: ReadonlySet<string>;
  /** Checked until the new output is complete on disk; then it is published. */
  readonly stop: Stop;
}

/**
 * Syncs the new output of a run and publishes it. The earlier output is unchanged until every byte is on disk and
 * every target is writable. Files appear complete; files of the earlier output that are not in the new one are
 * removed, and nothing else. On return, everything survives a power failure. @returns paths of new files @throws
 * ArchiveError OUTPUT_UNWRITABLE and OUTPUT_BUSY before anything was moved; OUTPUT_UNFINISHED if it could not finish:
 * the run directory then contains the rest
 */
export async function publishOutput(
  run: RunDirectory,
  directory: string,
  plan: PublishPlan,
): Promise<readonly string[]> {
  const sealed = await sealTree(run.output, plan.stop.signal);
  const created = new Set(sealed.map(({ path }) => path));
  const kept = plan.earlier.filter(({ path }) => plan.kept.has(path) && !created.has(path));
  writeDurably(join(run.output, MANIFEST_FILE), manifestText([...listedFiles(sealed), ...kept]));
  const stale = plan.earlier.map(({ path }) => path).filter((path) => !created.has(path) && !plan.kept.has(path));
  requirePlaces(run.output, directory, stale);
  const marker = join(run.root, READY_FILE);
  try {
    syncDirectory(directory);
    passGate(plan.stop);
    writeDurably(marker, JSON.stringify({ stale, created: created.size + 1 } satisfies Ready));
  } catch (error) {
    rmSync(marker, { force: true });
    throw error;
  }
  finishPublish(run.root, directory);
  return [...created];
}

/** True if a run directory contains an output that must be published. */
export function isPublishBegun(root: string): boolean {
  return existsSync(join(root, READY_FILE));
}

/** Resumes an interrupted publish. Throws OUTPUT_UNFINISHED, and may then be called again. */
export function finishPublish(root: string, directory: string): void {
  try {
    const changed = moveBelow(join(root, "output"), directory);
    for (const parent of removeStale(directory, staleOf(readReady(root)))) changed.add(parent);
    for (const path of changed) if (existsSync(path)) syncDirectory(path);
    // Removed first, so that leftovers are never published again.
    rmSync(join(root, READY_FILE));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArchiveError("OUTPUT_UNFINISHED", `cannot finish publishing the new output of ${directory}: ${reason}`, {
      cause: error,
    });
  }
}

/** Files of an earlier output that the new one does not have. */
function staleOf({ stale }: Ready): readonly string[] {
  return stale.filter(isInside);
}

function readReady(root: string): Ready {
  return JSON.parse(readFileSync(join(root, READY_FILE), "utf8")) as Ready;
}

/** State of an interrupted publish. */
interface UnfinishedPublish {
  /** All files of the new output, in place or waiting, and files of the earlier one to remove. */
  readonly files: readonly OutputFile[];
  readonly damaged: readonly DamagedFile[];
  /** True if nothing was moved: the earlier output is complete. */
  readonly isUntouched: boolean;
}

/** Checks whether all files of an interrupted publish are as they were when its marker was written. */
export async function inspectUnfinished(
  root: string,
  directory: string,
  signal: AbortSignal,
): Promise<UnfinishedPublish> {
  const output = join(root, "output");
  const ready = readReady(root);
  const listed = readManifest(output) ?? readManifest(directory) ?? [];
  const waiting = new Set(existsSync(output) ? (await entriesBelow(output)).files : []);
  const damaged = [
    ...(await findDamage(
      output,
      listed.filter(({ path }) => waiting.has(path)),
      signal,
    )),
    ...(await findDamage(
      directory,
      listed.filter(({ path }) => !waiting.has(path)),
      signal,
    )),
  ];
  return {
    files: [...listed, ...staleOf(ready).map((path) => ({ path, seal: null }))],
    damaged,
    isUntouched: waiting.size === ready.created,
  };
}

/** Abandons a publish: moved files stay, and nothing else is moved. */
export function abandonPublish(root: string): void {
  rmSync(join(root, READY_FILE), { force: true });
}

/**
 * Checks that all targets can be written or removed. Throws OUTPUT_UNWRITABLE, or OUTPUT_BUSY for a file in use by
 * another program (Windows).
 */
function requirePlaces(output: string, directory: string, stale: readonly string[]): void {
  for (const { path, isDirectory } of mergedEntries(output, directory)) {
    const target = join(directory, path);
    const stats = lstatIfThere(target);
    if (stats === null) continue;
    if (isDirectory)
      throw new ArchiveError(
        "OUTPUT_UNWRITABLE",
        `${target} is a file, but the new output has a directory with that name`,
        MOVE_AWAY,
      );
    if (stats.isDirectory())
      throw new ArchiveError(
        "OUTPUT_UNWRITABLE",
        `${target} is a directory, but the new output has a file with that name`,
        MOVE_AWAY,
      );
    requireReplaceable(target);
  }
  for (const path of stale)
    if (lstatIfThere(join(directory, path))?.isFile()) requireReplaceable(join(directory, path));
}

const MOVE_AWAY = { hint: "move it and run again, or select another directory with --output" } as const;

interface MergedEntry {
  readonly path: string;
  readonly isDirectory: boolean;
}

/**
 * Entries to rename: files, and directories that do not exist yet (a vault has thousands of pages). For an existing
 * directory, its content.
 */
function* mergedEntries(output: string, directory: string): Generator<MergedEntry> {
  const pending = [""];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next !== "" || existsSync(output)) {
      for (const entry of readdirSync(join(output, next), { withFileTypes: true })) {
        const path = join(next, entry.name);
        if (entry.isDirectory() && isDirectoryThere(join(directory, path))) pending.push(path);
        else yield { path, isDirectory: entry.isDirectory() };
      }
    }
  }
}

/** Returns all directories with changed names. */
function moveBelow(output: string, directory: string): Set<string> {
  const changed = new Set<string>();
  const entries = [...mergedEntries(output, directory)].sort(
    (a, b) => LAST_FILES.indexOf(a.path) - LAST_FILES.indexOf(b.path),
  );
  for (const { path } of entries) {
    if (path === ARCHIVE_FILE) publishArchive(archiveIn(output), archiveIn(directory));
    else moveDurably(join(output, path), join(directory, path));
    changed.add(dirname(join(directory, path)));
    changed.add(dirname(join(output, path)));
  }
  return changed;
}

/**
 * Removes files that are no longer part of the output, and directories that are empty without them; returns the changed
 * directories.
 */
function removeStale(directory: string, stale: readonly string[]): ReadonlySet<string> {
  const parents = new Set<string>();
  const namesIn = new Map<string, ReadonlySet<string>>();
  for (const file of stale) {
    const parent = join(directory, dirname(file));
    const names = namesIn.get(parent) ?? listedNames(parent);
    namesIn.set(parent, names);
    // On case-insensitive file systems, a new file may have an existing name in another case.
    if (!names.has(basename(file).normalize())) continue;
    rmSync(join(directory, file), { force: true });
    for (let parent = dirname(file); parent !== "."; parent = dirname(parent)) parents.add(parent);
  }
  const byDepth = [...parents].sort((a, b) => b.length - a.length);
  for (const parent of byDepth) removeIfEmpty(join(directory, parent));
  return new Set([directory, ...byDepth.map((parent) => join(directory, parent))]);
}

/** Names as the file system lists them; Apple's file systems decompose letters. */
function listedNames(directory: string): ReadonlySet<string> {
  return isDirectoryThere(directory) ? new Set(readdirSync(directory).map((name) => name.normalize())) : new Set();
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOENT") throw error;
  }
}

function isDirectoryThere(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function lstatIfThere(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
