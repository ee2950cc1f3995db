import { type MessageId, messageId, threadId, topicId } from "../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { Thread, ThreadDetail } from "../../mail/records/thread.ts";
import type { ThreadRow } from "../contract/rows.ts";
import { THREADS } from "../tables/knowledge-tables.ts";
import { selection } from "../tables/table.ts";

export const THREAD = selection(
  [THREADS],
  ["ordinal", "subject", "messageCount", "firstMessage", "lastMessage", "topic", "participants"],
);

export function toThread({ ordinal, topic, ...thread }: ThreadRow): Thread {
  return { id: threadId(ordinal), topicId: topicId(topic), ...thread };
}

/** Threads with their messages. @param pairs each message with its thread, in output order */
export function threadDetails(
  rows: readonly ThreadRow[],
  pairs: readonly (readonly [thread: number, message: MessageOrdinal])[],
): readonly ThreadDetail[] {
  const idsOf = new Map<number, MessageId[]>();
  for (const row of rows) idsOf.set(row.ordinal, []);
  for (const pair of pairs) idsOf.get(pair[0])?.push(messageId(pair[1]));
  return rows.map((row) => ({ ...toThread(row), messageIds: idsOf.get(row.ordinal)! }));
}
