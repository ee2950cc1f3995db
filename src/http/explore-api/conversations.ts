import { publishedDate } from "../../document/published-values.ts";
import type { Archive } from "../../mail/archive.ts";
import type { ConversationRequest } from "../../mail/exploration.ts";
import type { ConversationsWire } from "./wire-people.ts";

/** A page of the conversations that a query finds messages of. */
export async function conversationsOf(archive: Archive, request: ConversationRequest): Promise<ConversationsWire> {
  const { total, conversations } = await archive.explore.conversations(request);
  const threads: ConversationsWire["threads"] = [];
  for (const { threadId, hits, first, last } of conversations) {
    const thread = await archive.threads.get(threadId);
    if (thread === null) continue;
    threads.push({
      id: threadId,
      subject: thread.subject,
      message_count: thread.messageCount,
      hits,
      people_count: thread.participants.length,
      topic_id: thread.topicId,
      first: publishedDate(first),
      last: publishedDate(last),
    });
  }
  return { total, threads };
}
