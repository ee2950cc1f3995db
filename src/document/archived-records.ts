import { ArchiveError } from "../errors.ts";
import type { ArchivedMessage } from "../mail/archive.ts";
import type { CalendarEvent } from "../mail/calendar-event.ts";
import type { Contact } from "../mail/contact.ts";
import type { CommunityId, ContactId, EventId, ItemId, MessageId, ThreadId, TopicId } from "../mail/ids.ts";
import { type Instant, parseInstant } from "../mail/instant.ts";
import type { ArchivedItem } from "../mail/item.ts";
import type { Attachment, Occurrence } from "../mail/message.ts";
import type { SourceRecord } from "../mail/provenance.ts";
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
  ThreadJson,
  TopicJson,
} from "./extraction-schema.ts";

/** Published records, valid by their schema, as the vocabulary: what `extraction-records.ts` made of it, undone. */

const instant = (date: string | null): Instant | null => (date === null ? null : parseInstant(date));

/** Mailboxes are recorded in provenance.json only. */
export function archivedSource(source: SourceJson): SourceRecord {
  const { path, format, sha256, counts } = source;
  return {
    path,
    format,
    sha256,
    counts,
    sizeBytes: source.size_bytes,
    calendarEvents: source.calendar_events,
    mailboxes: [],
  };
}

export function archivedContact(contact: ContactJson): Contact {
  return {
    id: contact.id as ContactId,
    name: contact.name,
    email: contact.email,
    messageCount: contact.message_count,
    sentCount: contact.sent_count,
    receivedCount: contact.received_count,
    frequency: contact.frequency,
    firstSeen: instant(contact.first_seen),
    lastSeen: instant(contact.last_seen),
    sentiment: contact.sentiment,
    communityId: contact.community_id as CommunityId,
    authorityScore: contact.authority_score,
    hubScore: contact.hub_score,
    pagerank: contact.pagerank,
    degree: contact.degree,
    inDegree: contact.in_degree,
    outDegree: contact.out_degree,
    aliases: contact.aliases,
    domains: contact.domains,
  };
}

export function archivedThread(thread: ThreadJson): ThreadDetail {
  return {
    id: thread.id as ThreadId,
    subject: thread.subject,
    messageCount: thread.message_count,
    participants: thread.participants,
    firstMessage: instant(thread.date_range.first_message),
    lastMessage: instant(thread.date_range.last_message),
    topicId: thread.topic_id as TopicId,
    messageIds: thread.message_ids as MessageId[],
  };
}

export function archivedTopic(topic: TopicJson): Topic {
  return {
    id: topic.id as TopicId,
    name: topic.name,
    description: topic.description,
    messageCount: topic.message_count,
    topKeywords: topic.top_keywords,
    createdAt: requiredInstant(topic.created_at),
  };
}

/** A date that a record must have: an unreadable one is refused, never replaced by another. */
function requiredInstant(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new ArchiveError("DOCUMENT_INVALID", `"${text}" is no date`);
  return instant;
}

export function archivedEvent(event: CalendarEventJson): CalendarEvent {
  const { recurrence } = event;
  return {
    id: event.id as EventId,
    uid: event.uid,
    recurrenceId: instant(event.recurrence_id),
    messageId: event.message_id as MessageId | null,
    source: event.source,
    mailbox: event.mailbox,
    method: event.method,
    status: event.status,
    sequence: event.sequence,
    subject: event.subject,
    description: event.description,
    location: event.location,
    start: instant(event.start),
    end: instant(event.end),
    allDay: event.all_day,
    timezone: event.timezone,
    organizer: event.organizer,
    attendees: event.attendees,
    recurrence:
      recurrence === null
        ? null
        : { ...recurrence, exdates: recurrence.exdates.map(instant).filter((date) => date !== null) },
    busyStatus: event.busy_status,
    createdAt: instant(event.created_at),
    updatedAt: instant(event.updated_at),
  };
}

export function archivedItem(item: ItemJson): ArchivedItem {
  return { ...item, id: item.id as ItemId };
}

function archivedAttachment(attachment: AttachmentJson): Attachment {
  const { id, filename, sha256, disposition, path } = attachment;
  return {
    id,
    filename,
    sha256,
    disposition,
    path,
    mediaType: attachment.media_type,
    sizeBytes: attachment.size_bytes,
    contentId: attachment.content_id,
  };
}

function archivedOccurrence(occurrence: OccurrenceJson): Occurrence {
  const { message_id, sent_at, received_at, reply_to, in_reply_to, ...same } = occurrence;
  return {
    ...(same as Occurrence),
    ...(message_id === undefined ? {} : { messageId: message_id }),
    ...(sent_at === undefined ? {} : { sentAt: instant(sent_at) }),
    ...(received_at === undefined ? {} : { receivedAt: instant(received_at) }),
    ...(reply_to === undefined ? {} : { replyTo: reply_to }),
    ...(in_reply_to === undefined ? {} : { inReplyTo: in_reply_to }),
  };
}

export function archivedMessage(message: MessageJson): ArchivedMessage {
  const { source, mailbox, location } = message;
  return {
    id: message.id as MessageId,
    messageId: message.message_id,
    threadId: message.thread_id as ThreadId,
    topicId: message.topic_id as TopicId,
    inReplyTo: message.in_reply_to,
    references: message.references,
    conversationIndexRoot: message.conversation_index_root,
    subject: message.subject,
    from: message.from,
    sender: message.sender ?? null,
    messageKind: message.kind ?? null,
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    replyTo: message.reply_to,
    sentAt: instant(message.sent_at),
    receivedAt: instant(message.received_at),
    mailbox,
    flags: message.flags,
    source,
    location,
    sha256: message.sha256,
    contentKey: message.content_key ?? null,
    sizeBytes: message.size_bytes,
    language: message.language,
    body: message.body,
    bodyTokens: message.body_tokens,
    attachments: message.attachments.map(archivedAttachment),
    occurrences: message.occurrences?.map(archivedOccurrence) ?? [{ source, mailbox, location }],
    findings: message.findings ?? [],
  };
}
