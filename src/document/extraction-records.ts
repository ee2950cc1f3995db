import { IMPORTANCES, PARTICIPATION_STATUSES, SENSITIVITIES } from "../mail/records/calendar-event.ts";
import { ITEM_KINDS } from "../mail/records/item.ts";
import type { Attachment, Occurrence } from "../mail/records/message.ts";
import { MESSAGE_KINDS } from "../mail/records/message-kind.ts";
import { SOURCE_FORMAT_NAMES } from "../mail/records/source-formats.ts";
import type { ThreadDetail } from "../mail/records/thread.ts";
import type { WarningCode } from "../mail/records/warning-codes.ts";
import {
  asItStands,
  COUNT,
  choice,
  FLAG,
  INTEGER,
  type JsonOf,
  list,
  notInEarlier,
  nullable,
  type Published,
  type PublishedList,
  patterned,
  record,
  regrouped,
  TEXT,
  TEXTS_BY_NAME,
  unless,
  unlessEmpty,
  unlessNull,
  whereThere,
} from "./published-record.ts";
import {
  ADDRESS,
  COMMUNITY_ID,
  CONTACT_DEGREES,
  CONTACT_IDENTITY,
  CONTACT_RANKS,
  CONTACT_TIMES,
  COUNTS,
  DATE,
  DATES,
  EVENT_ID,
  EXTRACTION_SCHEMA_VERSION,
  ITEM_ID,
  MESSAGE_ID,
  REQUIRED_DATE,
  SHA256,
  THREAD_ID,
  TOPIC_ID,
} from "./published-values.ts";

/**
 * Published records: for each field its published name and type, in output order. Text is passed on unchanged:
 * `jsonLine` makes it valid Unicode once per line.
 */

export const SOURCE_FORMAT = choice(SOURCE_FORMAT_NAMES);

/** Mailboxes are listed in provenance.json only. */
export const SOURCE = record({
  path: ["path", TEXT],
  format: ["format", SOURCE_FORMAT],
  sha256: ["sha256", SHA256],
  sizeBytes: ["size_bytes", COUNT],
  counts: ["counts", COUNTS],
  calendarEvents: ["calendar_events", COUNT],
});

export const STATISTICS = record({
  totalMessages: ["total_messages", COUNT],
  totalCalendarEvents: ["total_calendar_events", COUNT],
  totalContacts: ["total_contacts", COUNT],
  totalThreads: ["total_threads", COUNT],
  multiMessageThreads: ["multi_message_threads", COUNT],
  totalTopics: ["total_topics", COUNT],
  totalAttachments: ["total_attachments", COUNT],
  filesWithoutText: ["files_without_text", whereThere(COUNT)],
  piiRedactions: ["pii_redactions", COUNT],
  dateRange: ["date_range", record({ earliest: ["earliest", DATE], latest: ["latest", DATE] })],
});

export const CONTACT = record({
  ...CONTACT_IDENTITY,
  frequency: ["frequency", choice(["high", "medium", "low"])],
  ...CONTACT_TIMES,
  sentiment: ["sentiment", choice(["positive", "neutral", "negative"])],
  communityId: ["community_id", COMMUNITY_ID],
  ...CONTACT_RANKS,
  ...CONTACT_DEGREES,
  aliases: ["aliases", list(TEXT)],
  domains: ["domains", list(TEXT)],
});

const GROUPED_THREAD = record({
  id: ["id", THREAD_ID],
  subject: ["subject", TEXT],
  messageCount: ["message_count", COUNT],
  participants: ["participants", list(TEXT)],
  dateRange: ["date_range", record({ firstMessage: ["first_message", DATE], lastMessage: ["last_message", DATE] })],
  topicId: ["topic_id", TOPIC_ID],
  messageIds: ["message_ids", list(MESSAGE_ID)],
});

export const THREAD = regrouped(
  GROUPED_THREAD,
  (thread: ThreadDetail) => GROUPED_THREAD.writeParts(thread, { dateRange: thread }),
  ({ dateRange, ...thread }): ThreadDetail => ({ ...thread, ...dateRange }),
);

export const TOPIC = record({
  id: ["id", TOPIC_ID],
  name: ["name", TEXT],
  description: ["description", TEXT],
  messageCount: ["message_count", COUNT],
  topKeywords: ["top_keywords", list(TEXT)],
  mentionPercent: ["mention_percent", unlessNull(COUNT)],
  createdAt: ["created_at", REQUIRED_DATE],
});

const ATTENDEE = asItStands(
  record({ name: ["name", TEXT], email: ["email", TEXT], role: ["role", TEXT], status: ["status", TEXT] }),
);

/** Attachment of an appointment or another Outlook item. */
export const ITEM_ATTACHMENT = record({
  filename: ["filename", TEXT],
  mediaType: ["media_type", TEXT],
  sizeBytes: ["size_bytes", COUNT],
  sha256: ["sha256", SHA256],
  path: ["path", nullable(TEXT)],
  /** Only of a link. */
  linkTarget: ["link_target", unlessNull(TEXT)],
});

const ITEM_PLACE = record({
  source: ["source", COUNT],
  mailbox: ["mailbox", TEXT],
  location: ["location", TEXT],
  sha256: ["sha256", SHA256],
});

export const CALENDAR_EVENT = record({
  id: ["id", EVENT_ID],
  uid: ["uid", TEXT],
  recurrenceId: ["recurrence_id", DATE],
  seriesAllDay: ["series_all_day", notInEarlier(FLAG)],
  messageId: ["message_id", nullable(MESSAGE_ID)],
  source: ["source", COUNT],
  mailbox: ["mailbox", TEXT],
  method: ["method", nullable(TEXT)],
  status: ["status", choice(["tentative", "confirmed", "cancelled"])],
  sequence: ["sequence", INTEGER],
  subject: ["subject", TEXT],
  description: ["description", TEXT],
  location: ["location", TEXT],
  start: ["start", DATE],
  end: ["end", DATE],
  allDay: ["all_day", FLAG],
  timezone: ["timezone", nullable(TEXT)],
  organizer: ["organizer", nullable(ADDRESS)],
  attendees: ["attendees", list(ATTENDEE)],
  recurrence: [
    "recurrence",
    nullable(record({ rrule: ["rrule", TEXT], exdates: ["exdates", DATES], text: ["text", TEXT] })),
  ],
  busyStatus: ["busy_status", nullable(choice(["free", "tentative", "busy", "out_of_office", "working_elsewhere"]))],
  sensitivity: ["sensitivity", notInEarlier(choice(SENSITIVITIES))],
  importance: ["importance", notInEarlier(choice(IMPORTANCES))],
  reminderMinutes: ["reminder_minutes", notInEarlier(INTEGER)],
  ownAnswer: ["own_answer", notInEarlier(choice(PARTICIPATION_STATUSES))],
  createdAt: ["created_at", DATE],
  updatedAt: ["updated_at", DATE],
  /** Only if there are any. */
  categories: ["categories", unlessEmpty(list(TEXT))],
  attachments: ["attachments", unlessEmpty(list(ITEM_ATTACHMENT))],
  duplicates: ["duplicates", unlessEmpty(list(ITEM_PLACE))],
});

export const ITEM = record({
  id: ["id", ITEM_ID],
  kind: ["kind", choice(ITEM_KINDS)],
  subject: ["subject", TEXT],
  mailbox: ["mailbox", TEXT],
  source: ["source", COUNT],
  fields: ["fields", TEXTS_BY_NAME],
});

export const ATTACHMENT = record({
  id: ["id", TEXT],
  filename: ["filename", TEXT],
  mediaType: ["media_type", TEXT],
  sizeBytes: ["size_bytes", COUNT],
  sha256: ["sha256", SHA256],
  disposition: ["disposition", choice<Attachment["disposition"]>(["attachment", "inline"])],
  contentId: ["content_id", nullable(TEXT)],
  path: ["path", nullable(TEXT)],
  /** Only of a link. */
  linkTarget: ["link_target", unlessNull(TEXT)],
  /** Only for a file in an attached message. */
  attachedMessage: ["attached_message", unlessNull(TEXT)],
});

/**
 * A location of a message, with the fields that differ there. Fields used only for threads and contacts are omitted.
 */
const OCCURRENCE = record({
  source: ["source", COUNT],
  mailbox: ["mailbox", TEXT],
  location: ["location", TEXT],
  messageId: ["message_id", whereThere(TEXT)],
  sha256: ["sha256", whereThere(SHA256)],
  sentAt: ["sent_at", whereThere(DATE)],
  receivedAt: ["received_at", whereThere(DATE)],
  flags: ["flags", whereThere(list(TEXT))],
  from: ["from", whereThere(nullable(ADDRESS))],
  sender: ["sender", whereThere(nullable(ADDRESS))],
  to: ["to", whereThere(list(ADDRESS))],
  cc: ["cc", whereThere(list(ADDRESS))],
  bcc: ["bcc", whereThere(list(ADDRESS))],
  replyTo: ["reply_to", whereThere(list(ADDRESS))],
  inReplyTo: ["in_reply_to", whereThere(list(TEXT))],
  references: ["references", whereThere(list(TEXT))],
});

/** `message_id` comes first, so that a skim for known messages need not read the rest of the line. */
export const MESSAGE = record({
  messageId: ["message_id", TEXT],
  id: ["id", MESSAGE_ID],
  threadId: ["thread_id", THREAD_ID],
  topicId: ["topic_id", TOPIC_ID],
  inReplyTo: ["in_reply_to", list(TEXT)],
  references: ["references", list(TEXT)],
  conversationIndexRoot: [
    "conversation_index_root",
    nullable(patterned(/^[0-9a-f]{44}$/, "must be 44 lower-case hex digits")),
  ],
  subject: ["subject", TEXT],
  from: ["from", nullable(ADDRESS)],
  sender: ["sender", notInEarlier(ADDRESS)],
  messageKind: ["kind", notInEarlier(choice(MESSAGE_KINDS))],
  to: ["to", list(ADDRESS)],
  cc: ["cc", list(ADDRESS)],
  bcc: ["bcc", list(ADDRESS)],
  replyTo: ["reply_to", list(ADDRESS)],
  sentAt: ["sent_at", DATE],
  receivedAt: ["received_at", DATE],
  mailbox: ["mailbox", TEXT],
  flags: ["flags", list(TEXT)],
  source: ["source", COUNT],
  location: ["location", TEXT],
  sha256: ["sha256", SHA256],
  sizeBytes: ["size_bytes", COUNT],
  language: ["language", nullable(TEXT)],
  body: ["body", TEXT],
  bodyTokens: ["body_tokens", COUNT],
  attachments: ["attachments", list(ATTACHMENT)],
  /** Only if the text is too short for detection, and the language is inferred from its context. */
  inferredLanguage: ["language_inferred", unlessNull(TEXT)],
  /** Only if it quotes a message. */
  quotes: ["quotes", unlessEmpty(list(MESSAGE_ID))],
  /** Omitted in a redacted archive. */
  contentKey: ["content_key", unlessNull(patterned(/^[0-9a-f]{32}$/, "must be 32 lower-case hex digits"))],
  /** Only if there are several. */
  occurrences: [
    "occurrences",
    unless(
      list(OCCURRENCE),
      (occurrences) => occurrences.length <= 1,
      ({ source, mailbox, location }: Occurrence) => [{ source, mailbox, location }],
    ),
  ],
  findings: [
    "findings",
    unlessEmpty(
      list(asItStands(record({ code: ["code", TEXT as Published<WarningCode, string>], message: ["message", TEXT] }))),
    ),
  ],
});

/** The document: lists are written and read one element at a time. */
export const EXTRACTION = record({
  schemaVersion: ["schema_version", choice([EXTRACTION_SCHEMA_VERSION])],
  tool: ["tool", TEXT],
  toolVersion: ["tool_version", TEXT],
  extractedAt: ["extracted_at", REQUIRED_DATE],
  sources: ["sources", list(SOURCE)],
  statistics: ["statistics", STATISTICS],
  contacts: ["contacts", list(CONTACT)],
  threads: ["threads", list(THREAD)],
  topics: ["topics", list(TOPIC)],
  events: ["calendar_events", list(CALENDAR_EVENT)],
  items: ["items", list(ITEM)],
  messages: ["messages", list(MESSAGE)],
});

/** The lists of the document by their published names, each with its element type. */
export type Elements = {
  readonly [K in keyof ExtractionFields as ExtractionFields[K][1] extends PublishedList<unknown, unknown>
    ? ExtractionFields[K][0]
    : never]: ExtractionFields[K][1] extends PublishedList<infer Value, infer Json> ? Published<Value, Json> : never;
};
type ExtractionFields = (typeof EXTRACTION)["fields"];
export const ELEMENTS = Object.fromEntries(
  Object.values(EXTRACTION.fields).flatMap(([name, described]) => ("of" in described ? [[name, described.of]] : [])),
) as unknown as Elements;

export type StatisticsJson = JsonOf<typeof STATISTICS>;
export type ThreadJson = JsonOf<typeof THREAD>;
export type CalendarEventJson = JsonOf<typeof CALENDAR_EVENT>;
export type ItemJson = JsonOf<typeof ITEM>;
export type MessageJson = JsonOf<typeof MESSAGE>;
