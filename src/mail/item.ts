import type { ItemId } from "./ids.ts";

export type ItemKind = "contact" | "distribution_list" | "task" | "note" | "journal" | "other";

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
