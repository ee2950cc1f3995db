import type { ItemId } from "./ids.ts";
import { type Instant, parseInstant } from "./instant.ts";

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

/** Fields that date an item: the first that it has does. */
const DATED_BY = ["start_date", "start", "due_date", "completed_date", "created"] as const;
/** Characters of a day without a time. */
const DAY_LENGTH = 10;

/** When an item is, as its fields say; a day without a time is its midnight in UTC. Null for one without a date. */
export function itemDate({ fields }: Pick<OutlookItem, "fields">): Instant | null {
  const written = DATED_BY.map((name) => fields[name]).find((value) => value !== undefined);
  if (written === undefined) return null;
  return parseInstant(written.length === DAY_LENGTH ? `${written}T00:00:00Z` : written);
}
