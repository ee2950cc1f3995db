import { publishedDate } from "../../../document/published-values.ts";
import type { Archive } from "../../../mail/archive.ts";
import type { ConversationRequest } from "../../../mail/exploration.ts";
import { peopleOfThreads } from "../setting/thread-people.ts";
import type { ConversationsWire } from "../wire/wire-people.ts";

/** A page of conversations with messages that match a query. */
export async function conversationsOf(archive: Archive, request: ConversationRequest): Promise<ConversationsWire> {
  const { total, conversations } = await archive.explore.conversations(request);
  const threads = await Promise.all(conversations.map(({ threadId }) => archive.threads.get(threadId)));
  const shown = conversations.flatMap((found, at) => {
    const thread = threads[at]!;
    return thread === null ? [] : [{ ...found, thread }];
  });
  const people = await peopleOfThreads(
    archive,
    shown.map(({ thread }) => thread),
  );
  return {
    total,
    threads: shown.map(({ threadId, hits, first, last, thread }, at) => ({
      id: threadId,
      subject: thread.subject,
      message_count: thread.messageCount,
      hits,
      people_count: people[at]!.length,
      topic_id: thread.topicId,
      first: publishedDate(first),
      last: publishedDate(last),
    })),
  };
}
