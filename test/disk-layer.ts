import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** A call that is about to change files. */
export interface DiskCall {
  /** `renameSync`, `rename`, …; of an open file `sync` or `write`. */
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What is done with a call: null lets it happen, an error is thrown in its place. */
export type DiskFault = (call: DiskCall) => Error | null;

/** Functions of node:fs that change files; those of `fs.promises` have the names without `Sync`. */
const CHANGING = [
  "appendFile",
  "chmod",
  "copyFile",
  "fsync",
  "ftruncate",
  "link",
  "mkdir",
  "mkdtemp",
  "rename",
  "rm",
  "rmdir",
  "truncate",
  "unlink",
  "utimes",
  "write",
  "writeFile",
] as const;

/** An error as the system gives it. */
export function systemError(code: string, call: DiskCall): Error {
  const [path] = call.args;
  return Object.assign(new Error(`${code}: of the test, ${call.name} '${String(path)}'`), { code, syscall: call.name });
}

/** Opening changes files unless it is for reading alone. */
function changes(name: string, args: readonly unknown[]): boolean {
  if (name !== "open" && name !== "openSync") return true;
  const flags = args[1] ?? "r";
  return typeof flags === "number" ? (flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC)) !== 0 : /[wa+]/.test(String(flags));
}

type Patched = Record<string, (...args: unknown[]) => unknown>;

/**
 * Puts a layer under `node:fs`: every call that changes files is shown to `fault` before it happens. What SQLite writes goes past it. Calls of
 * `fs.promises` fail as the others do. Gives the function that takes the layer away.
 */
export function layUnderDisk(fault: DiskFault): () => void {
  const undo: (() => void)[] = [];
  const patch = (target: Patched, name: string, label: string): void => {
    const original = target[name];
    if (typeof original !== "function") return;
    const isAsync = target === (fs.promises as unknown as Patched);
    target[name] = function patched(this: unknown, ...args: unknown[]): unknown {
      const call = { name: label, args };
      const error = changes(label, args) ? fault(call) : null;
      if (error === null) return original.apply(this, args);
      if (isAsync) return Promise.reject(error);
      throw error;
    };
    undo.push(() => {
      target[name] = original;
    });
  };
  for (const name of [...CHANGING, "open"]) {
    patch(fs as unknown as Patched, `${name}Sync`, `${name}Sync`);
    patch(fs.promises as unknown as Patched, name, name);
  }
  syncBuiltinESMExports();
  return () => {
    for (const step of undo.reverse()) step();
    syncBuiltinESMExports();
  };
}
