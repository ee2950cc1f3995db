/**
 * The list that lies beside every export: `MANIFEST.csv` in a directory, `<file>.MANIFEST.csv` beside a file. A reader of
 * what was exported knows it by this list.
 */
export const MANIFEST_NAME = "MANIFEST.csv";

/** Columns, of which the path of the file relative to the list is the first. */
export const MANIFEST_COLUMNS: readonly string[] = [
  "path",
  "id",
  "message_id",
  "sha256",
  "source",
  "location",
  "origin",
  "note",
  "query",
  "tool_version",
  "exported_at",
];
