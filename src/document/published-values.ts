import { EARLIEST_INSTANT, formatInstant, type Instant, LATEST_INSTANT } from "../mail/instant.ts";

/**
 * How values are written. Apart from the schemas: whoever only writes need not load what checks, 100 files of a
 * package.
 */

/** Version of the shape of extraction.json; it changes when a reader of the old shape would err. */
export const EXTRACTION_SCHEMA_VERSION = "1.0";

/** Significant digits of a published score: enough to rank by, few enough that platforms agree on them. */
const SCORE_DIGITS = 6;

/** A finite number of six significant digits. */
export function publishedScore(score: number): number {
  return Number.isFinite(score) ? Number(score.toPrecision(SCORE_DIGITS)) : 0;
}

/** A date as text; null for one that four-digit years cannot write. */
export function publishedDate(instant: Instant | null): string | null {
  return instant === null || instant < EARLIEST_INSTANT || instant > LATEST_INSTANT ? null : formatInstant(instant);
}

/** A date that a record must have: the nearest one that four-digit years can write. */
export function requiredDate(instant: Instant): string {
  return formatInstant(Math.min(LATEST_INSTANT, Math.max(EARLIEST_INSTANT, instant)));
}

/** A published record as it is written: what the schema infers, all readonly. */
export type Published<T> = T extends readonly (infer E)[]
  ? readonly Published<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Published<T[K]> }
    : T;
