import type { ItemId } from "./ids.ts";

export const ITEM_KINDS = [
  "contact",
  "distribution_list",
  "task",
  "note",
  "journal",
  "rule",
  "out_of_office",
  "other",
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** Field of the attachments of an item that were saved: paths below the output directory, one a line. */
export const SAVED_FILES_FIELD = "attachment_files";

/** An Outlook item that is no mail and no appointment. */
export interface OutlookItem {
  readonly kind: ItemKind;
  readonly subject: string;
  /** Named values in the order they are shown; names are snake_case words, dates ISO 8601. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface ArchivedItem extends OutlookItem {
  readonly id: ItemId;
  readonly mailbox: string;
  readonly source: number;
}
