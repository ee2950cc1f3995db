import { type Instant, parseInstant } from "../dates/instant.ts";
import type { ItemId } from "./ids.ts";
import type { Attachment } from "./message.ts";

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

/** Field for the saved attachments of an item: paths relative to the output directory, one per line. */
export const SAVED_FILES_FIELD = "attachment_files";

/** An Outlook item other than mail and appointments. */
export interface OutlookItem {
  readonly kind: ItemKind;
  readonly subject: string;
  /** Named values in the order they are shown; names are snake_case words, dates ISO 8601. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Attachment of an appointment or another Outlook item. */
export interface ItemAttachment
  extends Pick<Attachment, "filename" | "mediaType" | "sizeBytes" | "sha256" | "linkTarget" | "path"> {}

/** The location of an item in its source, and its fingerprint when it was read. */
export interface ItemOrigin {
  readonly source: number;
  readonly mailbox: string;
  /** Like the location of a message, with the suffix `/occurrence:N` for a changed occurrence of a series. */
  readonly location: string;
  /** Fingerprint of the item with all its attachments, lower-case hex. */
  readonly sha256: string;
}

export interface ArchivedItem extends OutlookItem {
  readonly id: ItemId;
  readonly mailbox: string;
  readonly source: number;
  /** Its attachments, which a field also lists as one text. */
  readonly attachments: readonly ItemAttachment[];
  /** Null without attachments, or if the location is unknown. */
  readonly origin: ItemOrigin | null;
}

/** Fields missing in archives of earlier versions and documents. */
export const INTERNAL_ITEM_DEFAULTS = { attachments: [], origin: null } as const satisfies Partial<ArchivedItem>;

/** Fields that can date an item; the first one present counts. */
const DATED_BY = ["start_date", "start", "due_date", "completed_date", "created"] as const;
/** Characters of a date without a time. */
const DAY_LENGTH = 10;

/** Date of an item according to its fields; a day without a time is midnight in UTC. Null if it has none. */
export function itemDate({ fields }: Pick<OutlookItem, "fields">): Instant | null {
  const written = DATED_BY.map((name) => fields[name]).find((value) => value !== undefined);
  if (written === undefined) return null;
  return parseInstant(written.length === DAY_LENGTH ? `${written}T00:00:00Z` : written);
}
