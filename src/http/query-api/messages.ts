import type { MessageFilter } from "../../mail/archive.ts";
import { MessagePage } from "./message-page.ts";
import { orNotFound, queryRoute } from "./query-route.ts";
import { messageDetailSchema, messageListSchema } from "./wire.ts";
import { messageDetailWire, paginationWire } from "./wire-records.ts";
import { type MessageParameters, messageParameters, noParameters } from "./wire-requests.ts";

export const messageList = queryRoute({
  path: "/messages",
  summary: "Messages: newest first, by subject, or by sender",
  parameters: messageParameters,
  data: messageListSchema,
  async answer({ archive, parameters }) {
    const { items, total } = await archive.messages.list(parameters.sort, parameters, messageFilter(parameters));
    return new MessagePage(items, (messages) => ({ messages, pagination: paginationWire(total, parameters) }));
  },
});

export const messageDetail = queryRoute({
  path: "/messages/{message_id}",
  summary: "One message with its whole text, thread and attachments",
  parameters: noParameters,
  data: messageDetailSchema,
  async answer({ archive, id }) {
    const message = orNotFound(await archive.messages.get(id), "Message", id);
    const thread = await archive.threads.get(message.threadId);
    return messageDetailWire(message, thread?.messageIds ?? [message.id]);
  },
});

/** Returns the filters in use; an empty one is ignored. */
export function messageFilter(parameters: Pick<MessageParameters, "from" | "thread_id" | "topic_id">): MessageFilter {
  const { from, thread_id: threadId, topic_id: topicId } = parameters;
  return { ...(from ? { from } : {}), ...(threadId ? { threadId } : {}), ...(topicId ? { topicId } : {}) };
}
