import { ATTACHMENT } from "../../document/extraction-records.ts";
import { publishedDate, publishedScore, requiredDate } from "../../document/published-values.ts";
import type { ArchivedMessage, ListedMessage, Page, SearchHit } from "../../mail/archive.ts";
import type { Address } from "../../mail/records/address.ts";
import type { Contact, ContactDetail } from "../../mail/records/contact.ts";
import type { MessageId } from "../../mail/records/ids.ts";
import { otherSender } from "../../mail/records/message.ts";
import type { ArchiveStatistics } from "../../mail/records/provenance.ts";
import type { Thread } from "../../mail/records/thread.ts";
import type { Topic, TopicDetail } from "../../mail/records/topic.ts";
import {
  API_VERSION,
  type ContactDetailWire,
  type ContactWire,
  type MessageDetailWire,
  type MessageWire,
  type PaginationWire,
  type SearchResultWire,
  type StatisticsWire,
  type ThreadMessageWire,
  type ThreadWire,
  type TopicDetailWire,
  type TopicWire,
} from "./wire.ts";

/** The vocabulary as records of the query API. */

/** Maximum messages with the text of a hit that are listed: one automated text was sent 7,000 times. */
const MAX_SAME_TEXT = 100;

export function paginationWire(total: number, { limit, offset }: Page): PaginationWire {
  return { total, limit, offset, pages: Math.ceil(total / limit) };
}

export function contactWire(contact: Contact): ContactWire {
  return {
    id: contact.id,
    name: contact.name,
    email: contact.email,
    message_count: contact.messageCount,
    frequency: contact.frequency,
    last_seen: publishedDate(contact.lastSeen),
    first_seen: publishedDate(contact.firstSeen),
    sentiment: contact.sentiment,
    community_id: contact.communityId,
    authority_score: publishedScore(contact.authorityScore),
    hub_score: publishedScore(contact.hubScore),
  };
}

export function contactDetailWire(contact: ContactDetail): ContactDetailWire {
  return {
    ...contactWire(contact),
    message_ids: [...contact.messageIds],
    common_topics: contact.commonTopics.map(({ topicId, frequency }) => ({ topic_id: topicId, frequency })),
  };
}

/** Skips names without an address. */
function emailsOf(addresses: readonly Address[]): string[] {
  return addresses.map(({ email }) => email).filter((email) => email !== "");
}

export function messageWire(message: Omit<ListedMessage, "body">, body: string): MessageWire {
  return {
    id: message.id,
    thread_id: message.threadId,
    from_email: message.from?.email ?? "",
    to_emails: emailsOf(message.to),
    subject: message.subject,
    body,
    body_tokens: message.bodyTokens,
    sent_at: publishedDate(message.sentAt),
    received_at: publishedDate(message.receivedAt),
    topic_id: message.topicId,
  };
}

export function messageDetailWire(message: ArchivedMessage, threadMessages: readonly MessageId[]): MessageDetailWire {
  return {
    ...messageWire(message, message.body),
    sender_email: otherSender(message)?.email ?? null,
    kind: message.messageKind,
    cc_emails: emailsOf(message.cc),
    bcc_emails: emailsOf(message.bcc),
    thread_messages: [...threadMessages],
    quotes: [...message.quotes],
    attachments: message.attachments.map(ATTACHMENT.write),
  };
}

export function threadWire(thread: Thread): ThreadWire {
  return {
    id: thread.id,
    subject: thread.subject,
    message_count: thread.messageCount,
    participants: [...thread.participants],
    date_range: { first_message: publishedDate(thread.firstMessage), last_message: publishedDate(thread.lastMessage) },
    topic_id: thread.topicId,
  };
}

export function threadMessageWire(message: ArchivedMessage): ThreadMessageWire {
  return {
    id: message.id,
    from_email: message.from?.email ?? "",
    to_emails: emailsOf(message.to),
    subject: message.subject,
    body: message.body,
    sent_at: publishedDate(message.sentAt),
  };
}

export function topicWire(topic: Topic): TopicWire {
  return {
    id: topic.id,
    name: topic.name,
    description: topic.description,
    message_count: topic.messageCount,
    top_keywords: [...topic.topKeywords],
    created_at: requiredDate(topic.createdAt),
  };
}

export function topicDetailWire(topic: TopicDetail): TopicDetailWire {
  return {
    ...topicWire(topic),
    key_contacts: topic.keyContacts.map(({ contactId, name, frequency }) => ({
      contact_id: contactId,
      name,
      frequency,
    })),
    message_ids: [...topic.messageIds],
    date_range: { earliest: publishedDate(topic.earliest), latest: publishedDate(topic.latest) },
  };
}

export function searchResultWire(hit: SearchHit): SearchResultWire {
  return {
    message_id: hit.messageId,
    rank: hit.rank,
    score: publishedScore(hit.score),
    snippet: hit.snippet,
    from_email: hit.from?.email ?? "",
    subject: hit.subject,
    sent_at: publishedDate(hit.sentAt),
    ...(hit.sameText.length === 0 ? {} : { same_text: sameTextWire(hit.sameText) }),
  };
}

function sameTextWire(messages: readonly MessageId[]): NonNullable<SearchResultWire["same_text"]> {
  return { count: messages.length, message_ids: messages.slice(0, MAX_SAME_TEXT) };
}

export function statisticsWire(statistics: ArchiveStatistics): StatisticsWire {
  return {
    total_messages: statistics.totalMessages,
    total_contacts: statistics.totalContacts,
    total_topics: statistics.totalTopics,
    total_threads: statistics.totalThreads,
    pii_redactions: statistics.piiRedactions,
    date_range: {
      earliest: publishedDate(statistics.dateRange.earliest),
      latest: publishedDate(statistics.dateRange.latest),
    },
    extraction_timestamp: requiredDate(statistics.extractedAt),
    pipeline_version: API_VERSION,
  };
}
