import type { ContactId, MessageId, TopicId } from "./ids.ts";
import type { Instant } from "./instant.ts";

export interface Topic {
  readonly id: TopicId;
  readonly name: string;
  readonly description: string;
  readonly messageCount: number;
  readonly topKeywords: readonly string[];
  readonly createdAt: Instant;
}

export interface TopicDetail extends Topic {
  readonly keyContacts: readonly { readonly contactId: ContactId; readonly name: string; readonly frequency: number }[];
  /** Newest first. */
  readonly messageIds: readonly MessageId[];
  readonly earliest: Instant | null;
  readonly latest: Instant | null;
}
