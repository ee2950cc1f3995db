import { setTimeout as pause } from "node:timers/promises";
import { ArchiveError } from "../../../errors.ts";

/** Milliseconds for the parts of /health that need the database. */
const HEALTH_LIMIT_MS = 50;

/** The error for requests while the database of the catalog is unreachable. */
export function catalogUnreachable(): ArchiveError {
  return new ArchiveError("CATALOGUE_UNREACHABLE", "cannot reach the database of the service");
}

/** Returns the result if it arrives soon, else the alternative. Rejects if the promise does. */
export async function soon<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  const stop = new AbortController();
  const late = pause(HEALTH_LIMIT_MS, otherwise, { signal: stop.signal }).catch(() => otherwise);
  try {
    return await Promise.race([answer, late]);
  } finally {
    stop.abort();
    answer.catch(() => undefined);
  }
}
