import type { MailboxTotal } from "../mail/archive.ts";
import { formatInstant } from "../mail/dates/instant.ts";
import type { Contact } from "../mail/records/contact.ts";
import type { Provenance } from "../mail/records/provenance.ts";

/** Data of `stats`. */
export interface ArchiveSummary {
  readonly provenance: Provenance;
  /** Most active first. */
  readonly topContacts: readonly Contact[];
  readonly mailboxes: readonly MailboxTotal[];
}

/** The body of `stats --json` and of `/api/stats`. */
export function statsDocument({ provenance, topContacts, mailboxes }: ArchiveSummary) {
  const { statistics } = provenance;
  return {
    tool: provenance.tool,
    tool_version: provenance.toolVersion,
    extraction_timestamp: formatInstant(provenance.extractedAt),
    source_format: provenance.sourceFormat,
    source_hash: provenance.sourceHash,
    sources: provenance.sources.map(({ path, format, sha256, sizeBytes }) => ({
      path,
      format,
      sha256,
      size_bytes: sizeBytes,
    })),
    total_messages: statistics.totalMessages,
    total_calendar_events: statistics.totalCalendarEvents,
    total_contacts: statistics.totalContacts,
    total_threads: statistics.totalThreads,
    multi_message_threads: statistics.multiMessageThreads,
    total_topics: statistics.totalTopics,
    total_attachments: statistics.totalAttachments,
    files_without_text: statistics.filesWithoutText ?? null,
    total_items: statistics.totalItems,
    pii_redactions: statistics.piiRedactions,
    date_range: {
      earliest: formatInstant(statistics.dateRange.earliest),
      latest: formatInstant(statistics.dateRange.latest),
    },
    top_contacts: topContacts.map(({ id, name, email, messageCount }) => ({
      id,
      name,
      email,
      message_count: messageCount,
    })),
    mailboxes: mailboxes.map(({ source, mailbox, messages }) => ({
      source,
      source_path: provenance.sources[source]?.path ?? null,
      mailbox,
      messages,
    })),
  };
}
