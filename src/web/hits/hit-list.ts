import type { z } from "zod";
import type { hitsSchema } from "../../http/explore-api/wire/wire-people.ts";
import { HIT_COLUMNS, hitTableHead, UNION_NAME } from "../../mail/hit-columns.ts";

/** The response of `POST /hits`, with the counts of a report if `details` are requested. */
export type HitAnswer = z.infer<typeof hitsSchema>;
export type HitReport = HitAnswer & { readonly union: NonNullable<HitAnswer["union"]> };

/** A row of the report: a query, or all of them together. */
export interface Hit extends Readonly<HitReport["union"]> {
  /** Null for all queries together. */
  readonly query: string | null;
  readonly problems: readonly string[];
  /** Messages that match no other query; null for all queries combined. */
  readonly unique: number | null;
}

/** Maximum queries per request. */
export const MAX_QUERIES = 500;

/** The queries of a text, one per line; empty lines are ignored. */
export function queriesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The rows of a report. */
export function rowsOf({ hits }: HitReport): readonly Hit[] {
  return hits as readonly Hit[];
}

/** Result of all queries combined. */
export function sumOf({ union }: HitReport): Hit {
  return { ...union, query: null, problems: [], unique: null };
}

/**
 * The report as RFC 4180 CSV, with the byte order mark by which spreadsheets detect UTF-8; one column per custodian.
 */
export function csvOf(report: HitReport): string {
  const custodians = report.union.custodians.map(({ name }) => name);
  const rows = [...rowsOf(report), sumOf(report)].map((hit) => {
    const counts = new Map(hit.custodians.map(({ name, messages }) => [name, messages]));
    return [...HIT_COLUMNS.map((column) => cellOf(hit, column)), ...custodians.map((name) => counts.get(name) ?? 0)];
  });
  return `\uFEFF${[hitTableHead(custodians), ...rows].map((cells) => cells.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

function cellOf(hit: Hit, column: (typeof HIT_COLUMNS)[number]): string | number {
  if (column === "problems") return hit.problems.join("; ");
  return hit[column] ?? (column === "query" ? UNION_NAME : "");
}

/** Cells that a spreadsheet would treat as formulas get a leading apostrophe. */
function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
