import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { devNull } from "node:os";

/** A call that is about to change files. */
export interface DiskCall {
  /** `renameSync`, `rename`, …; `sync` of an open file. */
  readonly name: string;
  readonly args: readonly unknown[];
  /** The descriptor that is synced; null for other calls. */
  readonly synced: number | null;
}

/** Decides about a call: null lets it happen, an error is thrown instead. */
export type DiskFault = (call: DiskCall) => Error | null;

/** Functions of node:fs that change files, without `Sync`. */
const CHANGING = [
  "appendFile",
  "chmod",
  "copyFile",
  "fsync",
  "ftruncate",
  "link",
  "mkdir",
  "mkdtemp",
  "open",
  "rename",
  "rm",
  "rmdir",
  "truncate",
  "unlink",
  "utimes",
  "write",
  "writeFile",
] as const;

/** An error like those of the system. */
export function systemError(code: string, call: DiskCall): Error {
  return Object.assign(new Error(`${code}: of the test, ${call.name} '${String(call.args[0])}'`), {
    code,
    syscall: call.name,
  });
}

/** Opening a file changes it unless it is opened for reading only. */
function changes(name: string, args: readonly unknown[]): boolean {
  if (!/^open(?:Sync)?$/.test(name)) return true;
  const flags = args[1] ?? "r";
  return typeof flags === "number"
    ? (flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC)) !== 0
    : /[wa]/.test(String(flags));
}

type Style = "sync" | "promise" | "callback";
type Patched = Record<string, (...args: unknown[]) => unknown>;

const handle: FileHandle = await fs.promises.open(devNull);
const handlePrototype = Object.getPrototypeOf(handle) as Patched;
await handle.close();

/**
 * Puts a layer under `node:fs`: every call that changes files is passed to `fault` before it happens, except those of
 * SQLite. Returns the function that removes the layer.
 */
export function layUnderDisk(fault: DiskFault): () => void {
  const undo: (() => void)[] = [];
  const patch = (target: Patched, name: string, style: Style): void => {
    const original = target[name];
    if (original === undefined) return;
    target[name] = function patched(this: unknown, ...args: unknown[]): unknown {
      const error = changes(name, args) ? fault({ name, args, synced: syncedBy(this, name, args) }) : null;
      if (error === null) return original.apply(this, args);
      if (style === "promise") return Promise.reject(error);
      if (style === "sync") throw error;
      return void process.nextTick(args.at(-1) as (error: Error) => void, error);
    };
    undo.push(() => {
      target[name] = original;
    });
  };
  for (const name of CHANGING) {
    patch(fs as unknown as Patched, `${name}Sync`, "sync");
    patch(fs.promises as unknown as Patched, name, "promise");
  }
  patch(fs as unknown as Patched, "fsync", "callback");
  patch(handlePrototype, "sync", "promise");
  syncBuiltinESMExports();
  return () => {
    for (const step of undo.reverse()) step();
    syncBuiltinESMExports();
  };
}

function syncedBy(target: unknown, name: string, [first]: readonly unknown[]): number | null {
  if (name === "sync") return (target as { readonly fd: number }).fd;
  return name === "fsync" || name === "fsyncSync" ? (first as number) : null;
}
