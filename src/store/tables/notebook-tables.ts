import type { NotebookEntry, NotebookKind } from "../../mail/notebook.ts";
import { type Columns, choice, integer, optional, since, word } from "./column.ts";
import { table } from "./table.ts";

export const NOTEBOOK_ENTRIES = table(
  "entries",
  {
    kind: choice<NotebookKind>("kind"),
    key: word("key"),
    revision: integer("revision"),
    value: word("value"),
    updatedAt: integer("updated_at"),
    author: since(2, optional(word("author"))),
  } satisfies Columns<NotebookEntry>,
  { keys: "PRIMARY KEY(kind, key)", options: " WITHOUT ROWID" },
);

/** The entries of a notebook in a file, each with its checksum. */
export const CHECKED_ENTRIES = table(
  NOTEBOOK_ENTRIES.name,
  { ...NOTEBOOK_ENTRIES.columns, checksum: word("checksum") },
  NOTEBOOK_ENTRIES.rest,
);

/** One row: the last revision, the checksum of the checksums of all entries, and the checksum of these two. */
export const NOTEBOOK_SEAL = table("last", {
  revision: integer("revision"),
  entriesChecksum: word("entries_checksum"),
  checksum: word("checksum"),
});
