import { ArchiveError } from "../errors.ts";
import { EARLIEST_INSTANT, formatInstant, type Instant, LATEST_INSTANT, parseInstant } from "../mail/dates/instant.ts";
import {
  type CommunityId,
  type ContactId,
  type EventId,
  type IdKind,
  type ItemId,
  LEAST_DIGITS,
  type MessageId,
  type ThreadId,
  type TopicId,
} from "../mail/records/ids.ts";
import {
  asItStands,
  COUNT,
  convertedNumber,
  nullable,
  type Published,
  patterned,
  record,
  TEXT,
} from "./published-record.ts";

/** Values shared by published records. */

/** Version of the shape of extraction.json; it changes when a reader of the old shape would err. */
export const EXTRACTION_SCHEMA_VERSION = "1.0";

/** Significant digits of a published score: enough to rank by, few enough that platforms agree on them. */
const SCORE_DIGITS = 6;

/** A finite number of six significant digits. */
export function publishedScore(score: number): number {
  return Number.isFinite(score) ? Number(score.toPrecision(SCORE_DIGITS)) : 0;
}

/** A date as text; null for one that four-digit years cannot write. */
export function publishedDate(instant: Instant | null): string | null {
  return instant === null || instant < EARLIEST_INSTANT || instant > LATEST_INSTANT ? null : formatInstant(instant);
}

/** A required date, clamped to four-digit years. */
export function requiredDate(instant: Instant): string {
  return formatInstant(Math.min(LATEST_INSTANT, Math.max(EARLIEST_INSTANT, instant)));
}

/** ISO 8601 in UTC with seconds: the only published form of dates. */
const DATE_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const DATE_TEXT = patterned(DATE_PATTERN, "must be a date-time such as 2001-05-14T16:39:00Z");

export const REQUIRED_DATE: Published<Instant, string> = {
  shape: DATE_TEXT.shape,
  isSame: false,
  write: requiredDate,
  /** Rejects unreadable dates; never replaces them by others. */
  read(text) {
    const instant = parseInstant(text);
    if (instant === null) throw new ArchiveError("DOCUMENT_INVALID", `"${text}" is not a date`);
    return instant;
  },
};

export const DATE: Published<Instant | null, string | null> = {
  shape: nullable(DATE_TEXT).shape,
  isSame: false,
  write: publishedDate,
  read: (text) => (text === null ? null : parseInstant(text)),
};

/** Dates; those that cannot be written are omitted. */
export const DATES: Published<readonly Instant[], readonly string[]> = {
  shape: { kind: "list", of: DATE_TEXT.shape },
  isSame: false,
  write: (instants) => instants.map(publishedDate).filter((date) => date !== null),
  read: (dates) => dates.map(parseInstant).filter((instant) => instant !== null),
};

export const SCORE = convertedNumber(publishedScore);
export const SHA256 = patterned(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits");

/** The id of a record: the word of its kind, a dash, and digits padded to a width they may exceed. */
function idOf<Id extends string>(kind: IdKind): Published<Id, string> {
  const digits = LEAST_DIGITS[kind];
  const pattern = new RegExp(`^${kind}-\\d{${digits},15}$`);
  return patterned<Id>(pattern, `must be an id such as ${kind}-${"1".padStart(digits, "0")}`);
}
export const MESSAGE_ID = idOf<MessageId>("msg");
export const CONTACT_ID = idOf<ContactId>("contact");
export const THREAD_ID = idOf<ThreadId>("thread");
export const TOPIC_ID = idOf<TopicId>("topic");
export const COMMUNITY_ID = idOf<CommunityId>("community");
export const EVENT_ID = idOf<EventId>("event");
export const ITEM_ID = idOf<ItemId>("item");

export const ADDRESS = asItStands(record({ name: ["name", TEXT], email: ["email", TEXT] }));

export const COUNTS = record({
  seen: ["seen", COUNT],
  kept: ["kept", COUNT],
  duplicate: ["duplicate", COUNT],
  skipped: ["skipped", COUNT],
  failed: ["failed", COUNT],
});

/** Fields of every published form of a contact, in groups that stay together. */
export const CONTACT_IDENTITY = {
  id: ["id", CONTACT_ID],
  name: ["name", TEXT],
  email: ["email", TEXT],
  messageCount: ["message_count", COUNT],
  sentCount: ["sent_count", COUNT],
  receivedCount: ["received_count", COUNT],
} as const;
export const CONTACT_TIMES = {
  firstSeen: ["first_seen", DATE],
  lastSeen: ["last_seen", DATE],
} as const;
export const CONTACT_RANKS = {
  authorityScore: ["authority_score", SCORE],
  hubScore: ["hub_score", SCORE],
  pagerank: ["pagerank", SCORE],
} as const;
export const CONTACT_DEGREES = {
  degree: ["degree", COUNT],
  inDegree: ["in_degree", COUNT],
  outDegree: ["out_degree", COUNT],
} as const;
