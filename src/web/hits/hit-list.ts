import type { z } from "zod";
import type { hitsSchema } from "../../http/explore-api/wire-people.ts";

/** The answer of `POST /hits`. */
export type HitReport = z.infer<typeof hitsSchema>;
export type Hit = HitReport["hits"][number];

/** Queries that the server takes at once. */
export const MAX_QUERIES = 500;

/** The queries of a text, one a line; what is empty is none. */
export function queriesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

const COLUMNS = ["query", "messages", "conversations", "first", "last", "problems"] as const;

/** The report as RFC 4180 has it, with the mark by which spreadsheets know UTF-8. */
export function csvOf(hits: readonly Hit[]): string {
  const rows = hits.map((hit) => COLUMNS.map((column) => csvCell(cellOf(hit, column))).join(","));
  return `\uFEFF${[COLUMNS.join(","), ...rows].join("\r\n")}\r\n`;
}

function cellOf(hit: Hit, column: (typeof COLUMNS)[number]): string | number {
  return column === "problems" ? hit.problems.join("; ") : (hit[column] ?? "");
}

/** A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
