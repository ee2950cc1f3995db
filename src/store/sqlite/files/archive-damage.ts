import { damaged, sqliteFault } from "../driver/sqlite-faults.ts";
import { checkFile } from "./file-checksums.ts";

/**
 * Throws ARCHIVE_DAMAGED if the file does not match its checksums. Files with more than `mostBytes` of data are not
 * checked: that would take longer than most queries.
 */
export function refuseDamage(path: string, mostBytes: number): void {
  let check: ReturnType<typeof checkFile>;
  try {
    check = checkFile(path, mostBytes);
  } catch {
    // Opening the file reports why it cannot be read.
    return;
  }
  if (check.state === "damaged") throw damaged(path, `the megabyte at byte ${check.offset} has changed`);
}

type ReadCall = (...values: readonly unknown[]) => unknown;

/** The same object; its methods, and those of its parts, throw ARCHIVE_DAMAGED on damage. */
export function withCorruptionErrors<T extends object>(part: T, path: string): T {
  const wrapped = Object.entries(part).map(([name, value]: [string, unknown]) => {
    if (typeof value === "function") return [name, tellingMethod(value as ReadCall, path)];
    return [name, typeof value === "object" && value !== null ? withCorruptionErrors(value, path) : value];
  });
  return Object.fromEntries(wrapped) as T;
}

function tellingMethod(method: ReadCall, path: string): ReadCall {
  return (...values) => {
    try {
      const result = method(...values);
      if (result instanceof Promise)
        return result.catch((error: unknown) => Promise.reject(sqliteFault("reading", path, error)));
      return isAsyncIterable(result) ? tellingWalk(result, path) : result;
    } catch (error) {
      throw sqliteFault("reading", path, error);
    }
  };
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

async function* tellingWalk(walk: AsyncIterable<unknown>, path: string): AsyncGenerator<unknown> {
  try {
    yield* walk;
  } catch (error) {
    throw sqliteFault("reading", path, error);
  }
}
