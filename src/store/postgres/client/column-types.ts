import type { StoredColumn } from "../../tables/stored-tables.ts";

/** The types of columns in PostgreSQL. */
export const TYPES: Readonly<Record<StoredColumn["type"], string>> = {
  INTEGER: "int8",
  REAL: "float8",
  // Bytes in their order: what SQLite compares, and what no version of a locale changes.
  TEXT: 'text COLLATE "C"',
  BLOB: "bytea",
};
