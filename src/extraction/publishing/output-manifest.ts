import { existsSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { type FileSeal, type SealedFile, sealOfFile } from "../../files/checksummed-files.ts";
import { atOnce } from "../../files/durable-files.ts";
import { PROVENANCE_FILE } from "./output-files.ts";

/**
 * Lists the files of an output, so that a later run replaces these and nothing else in the directory, and knows when
 * one is damaged.
 */
export const MANIFEST_FILE = ".archivetool-files.json";

/** A file of an output. */
export interface OutputFile {
  readonly path: string;
  /**
   * Null if it was never computed: a further run without changes rewrites provenance.json, and earlier versions had no
   * seals.
   */
  readonly seal: FileSeal | null;
}

/** An output file that does not match its seal. */
export interface DamagedFile {
  readonly path: string;
  readonly what: "missing" | "changed";
}

/** Text of a manifest for the files of a new output and kept files of an earlier one. */
export function manifestText(files: readonly OutputFile[]): string {
  const lines = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, seal }) =>
      JSON.stringify(seal === null ? { path } : { path, bytes: seal.sizeBytes, sha256: seal.sha256 }),
    );
  return `{"tool":"archivetool","files":[\n${lines.join(",\n")}\n]}\n`;
}

/** Files of a new output to list: its seals, except files that change or are not listed. */
export function listedFiles(sealed: readonly SealedFile[]): readonly OutputFile[] {
  return sealed.map(({ path, sizeBytes, sha256 }) => ({
    path,
    seal: path === PROVENANCE_FILE ? null : { sizeBytes, sha256 },
  }));
}

/** Reads the files listed by a manifest. Returns null if it is missing, damaged or not ours. */
export function readManifest(directory: string): readonly OutputFile[] | null {
  const path = join(directory, MANIFEST_FILE);
  if (!existsSync(path)) return null;
  const manifest = parsed(readFileSync(path, "utf8"));
  if (manifest === null || manifest.tool !== "archivetool" || !Array.isArray(manifest.files)) return null;
  return manifest.files
    .map(outputFile)
    .filter((file) => file !== null && file.path !== MANIFEST_FILE) as readonly OutputFile[];
}

function parsed(text: string): { readonly tool?: unknown; readonly files?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** Earlier versions listed only paths. */
function outputFile(entry: unknown): OutputFile | null {
  if (typeof entry === "string") return isInside(entry) ? { path: entry, seal: null } : null;
  if (typeof entry !== "object" || entry === null) return null;
  const { path, bytes, sha256 } = entry as {
    readonly path?: unknown;
    readonly bytes?: unknown;
    readonly sha256?: unknown;
  };
  if (typeof path !== "string" || !isInside(path)) return null;
  return { path, seal: typeof bytes === "number" && typeof sha256 === "string" ? { sizeBytes: bytes, sha256 } : null };
}

/** A manifest may have been tampered with: only relative paths below the directory are ever touched. */
export function isInside(path: string): boolean {
  return (
    !path.includes("\\") &&
    !/^[a-z]:/i.test(path) &&
    path.split("/").every((level) => level !== "" && level !== "." && level !== "..")
  );
}

/** Files that changed since they were written, by size and hash; takes as long as hashing the sources. */
export async function findDamage(
  directory: string,
  files: readonly OutputFile[],
  signal: AbortSignal,
): Promise<readonly DamagedFile[]> {
  const damaged: DamagedFile[] = [];
  await atOnce(files, async ({ path, seal }) => {
    const whole = join(directory, path);
    const stats = statsOf(whole);
    if (stats === null || !stats.isFile()) damaged.push({ path, what: "missing" });
    else if (seal === null ? stats.size === 0 : !(await holds(whole, stats, seal, signal)))
      damaged.push({ path, what: "changed" });
  });
  return damaged.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * The same, but does not read files whose size is unchanged and whose ctime is not later than that of the manifest,
 * which is published last. The system sets ctime, also for files moved or copied with an older time.
 */
export function findChanges(
  directory: string,
  files: readonly OutputFile[],
  signal: AbortSignal,
): Promise<readonly DamagedFile[]> {
  const listedAt = statsOf(join(directory, MANIFEST_FILE))?.ctimeMs ?? Number.NEGATIVE_INFINITY;
  const isUntouched = ({ path, seal }: OutputFile): boolean => {
    const stats = statsOf(join(directory, path));
    if (stats === null || !stats.isFile() || stats.size !== seal?.sizeBytes) return false;
    return stats.ctimeMs <= listedAt && stats.mtimeMs <= listedAt;
  };
  return findDamage(
    directory,
    files.filter((file) => !isUntouched(file)),
    signal,
  );
}

/** True if a file matches its seal. */
async function holds(path: string, { size }: Stats, seal: FileSeal, signal: AbortSignal): Promise<boolean> {
  if (size !== seal.sizeBytes) return false;
  return (await sealOfFile(path, signal)).sha256 === seal.sha256;
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
