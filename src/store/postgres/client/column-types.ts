import type { StoredColumn } from "../../tables/stored-tables.ts";

/** The types of columns in PostgreSQL. */
export const TYPES: Readonly<Record<StoredColumn["type"], string>> = {
  INTEGER: "int8",
  REAL: "float8",
  // Bytewise collation, like SQLite, independent of locale versions.
  TEXT: 'text COLLATE "C"',
  BLOB: "bytea",
};
