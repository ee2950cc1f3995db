import { setFlagsFromString } from "node:v8";

/**
 * For versions with an intermediate compiler (Maglev). Most functions of an extraction are fast enough with that one:
 * the last compiler waits for 13 times the default invocations, inlines half as much, and Maglev copies no first
 * iterations of loops. With 20,000 messages a twelfth of all CPU time was saved.
 */
const MAGLEV_FLAGS = [
  "--invocation-count-for-turbofan=40000",
  "--max-inlined-bytecode-size=230",
  "--max-inlined-bytecode-size-cumulative=460",
  "--no-maglev-loop-peeling",
] as const;

/**
 * Flags that reduce V8's optimizing compilers, by major version (11 in Node.js 20, 13 in 24, 14 in 26). In version 11, a
 * function is optimized after four times the default executed bytecode, by which time most are done; and less is
 * inlined: functions of up to 120 bytes of bytecode instead of 460, 200 in total instead of 920. With 42,661 messages,
 * both together saved a sixth more CPU time than the first alone.
 */
const FLAGS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  [
    "11",
    ["--interrupt-budget=270336", "--max-inlined-bytecode-size=120", "--max-inlined-bytecode-size-cumulative=200"],
  ],
  ["13", MAGLEV_FLAGS],
  ["14", MAGLEV_FLAGS],
]);

/**
 * The same for a run that adds to an archive: it passes over all messages, but most functions run for less than 0.1
 * seconds. With 427 of 42,661 files new, these saved 6 % of the CPU time. A full run takes 10 % more with them.
 */
const ADDING_FLAGS: ReadonlyMap<string, readonly string[]> = new Map([["11", ["--interrupt-budget=1081344"]]]);

/** The flags for a version of V8 (`11.3.244.8`); later ones take precedence. */
export function thriftyCompilerFlags(version: string, isAdding = false): readonly string[] {
  const major = version.split(".")[0]!;
  const flags = FLAGS.get(major) ?? [];
  return isAdding ? [...flags, ...(ADDING_FLAGS.get(major) ?? [])] : flags;
}

/**
 * For a process that extracts mail or answers one query, and ends; call before it starts threads. Each thread compiles
 * its code again, some thousand functions of which most run for less than a second: 37 of 100 CPU samples of an
 * extraction of 6,000 messages were in the optimizing compiler. The flags do not change results.
 * @param isAdding true for a run that adds to an archive
 */
export function optimizeThriftily(isAdding = false): void {
  for (const flag of thriftyCompilerFlags(process.versions.v8, isAdding)) setFlagsFromString(flag);
}

/**
 * MiB of a new heap before V8's first garbage collection, and the growth beyond live objects in percent; supported by
 * every version. By default V8 waits for several hundred.
 */
export const HEAP_GROWTH_FLAGS = ["--initial-old-space-size=16", "--heap-growing-percent=50"] as const;

/**
 * For a process that extracts or serves one archive; call before it starts threads. Each thread has about 20 MB of live
 * objects however large the archive is, and garbage grew to 120 MB in a long run.
 */
export function limitHeapGrowth(): void {
  for (const flag of HEAP_GROWTH_FLAGS) setFlagsFromString(flag);
}

/** Makes V8 collect garbage before its heap grows; supported by every version. */
export const SMALL_HEAP_FLAG = "--optimize-for-size";

/**
 * For a process that scans an archive and keeps nothing: V8 would otherwise keep about 60 MB of garbage from earlier
 * messages.
 */
export function limitHeap(): void {
  setFlagsFromString(SMALL_HEAP_FLAG);
}
