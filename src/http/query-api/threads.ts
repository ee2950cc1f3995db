import { orNotFound, queryRoute } from "./query-route.ts";
import { threadListSchema, threadMessagesSchema } from "./wire.ts";
import { paginationWire, threadMessageWire, threadWire } from "./wire-records.ts";
import { noParameters, threadParameters } from "./wire-requests.ts";

export const threadList = queryRoute({
  path: "/threads",
  summary: "Threads by their last message, newest first",
  parameters: threadParameters,
  data: threadListSchema,
  async answer({ archive, parameters }) {
    const { items, total } = await archive.threads.list(parameters);
    return { threads: items.map(threadWire), pagination: paginationWire(total, parameters) };
  },
});

export const threadMessages = queryRoute({
  path: "/threads/{thread_id}/messages",
  summary: "Messages of a thread, oldest first",
  parameters: noParameters,
  data: threadMessagesSchema,
  async answer({ archive, id }) {
    const thread = orNotFound(await archive.threads.get(id), "Thread", id);
    const messages = await archive.threads.messages(id);
    return { thread_id: thread.id, subject: thread.subject, messages: messages.map(threadMessageWire) };
  },
});
