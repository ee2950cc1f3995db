import type { Instant } from "../dates/instant.ts";
import type { MessageId, ThreadId, TopicId } from "./ids.ts";

export interface Thread {
  readonly id: ThreadId;
  readonly subject: string;
  readonly messageCount: number;
  /** Addresses of all senders and recipients, in order of first appearance. */
  readonly participants: readonly string[];
  readonly firstMessage: Instant | null;
  readonly lastMessage: Instant | null;
  readonly topicId: TopicId;
}

export interface ThreadDetail extends Thread {
  /** Oldest first; undated last. */
  readonly messageIds: readonly MessageId[];
}
