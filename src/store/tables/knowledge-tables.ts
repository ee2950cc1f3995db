import { type CalendarEvent, INTERNAL_EVENT_DEFAULTS } from "../../mail/records/calendar-event.ts";
import { type ArchivedItem, INTERNAL_ITEM_DEFAULTS } from "../../mail/records/item.ts";
import type { ThreadOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import type { RunRecord, WarnedOutcome } from "../../mail/records/provenance.ts";
import type { SourceFormatName } from "../../mail/records/source-formats.ts";
import type { WarningCode } from "../../mail/records/warning-codes.ts";
import {
  choice,
  counter,
  instant,
  integer,
  key,
  numbered,
  optional,
  pairs,
  record,
  text,
  texts,
  word,
  words,
} from "./column.ts";
import { table } from "./table.ts";

export const THREADS = table("threads", {
  ordinal: key<ThreadOrdinal>("id"),
  subject: text("subject"),
  messageCount: integer("message_count"),
  firstMessage: instant("first_at"),
  lastMessage: instant("last_at"),
  topic: integer<TopicOrdinal>("topic_id"),
  participants: words("participants"),
});

export const TOPICS = table("topics", {
  ordinal: key<TopicOrdinal>("id"),
  name: text("name"),
  nameKey: word("name_key"),
  description: text("description"),
  messageCount: integer("message_count"),
  topKeywords: texts("keywords"),
  mentionPercent: optional(integer("mention_percent")),
  createdAt: integer("created_at"),
  /** The most frequent contacts, each with its number of messages. */
  keyContacts: pairs("key_contacts"),
});

export const EVENTS = table("events", {
  ordinal: key("id"),
  uid: word("uid"),
  start: instant("start_at"),
  record: record<CalendarEvent>("record", INTERNAL_EVENT_DEFAULTS),
});

export const ITEMS = table("items", {
  ordinal: key("id"),
  record: record<ArchivedItem>("record", INTERNAL_ITEM_DEFAULTS),
});

export const WARNINGS = table("warnings", {
  number: numbered("id"),
  code: choice<WarningCode>("code"),
  message: text("message"),
  source: optional(integer("source")),
  location: optional(word("location")),
  sha256: optional(word("sha256")),
  outcome: optional(choice<WarnedOutcome>("outcome")),
});

export const RUNS = table("runs", { number: numbered("id"), record: record<RunRecord>("record") });

export const SOURCES = table("sources", {
  ordinal: key("id"),
  path: word("path"),
  format: choice<SourceFormatName>("format"),
  sha256: word("sha256"),
  sizeBytes: integer("size_bytes"),
  seen: integer("seen"),
  kept: integer("kept"),
  duplicate: integer("duplicate"),
  skipped: integer("skipped"),
  failed: integer("failed"),
  calendarEvents: integer("calendar_events"),
});

/**
 * Mailboxes that contain a message or occurred in a source; `position` is their position in the source, null if they
 * did not occur in the last run.
 */
export const MAILBOXES = table(
  "mailboxes",
  {
    ordinal: key("id"),
    source: integer("source"),
    name: word("name"),
    position: optional(integer("position")),
    seen: counter("seen"),
    kept: counter("kept"),
    duplicate: counter("duplicate"),
    skipped: counter("skipped"),
    failed: counter("failed"),
    messages: counter("messages"),
    firstMessage: optional(integer("first_message")),
  },
  { keys: "UNIQUE(source, name)", options: "" },
);
