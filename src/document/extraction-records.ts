import type { ArchivedMessage } from "../mail/archive.ts";
import type { CalendarEvent } from "../mail/calendar-event.ts";
import type { Contact } from "../mail/contact.ts";
import type { ArchivedItem } from "../mail/item.ts";
import type { Attachment, Occurrence } from "../mail/message.ts";
import type { ArchiveStatistics, SourceRecord } from "../mail/provenance.ts";
import type { ThreadDetail } from "../mail/thread.ts";
import type { Topic } from "../mail/topic.ts";
import type {
  AttachmentJson,
  CalendarEventJson,
  ContactJson,
  ItemJson,
  MessageJson,
  OccurrenceJson,
  SourceJson,
  StatisticsJson,
  ThreadJson,
  TopicJson,
} from "./extraction-schema.ts";
import { type Published, publishedDate, publishedScore, requiredDate } from "./published-values.ts";

/**
 * The vocabulary as published records. The order of the keys is the order they are written in. Text is passed on as it
 * is: `jsonLine` makes valid Unicode of it, once for a whole line instead of string by string.
 */

export function sourceJson(source: SourceRecord): Published<SourceJson> {
  const { seen, kept, duplicate, skipped, failed } = source.counts;
  return {
    path: source.path,
    format: source.format,
    sha256: source.sha256,
    size_bytes: source.sizeBytes,
    counts: { seen, kept, duplicate, skipped, failed },
    calendar_events: source.calendarEvents,
  };
}

export function statisticsJson(statistics: ArchiveStatistics): Published<StatisticsJson> {
  return {
    total_messages: statistics.totalMessages,
    total_calendar_events: statistics.totalCalendarEvents,
    total_contacts: statistics.totalContacts,
    total_threads: statistics.totalThreads,
    multi_message_threads: statistics.multiMessageThreads,
    total_topics: statistics.totalTopics,
    total_attachments: statistics.totalAttachments,
    pii_redactions: statistics.piiRedactions,
    date_range: {
      earliest: publishedDate(statistics.dateRange.earliest),
      latest: publishedDate(statistics.dateRange.latest),
    },
  };
}

export function contactJson(contact: Contact): Published<ContactJson> {
  return {
    id: contact.id,
    name: contact.name,
    email: contact.email,
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
    aliases: contact.aliases,
    domains: contact.domains,
  };
}

export function threadJson(thread: ThreadDetail): Published<ThreadJson> {
  return {
    id: thread.id,
    subject: thread.subject,
    message_count: thread.messageCount,
    participants: thread.participants,
    date_range: { first_message: publishedDate(thread.firstMessage), last_message: publishedDate(thread.lastMessage) },
    topic_id: thread.topicId,
    message_ids: thread.messageIds,
  };
}

export function topicJson(topic: Topic): Published<TopicJson> {
  return {
    id: topic.id,
    name: topic.name,
    description: topic.description,
    message_count: topic.messageCount,
    top_keywords: topic.topKeywords,
    created_at: requiredDate(topic.createdAt),
  };
}

export function calendarEventJson(event: CalendarEvent): Published<CalendarEventJson> {
  const { recurrence } = event;
  return {
    id: event.id,
    uid: event.uid,
    recurrence_id: publishedDate(event.recurrenceId),
    message_id: event.messageId,
    source: event.source,
    mailbox: event.mailbox,
    method: event.method,
    status: event.status,
    sequence: event.sequence,
    subject: event.subject,
    description: event.description,
    location: event.location,
    start: publishedDate(event.start),
    end: publishedDate(event.end),
    all_day: event.allDay,
    timezone: event.timezone,
    organizer: event.organizer,
    attendees: event.attendees,
    recurrence:
      recurrence === null
        ? null
        : { ...recurrence, exdates: recurrence.exdates.map(publishedDate).filter((date) => date !== null) },
    busy_status: event.busyStatus,
    created_at: publishedDate(event.createdAt),
    updated_at: publishedDate(event.updatedAt),
  };
}

export function itemJson(item: ArchivedItem): Published<ItemJson> {
  const { id, kind, subject, mailbox, source, fields } = item;
  return { id, kind, subject, mailbox, source, fields };
}

export function attachmentJson(attachment: Attachment): Published<AttachmentJson> {
  return {
    id: attachment.id,
    filename: attachment.filename,
    media_type: attachment.mediaType,
    size_bytes: attachment.sizeBytes,
    sha256: attachment.sha256,
    disposition: attachment.disposition,
    content_id: attachment.contentId,
    path: attachment.path,
  };
}

/** The fields that are there, in a fixed order. What only threads and contacts are made of is not published. */
function occurrenceJson(occurrence: Occurrence): Published<OccurrenceJson> {
  const { source, mailbox, location, messageId, sha256, sentAt, receivedAt, flags, from, to, cc, bcc } = occurrence;
  const { sender, replyTo, inReplyTo, references } = occurrence;
  return {
    source,
    mailbox,
    location,
    ...(messageId === undefined ? {} : { message_id: messageId }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(sentAt === undefined ? {} : { sent_at: publishedDate(sentAt) }),
    ...(receivedAt === undefined ? {} : { received_at: publishedDate(receivedAt) }),
    ...(flags === undefined ? {} : { flags }),
    ...(from === undefined ? {} : { from }),
    ...(sender === undefined ? {} : { sender }),
    ...(to === undefined ? {} : { to }),
    ...(cc === undefined ? {} : { cc }),
    ...(bcc === undefined ? {} : { bcc }),
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    ...(inReplyTo === undefined ? {} : { in_reply_to: inReplyTo }),
    ...(references === undefined ? {} : { references }),
  };
}

/**
 * `message_id` comes first, so that a skim for known messages need not read the rest of the line.
 *
 * @param body stands in the place of the message's own
 */
export function messageJson(message: Omit<ArchivedMessage, "body">, body: string): Published<MessageJson> {
  const { occurrences, findings } = message;
  const record = {
    message_id: message.messageId,
    id: message.id,
    thread_id: message.threadId,
    topic_id: message.topicId,
    in_reply_to: message.inReplyTo,
    references: message.references,
    conversation_index_root: message.conversationIndexRoot,
    subject: message.subject,
    from: message.from,
    sender: message.sender,
    kind: message.messageKind,
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    reply_to: message.replyTo,
    sent_at: publishedDate(message.sentAt),
    received_at: publishedDate(message.receivedAt),
    mailbox: message.mailbox,
    flags: message.flags,
    source: message.source,
    location: message.location,
    sha256: message.sha256,
    size_bytes: message.sizeBytes,
    language: message.language,
    body,
    body_tokens: message.bodyTokens,
    attachments: message.attachments.map(attachmentJson),
  };
  const { contentKey } = message;
  const keyed = contentKey === null ? record : { ...record, content_key: contentKey };
  if (occurrences.length <= 1 && findings.length === 0) return keyed;
  return {
    ...keyed,
    ...(occurrences.length > 1 ? { occurrences: occurrences.map(occurrenceJson) } : {}),
    ...(findings.length > 0 ? { findings } : {}),
  };
}
