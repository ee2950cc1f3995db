import fc from "fast-check";
import type { ArchivedMessage } from "../src/mail/archive.ts";
import type { CalendarEvent } from "../src/mail/records/calendar-event.ts";
import type { Contact } from "../src/mail/records/contact.ts";
import { communityId, contactId, eventId, itemId, messageId, threadId, topicId } from "../src/mail/records/ids.ts";
import { type ArchivedItem, INTERNAL_ITEM_DEFAULTS } from "../src/mail/records/item.ts";
import type { MessageOrdinal } from "../src/mail/records/ordinal.ts";
import type { ArchiveStatistics, SourceRecord } from "../src/mail/records/provenance.ts";
import type { ThreadDetail } from "../src/mail/records/thread.ts";
import type { Topic } from "../src/mail/records/topic.ts";
import { modelMessage, modelThreadMessages } from "./archive-model.ts";
import { SAMPLE_RECORD, type SampleArchive, sampleArchives } from "./sample-rows.ts";

/** A complete archive, with every date at a full second, as documents write them. */
export interface SampleDocument {
  readonly sample: SampleArchive;
  readonly sources: readonly SourceRecord[];
  readonly statistics: ArchiveStatistics;
  readonly contacts: readonly Contact[];
  readonly threads: readonly ThreadDetail[];
  readonly topics: readonly Topic[];
  readonly events: readonly CalendarEvent[];
  readonly items: readonly ArchivedItem[];
  readonly messages: readonly ArchivedMessage[];
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("", '"', "\\", '\\"', "\u2028\n\t", "]}", "[{", "a\\\\", "💌", "\u0001"),
);
const date = fc.constantFrom(null, 0, -62_135_596_800_000, 990_000_000_000, 253_402_300_799_000);
const person = fc.record({ name: text, email: text });

const entry = fc.record({
  uid: text,
  recurrenceId: date,
  seriesAllDay: fc.constantFrom(null, true, false),
  method: fc.constantFrom(null, "REQUEST"),
  status: fc.constantFrom("tentative" as const, "confirmed" as const, "cancelled" as const),
  sequence: fc.nat(3),
  subject: text,
  description: text,
  location: text,
  start: date,
  end: date,
  allDay: fc.boolean(),
  timezone: fc.constantFrom(null, "Europe/Berlin"),
  organizer: fc.option(person),
  attendees: fc.array(
    fc.record({ name: text, email: text, role: fc.constant("chair"), status: fc.constant("accepted") }),
    {
      maxLength: 2,
    },
  ),
  recurrence: fc.option(fc.record({ rrule: fc.constant("FREQ=DAILY"), exdates: fc.constant([990_000_000_000]), text })),
  busyStatus: fc.constantFrom(null, "busy" as const),
  sensitivity: fc.constantFrom(null, "private" as const),
  importance: fc.constantFrom(null, "high" as const),
  categories: fc.array(text, { maxLength: 2 }),
  reminderMinutes: fc.constantFrom(null, 15, -60),
  attachments: fc.array(
    fc.record({
      filename: text,
      mediaType: fc.constant("text/plain"),
      sizeBytes: fc.nat(),
      sha256: fc.constant("a".repeat(64)),
      path: fc.constantFrom(null, "wiki/attachments/event-000001/plan.txt"),
      linkTarget: fc.constantFrom(null, "https://files.mill.example/plan"),
    }),
    { maxLength: 2 },
  ),
  ownAnswer: fc.constantFrom(null, "needs-action" as const),
  createdAt: date,
  updatedAt: date,
});
const place = fc.record({ source: fc.nat(1), mailbox: text, location: text, sha256: fc.constant("c".repeat(64)) });
const event = fc
  .tuple(entry, fc.nat(1), text, fc.array(place, { maxLength: 2 }))
  .map(([own, source, mailbox, duplicates]) => ({ ...own, source, mailbox, origin: null, item: null, duplicates }));
const item = fc.record({
  kind: fc.constantFrom("contact" as const, "note" as const, "distribution_list" as const),
  subject: text,
  fields: fc.dictionary(fc.constantFrom("body", "due", "größe"), text),
  mailbox: text,
  source: fc.nat(1),
  attachments: fc.constant(INTERNAL_ITEM_DEFAULTS.attachments),
  origin: fc.constant(INTERNAL_ITEM_DEFAULTS.origin),
});

const wholeSecond = (instant: number | null): number | null =>
  instant === null ? null : Math.floor(instant / 1000) * 1000;

/** Dates of a sample with the precision of documents: seconds. */
function toSeconds(sample: SampleArchive): SampleArchive {
  return {
    ...sample,
    messages: sample.messages.map((message) => ({
      ...message,
      sentAt: wholeSecond(message.sentAt),
      receivedAt: wholeSecond(message.receivedAt),
    })),
    threads: sample.threads.map((thread) => ({
      ...thread,
      firstMessage: wholeSecond(thread.firstMessage),
      lastMessage: wholeSecond(thread.lastMessage),
    })),
    contacts: sample.contacts.map((contact) => ({
      ...contact,
      firstSeen: wholeSecond(contact.firstSeen),
      lastSeen: wholeSecond(contact.lastSeen),
      authorityScore: Number(contact.authorityScore.toPrecision(6)),
      hubScore: Number(contact.hubScore.toPrecision(6)),
      pagerank: Number(contact.pagerank.toPrecision(6)),
    })),
  };
}

function toDocument(
  original: SampleArchive,
  events: readonly Omit<CalendarEvent, "id" | "messageId">[],
  items: readonly Omit<ArchivedItem, "id">[],
): SampleDocument {
  const sample = toSeconds(original);
  const dates = sample.messages.map((message) => message.sentAt).filter((sentAt) => sentAt !== null);
  const counts = { seen: sample.messages.length, kept: sample.messages.length, duplicate: 0, skipped: 0, failed: 0 };
  return {
    sample,
    sources: ["a.mbox", "größe.pst"].map((path, index) => ({
      path,
      format: index === 0 ? "mbox" : "pst",
      sha256: `${index}`.repeat(64),
      sizeBytes: 3_000_000_000,
      counts,
      calendarEvents: index,
      mailboxes: [],
    })),
    statistics: {
      totalMessages: sample.messages.length,
      totalCalendarEvents: events.length,
      totalContacts: sample.contacts.length,
      totalThreads: sample.threads.length,
      multiMessageThreads: sample.threads.filter((thread) => thread.messageCount > 1).length,
      totalTopics: sample.topics.length,
      totalAttachments: sample.messages.reduce((sum, message) => sum + message.attachments.length, 0),
      totalItems: items.length,
      piiRedactions: 4,
      dateRange: {
        earliest: dates.length === 0 ? null : Math.min(...dates),
        latest: dates.length === 0 ? null : Math.max(...dates),
      },
      extractedAt: SAMPLE_RECORD.extractedAt,
    },
    contacts: sample.contacts.map(({ ordinal, community, evidence, ...same }) => ({
      ...same,
      id: contactId(ordinal),
      communityId: communityId(community),
    })),
    threads: [...sample.threads]
      .sort((a, b) => a.ordinal - b.ordinal)
      .map(({ ordinal, topic, ...same }) => ({
        ...same,
        id: threadId(ordinal),
        topicId: topicId(topic),
        messageIds: modelThreadMessages(sample, ordinal) as ThreadDetail["messageIds"],
      })),
    topics: sample.topics.map(({ ordinal, ...same }) => ({ ...same, id: topicId(ordinal) })),
    events: events.map((own, index) => ({
      ...own,
      id: eventId(index + 1),
      messageId: index < sample.messages.length ? messageId((index + 1) as MessageOrdinal) : null,
    })),
    items: items.map((own, index) => ({ ...own, id: itemId(index + 1) })),
    messages: sample.messages.map(modelMessage),
  };
}

export const sampleDocuments: fc.Arbitrary<SampleDocument> = fc
  .tuple(sampleArchives, fc.array(event, { maxLength: 3 }), fc.array(item, { maxLength: 3 }))
  .map(([sample, events, items]) => toDocument(sample, events, items));

/** Batches of two, as readers return them. */
export function* inBatches<T>(elements: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < elements.length; start += 2) yield elements.slice(start, start + 2);
}
