import { wellFormed } from "../mail/words/unicode.ts";

/** JSON.stringify's output for NUL and for half a surrogate pair. */
const ILL_FORMED = /\\u(?:0000|d[89a-f])/;

/**
 * A record as one line of JSON whose text is valid Unicode without NUL. Checked on the line: escapes are rare, strings
 * are many.
 */
export function jsonLine(record: object): string {
  const line = JSON.stringify(record);
  return line.includes("\\u") && ILL_FORMED.test(line) ? JSON.stringify(wellFormedValue(record)) : line;
}

/** The value with every string and key made well-formed. Records are nested a few levels deep by their schema. */
export function wellFormedValue<T>(value: T): T {
  return wellFormedOf(value) as T;
}

function wellFormedOf(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormed(key), wellFormedOf(inner)]));
}
