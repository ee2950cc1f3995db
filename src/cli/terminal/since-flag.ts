import { ArchiveError } from "../../errors.ts";
import { parseDateBound } from "../../http/date-bound.ts";
import type { Instant } from "../../mail/dates/instant.ts";

/** The instant of `--since`, or null. Throws INVALID_ARGUMENT. */
export function sinceInstant(text: string | undefined): Instant | null {
  if (text === undefined) return null;
  const span = parseDateBound(text);
  if (span !== null) return span.first;
  throw new ArchiveError("INVALID_ARGUMENT", `--since must be an ISO 8601 date such as 2026-01-31, not "${text}"`);
}
