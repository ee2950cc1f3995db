import { setTimeout as pause } from "node:timers/promises";
import { ArchiveError } from "../../../errors.ts";

/** Milliseconds that parts of /health may take that need the database. */
const HEALTH_LIMIT_MS = 50;

/** The refusal of requests while the database of the catalogue cannot be reached. */
export function catalogueAway(): ArchiveError {
  return new ArchiveError("CATALOGUE_UNREACHABLE", "cannot reach the database of the service");
}

/** The answer if it comes soon, else what is given instead. Rejects as the answer does. */
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
