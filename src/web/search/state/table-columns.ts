import { useRoute } from "../../application.ts";

/** Columns of a result table, in order. */
export const COLUMNS = [
  "from",
  "subject",
  "to",
  "date",
  "mailbox",
  "files",
  "size",
  "labels",
  "places",
  "conversation",
] as const;
export type Column = (typeof COLUMNS)[number];

const USUAL: readonly Column[] = ["from", "subject", "to", "date", "mailbox", "files", "size"];
/** Columns shown on phones. */
const FEW: readonly Column[] = ["from", "subject", "date"];
const PHONE = matchMedia("(max-width: 767px)");

/** Columns in the URL, or the default ones. */
export function useColumns(): readonly Column[] {
  const named = (useRoute().parameters.get("columns") ?? "").split(",");
  const chosen = COLUMNS.filter((column) => named.includes(column));
  return chosen.length > 0 ? chosen : usualColumns();
}

function usualColumns(): readonly Column[] {
  return PHONE.matches ? FEW : USUAL;
}

/** The URL parameter for some columns; null for the default ones. */
export function formatColumns(columns: readonly Column[]): string | null {
  const written = COLUMNS.filter((column) => columns.includes(column)).join(",");
  return written === usualColumns().join(",") ? null : written;
}
