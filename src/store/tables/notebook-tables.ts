import type { NotebookEntry, NotebookKind } from "../../mail/notebook.ts";
import { type Columns, choice, integer, word } from "./column.ts";
import { table } from "./table.ts";

export const NOTEBOOK_ENTRIES = table(
  "entries",
  {
    kind: choice<NotebookKind>("kind"),
    key: word("key"),
    revision: integer("revision"),
    value: word("value"),
    updatedAt: integer("updated_at"),
  } satisfies Columns<NotebookEntry>,
  { keys: "PRIMARY KEY(kind, key)", options: " WITHOUT ROWID" },
);

/** One row: the last revision that was given. */
export const NOTEBOOK_REVISION = table("last", { revision: integer("revision") });
