import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { systemErrorCode } from "../errors.ts";

/** Identifies a process for other processes, although process ids are reused. */
export interface ProcessIdentity {
  readonly processId: number;
  /** Boot of the system and clock ticks since. Null if the platform does not expose it. */
  readonly startedAt: string | null;
}

/** Milliseconds between checks whether a killed process has ended. */
const LOOK_MS = 10;
/** Maximum checks: a process that cannot be ended for 10 s hangs in the kernel, and writes nothing more. */
const MOST_LOOKS = 1000;
/**
 * Field 22 of /proc/<pid>/stat is the start in clock ticks since boot; the state, field 3, is the first after the name.
 * @see proc_pid_stat(5)
 */
const START_FIELD = 22 - 3;
/** A process that has ended and is not yet waited for, or is about to vanish. */
const DEAD_STATES = new Set(["Z", "X", "x"]);

/**
 * Machine of a process. Containers share the boot id, and each sees only its own processes. Null if the platform does
 * not expose it.
 */
export interface Machine {
  readonly name: string;
  readonly boot: string | null;
  readonly namespace: string | null;
}

/** The machine that this process runs on. */
export function identifyMachine(): Machine {
  return { name: hostname(), boot: bootOf(), namespace: namespaceOf() };
}

function bootOf(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return null;
  }
}

function namespaceOf(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

/** Identity by which a later service can find a process again. Without /proc, its start is unknown. */
export function identifyProcess(processId: number): ProcessIdentity {
  return { processId, startedAt: startOf(processId) };
}

/**
 * True while exactly this process runs, not another with its number. If its start time is unknown, it counts as
 * ended.
 */
export function isAlive({ processId, startedAt }: ProcessIdentity): boolean {
  return startedAt !== null && startOf(processId) === startedAt;
}

/** Kills a process if it still runs, and waits until it has ended. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  if (!isAlive(identity)) return;
  killProcess(identity.processId);
  for (let look = 0; look < MOST_LOOKS && isAlive(identity); look++) await pause(LOOK_MS);
}

function killProcess(processId: number): void {
  try {
    process.kill(processId, "SIGKILL");
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}

/**
 * Returns when a living process was started, as boot id and ticks since; null if it is not running, or without /proc.
 */
function startOf(processId: number): string | null {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, "latin1");
    // The name is in parentheses and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (DEAD_STATES.has(fields[0]!)) return null;
    const boot = bootOf();
    return boot === null ? null : `${boot} ${fields[START_FIELD]}`;
  } catch {
    return null;
  }
}
