import type { ListedMessage } from "../../mail/archive.ts";
import { messageId, threadId, topicId } from "../../mail/ids.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeAddress, decodeAddresses } from "./json-columns.ts";
import { validText } from "./message-fetch.ts";
import { writtenDate } from "./sorting-dates.ts";

/** A row as an array. */
type ListedColumns = readonly [
  id: number,
  thread: number,
  topic: number,
  from: string | null,
  sentAt: number | null,
  subject: string,
  receivedAt: number | null,
  bodyTokens: number,
  to: string | null,
  body: Uint8Array,
];

const listed = (
  sentAt: string,
): string => `SELECT messages.id, thread_id, topic_id, from_json, ${sentAt}, subject, received_at, body_tokens, to_json, body
  FROM json_each(?) AS asked CROSS JOIN messages ON messages.id = asked.value
  CROSS JOIN envelopes ON envelopes.id = messages.id CROSS JOIN bodies ON bodies.id = messages.id`;

/** Reads of messages as much as lists show, in the order asked, by ordinals that exist: in half the time that whole messages take. */
export function listedMessages(database: SqliteDatabase): (ordinals: readonly number[]) => readonly ListedMessage[] {
  const rows = database.prepare(listed(writtenDate(database))).raw();
  return (ordinals) => {
    const found = new Map<number, ListedMessage>();
    // In the order of the file, neighbours share pages: a quarter less than in the order of the list.
    const asked = JSON.stringify(ordinals.toSorted((left, right) => left - right));
    for (const row of rows.all(asked) as ListedColumns[]) found.set(row[0], toListed(row));
    return ordinals.map((ordinal) => found.get(ordinal)!);
  };
}

function toListed(row: ListedColumns): ListedMessage {
  return {
    id: messageId(row[0]),
    threadId: threadId(row[1]),
    topicId: topicId(row[2]),
    from: decodeAddress(row[3]),
    to: decodeAddresses(row[8]),
    subject: row[5],
    body: validText(row[9]),
    bodyTokens: row[7],
    sentAt: row[4],
    receivedAt: row[6],
  };
}
