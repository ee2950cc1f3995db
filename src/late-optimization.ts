import { setFlagsFromString } from "node:v8";

/**
 * What makes V8 wait longer before it gives a function to its optimizing compiler, by the major version of V8 (11 is
 * that of Node.js 20): executed bytes of its code, 8 times what V8 sets. Newer versions have a compiler between, and
 * such a flag saves nothing that can be measured.
 */
const FLAGS: ReadonlyMap<string, string> = new Map([["11", "--interrupt-budget=540672"]]);

/** The flag for a version of V8 (`11.3.244.8`); null where there is none. */
export function lateOptimizationFlag(version: string): string | null {
  return FLAGS.get(version.split(".")[0]!) ?? null;
}

/**
 * For a process that extracts mail and ends, before it starts its threads. Each of them compiles anew what it runs, some
 * thousand functions of which most run for less than a second: 37 of 100 samples of the CPU time of an extraction of
 * 6,000 messages were in the optimizing compiler. When code is compiled changes nothing of what it gives.
 */
export function optimizeLate(): void {
  const flag = lateOptimizationFlag(process.versions.v8);
  if (flag !== null) setFlagsFromString(flag);
}
