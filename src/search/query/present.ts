import type { Instant } from "../../mail/dates/instant.ts";

/** What the ages of a query count from. */
export function present(): Instant {
  return Date.now();
}
