import type { Address } from "../mail/address.ts";
import type { ArchivedMessage } from "../mail/archive.ts";
import type { CalendarEvent } from "../mail/calendar-event.ts";
import type { Contact } from "../mail/contact.ts";
import type { ArchivedItem } from "../mail/item.ts";
import type { Attachment, Occurrence } from "../mail/message.ts";
import type { ArchiveStatistics, SourceRecord } from "../mail/provenance.ts";
import type { ThreadDetail } from "../mail/thread.ts";
import type { Topic } from "../mail/topic.ts";
import { wellFormed } from "../mail/unicode.ts";
import type {
  AttachmentJson,
  CalendarEventJson,
  ContactJson,
  ItemJson,
  MessageJson,
  SourceJson,
  StatisticsJson,
  ThreadJson,
  TopicJson,
} from "./extraction-schema.ts";
import { publishedDate, publishedScore } from "./wire-values.ts";

/** The vocabulary as published records. The order of the keys is the order they are written in. */

const texts = (list: readonly string[]): string[] => list.map(wellFormed);
const optionalText = (text: string | null): string | null => (text === null ? null : wellFormed(text));
const addressJson = ({ name, email }: Address): { name: string; email: string } => ({ name: wellFormed(name), email: wellFormed(email) });
const addressesJson = (list: readonly Address[]): { name: string; email: string }[] => list.map(addressJson);

export function sourceJson(source: SourceRecord): SourceJson {
  const { seen, kept, duplicate, skipped, failed } = source.counts;
  return {
    path: wellFormed(source.path),
    format: source.format,
    sha256: source.sha256,
    size_bytes: source.sizeBytes,
    counts: { seen, kept, duplicate, skipped, failed },
    calendar_events: source.calendarEvents,
  };
}

export function statisticsJson(statistics: ArchiveStatistics): StatisticsJson {
  return {
    total_messages: statistics.totalMessages,
    total_calendar_events: statistics.totalCalendarEvents,
    total_contacts: statistics.totalContacts,
    total_threads: statistics.totalThreads,
    multi_message_threads: statistics.multiMessageThreads,
    total_topics: statistics.totalTopics,
    total_attachments: statistics.totalAttachments,
    pii_redactions: statistics.piiRedactions,
    date_range: { earliest: publishedDate(statistics.dateRange.earliest), latest: publishedDate(statistics.dateRange.latest) },
  };
}

export function contactJson(contact: Contact): ContactJson {
  return {
    id: contact.id,
    name: wellFormed(contact.name),
    email: wellFormed(contact.email),
    message_count: contact.messageCount,
    sent_count: contact.sentCount,
    received_count: contact.receivedCount,
    frequency: contact.frequency,
    first_seen: publishedDate(contact.firstSeen),
    last_seen: publishedDate(contact.lastSeen),
    sentiment: contact.sentiment,
    community_id: contact.communityId,
    authority_score: publishedScore(contact.authorityScore),
    hub_score: publishedScore(contact.hubScore),
    pagerank: publishedScore(contact.pagerank),
    degree: contact.degree,
    in_degree: contact.inDegree,
    out_degree: contact.outDegree,
    aliases: texts(contact.aliases),
    domains: texts(contact.domains),
  };
}

export function threadJson(thread: ThreadDetail): ThreadJson {
  return {
    id: thread.id,
    subject: wellFormed(thread.subject),
    message_count: thread.messageCount,
    participants: texts(thread.participants),
    date_range: { first_message: publishedDate(thread.firstMessage), last_message: publishedDate(thread.lastMessage) },
    topic_id: thread.topicId,
    message_ids: [...thread.messageIds],
  };
}

export function topicJson(topic: Topic): TopicJson {
  return {
    id: topic.id,
    name: wellFormed(topic.name),
    description: wellFormed(topic.description),
    message_count: topic.messageCount,
    top_keywords: texts(topic.topKeywords),
    created_at: publishedDate(topic.createdAt) ?? "1970-01-01T00:00:00Z",
  };
}

export function calendarEventJson(event: CalendarEvent): CalendarEventJson {
  const { recurrence, organizer } = event;
  return {
    id: event.id,
    uid: wellFormed(event.uid),
    recurrence_id: publishedDate(event.recurrenceId),
    message_id: event.messageId,
    source: event.source,
    mailbox: wellFormed(event.mailbox),
    method: optionalText(event.method),
    status: event.status,
    sequence: event.sequence,
    subject: wellFormed(event.subject),
    description: wellFormed(event.description),
    location: wellFormed(event.location),
    start: publishedDate(event.start),
    end: publishedDate(event.end),
    all_day: event.allDay,
    timezone: optionalText(event.timezone),
    organizer: organizer === null ? null : addressJson(organizer),
    attendees: event.attendees.map(({ name, email, role, status }) => ({
      ...addressJson({ name, email }),
      role: wellFormed(role),
      status: wellFormed(status),
    })),
    recurrence:
      recurrence === null
        ? null
        : {
            rrule: wellFormed(recurrence.rrule),
            exdates: recurrence.exdates.map(publishedDate).filter((date) => date !== null),
            text: wellFormed(recurrence.text),
          },
    busy_status: event.busyStatus,
    created_at: publishedDate(event.createdAt),
    updated_at: publishedDate(event.updatedAt),
  };
}

export function itemJson(item: ArchivedItem): ItemJson {
  const { id, kind, source } = item;
  const fields = Object.fromEntries(Object.entries(item.fields).map(([name, value]) => [wellFormed(name), wellFormed(value)]));
  return { id, kind, subject: wellFormed(item.subject), mailbox: wellFormed(item.mailbox), source, fields };
}

export function attachmentJson(attachment: Attachment): AttachmentJson {
  return {
    id: attachment.id,
    filename: wellFormed(attachment.filename),
    media_type: wellFormed(attachment.mediaType),
    size_bytes: attachment.sizeBytes,
    sha256: attachment.sha256,
    disposition: attachment.disposition,
    content_id: optionalText(attachment.contentId),
    path: optionalText(attachment.path),
  };
}

function occurrenceJson({ source, mailbox, location }: Occurrence): { source: number; mailbox: string; location: string } {
  return { source, mailbox: wellFormed(mailbox), location: wellFormed(location) };
}

/** `message_id` comes first, so that a skim for known messages need not read the rest of the line. */
export function messageJson(message: ArchivedMessage): MessageJson {
  const { occurrences, findings } = message;
  return {
    message_id: wellFormed(message.messageId),
    id: message.id,
    thread_id: message.threadId,
    topic_id: message.topicId,
    in_reply_to: texts(message.inReplyTo),
    references: texts(message.references),
    conversation_index_root: message.conversationIndexRoot,
    subject: wellFormed(message.subject),
    from: message.from === null ? null : addressJson(message.from),
    to: addressesJson(message.to),
    cc: addressesJson(message.cc),
    bcc: addressesJson(message.bcc),
    reply_to: addressesJson(message.replyTo),
    sent_at: publishedDate(message.sentAt),
    received_at: publishedDate(message.receivedAt),
    mailbox: wellFormed(message.mailbox),
    flags: texts(message.flags),
    source: message.source,
    location: wellFormed(message.location),
    sha256: message.sha256,
    size_bytes: message.sizeBytes,
    language: message.language,
    body: wellFormed(message.body),
    body_tokens: message.bodyTokens,
    attachments: message.attachments.map(attachmentJson),
    ...(occurrences.length > 1 ? { occurrences: occurrences.map(occurrenceJson) } : {}),
    ...(findings.length > 0 ? { findings: findings.map(({ code, message: text }) => ({ code, message: wellFormed(text) })) } : {}),
  };
}
