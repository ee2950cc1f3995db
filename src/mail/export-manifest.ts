/**
 * The list of files in an export: `MANIFEST.csv` in a directory, `<file>.MANIFEST.csv` next to a file. Readers
 * recognize an export by it.
 */
export const MANIFEST_NAME = "MANIFEST.csv";

/** Columns; the first is the path of the file relative to the list. */
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
