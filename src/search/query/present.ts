import type { Instant } from "../../mail/dates/instant.ts";

/** The instant from which ages in a query count. */
export function present(): Instant {
  return Date.now();
}
