import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { PRIVATE_DIRECTORY, PRIVATE_FILE, writeDurably } from "../../files/durable-files.ts";
import {
  identifyMachine,
  identifyProcess,
  isAlive,
  type Machine,
  type ProcessIdentity,
} from "../../files/process-identity.ts";
import { formatInstant, type Instant } from "../../mail/dates/instant.ts";

/**
 * The private directory of a run. It is inside the output directory, so that publishing is a rename on one file system.
 * There is one at a time. Directories of earlier versions, and one under construction, have this prefix.
 */
export const RUN_DIRECTORY = ".archivetool-run";
/** Identifies the process of a run. A directory without it has no owner. */
const OWNER_FILE = "owner.json";

/** Parts of a run's private directory. */
export interface RunDirectory {
  readonly root: string;
  /** Text between the passes; deleted as it is consumed, and never published. */
  readonly staging: string;
  /** The new output, complete before any of it is published. */
  readonly output: string;
}

/** Process that created a run directory. */
interface RunOwner {
  readonly process: ProcessIdentity;
  readonly machine: Machine;
  readonly begunAt: Instant;
  /** Hash of the command. A run of the same command resumes this one. Null if it cannot be resumed. */
  readonly command: string | null;
}

/** Process that requests a run directory. */
export type RunMaker = Pick<RunOwner, "begunAt" | "command"> & { readonly processId: number };

/** Whether the owner of a run directory may still write to it. `unseen`: it cannot be determined from this machine. */
type OwnerState = "alive" | "ended" | "unseen";

/**
 * Creates the private directory of a process (mode 0700: staged text is not yet redacted). It appears atomically with
 * its owner file, unless one exists: of two runs one wins, even if files cannot be locked.
 * @throws ArchiveError OUTPUT_BUSY if another run was faster; system errors
 */
export function makeRunDirectory(outputDirectory: string, maker: RunMaker): RunDirectory {
  const made = mkdtempSync(join(outputDirectory, `${RUN_DIRECTORY}-`));
  const root = join(outputDirectory, RUN_DIRECTORY);
  try {
    writeFileSync(join(made, OWNER_FILE), ownerText(maker), { mode: PRIVATE_FILE });
    for (const part of ["staging", "output"]) mkdirSync(join(made, part), { mode: PRIVATE_DIRECTORY });
    renameSync(made, root);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!runDirectoriesIn(outputDirectory).includes(RUN_DIRECTORY)) throw error;
    throw new ArchiveError("OUTPUT_BUSY", `${writerOf(root)} is writing to ${outputDirectory}`, { cause: error });
  }
  return partsOf(root);
}

function ownerText({ processId, begunAt, command }: RunMaker): string {
  const owner: RunOwner = { process: identifyProcess(processId), machine: identifyMachine(), begunAt, command };
  return JSON.stringify(owner);
}

/** Absolute paths of the parts, since results of tasks name their files and the working directory may change. */
function partsOf(root: string): RunDirectory {
  const whole = resolve(root);
  return { root: whole, staging: join(whole, "staging"), output: join(whole, "output") };
}

/** True for the directory of a run of the same command that was interrupted before it published. */
export function canGoOn(root: string, { command }: RunMaker): boolean {
  return command !== null && basename(root) === RUN_DIRECTORY && ownerOf(root)?.command === command && hasStaging(root);
}

function hasStaging(root: string): boolean {
  return statSync(join(root, "staging"), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Takes over the directory of an ended process to resume its run; the output is rebuilt. */
export function takeRunDirectory(root: string, maker: RunMaker): RunDirectory {
  writeDurably(join(root, OWNER_FILE), ownerText(maker));
  const run = partsOf(root);
  rmSync(run.output, { recursive: true, force: true });
  mkdirSync(run.output, { mode: PRIVATE_DIRECTORY });
  return run;
}

/** Run directories in an output directory, of live and ended runs; an active one first. */
export function runDirectoriesIn(outputDirectory: string): readonly string[] {
  try {
    return readdirSync(outputDirectory).filter(isRunDirectory).sort();
  } catch (error) {
    const code = systemErrorCode(error);
    // A directory that may not be listed may hold an archive that may be read.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return [];
    throw error;
  }
}

/** True for names from `makeRunDirectory`, which are not content of the output directory. */
export function isRunDirectory(name: string): boolean {
  return name.startsWith(RUN_DIRECTORY);
}

/** Process that created a run directory; null if unknown. */
export function ownerOf(root: string): RunOwner | null {
  try {
    return JSON.parse(readFileSync(join(root, OWNER_FILE), "utf8")) as RunOwner;
  } catch {
    return null;
  }
}

/** The owner in words: `a run (process 12 on host ship, begun 2026-11-22T10:00:00Z)`. */
export function writerOf(root: string): string {
  const owner = ownerOf(root);
  if (owner === null) return "another run";
  const { process, machine, begunAt } = owner;
  return `another run (process ${process.processId} on host ${machine.name}, started ${formatInstant(begunAt)})`;
}

/**
 * @param isLocked this process has the lock of the output directory: its previous owner on this machine has ended, in
 * any container
 */
export function stateOfOwner(root: string, isLocked: boolean): OwnerState {
  const owner = ownerOf(root);
  if (owner === null) return "ended";
  const here = identifyMachine();
  const { machine, process } = owner;
  const isHere = machine.boot === null || here.boot === null ? machine.name === here.name : machine.boot === here.boot;
  // A machine with that name that was restarted since; one with another name may be unreachable.
  if (!isHere) return machine.name === here.name ? "ended" : "unseen";
  if (isLocked) return "ended";
  if (machine.namespace !== here.namespace) return "unseen";
  return isAlive(process) ? "alive" : "ended";
}

/** Removes the owner from a run directory, when the user knows that it has ended. */
export function ownerFileOf(root: string): string {
  return join(root, OWNER_FILE);
}
