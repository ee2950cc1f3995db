import type { ListedMessage } from "../../mail/archive.ts";
import { messageId, threadId, topicId } from "../../mail/records/ids.ts";
import type { MessageRow } from "../contract/rows.ts";
import { validText } from "./message-mapper.ts";

/** Fields of a message in a list. */
export const LISTED_FIELDS = [
  "ordinal",
  "thread",
  "topic",
  "from",
  "sentAt",
  "subject",
  "receivedAt",
  "bodyTokens",
  "to",
  "body",
] as const;
export type ListedRow = Pick<MessageRow, (typeof LISTED_FIELDS)[number]>;

/** Field by field: spreading one object into another takes as long as reading the row. */
export function listedMessage(row: ListedRow): ListedMessage {
  return {
    id: messageId(row.ordinal),
    threadId: threadId(row.thread),
    topicId: topicId(row.topic),
    from: row.from,
    to: row.to,
    subject: row.subject,
    body: validText(row.body),
    bodyTokens: row.bodyTokens,
    sentAt: row.sentAt,
    receivedAt: row.receivedAt,
  };
}
