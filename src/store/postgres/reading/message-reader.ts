import type { ListedMessage, MessageReader } from "../../../mail/archive.ts";
import type { ArchiveRows } from "../../lists/archive-rows.ts";
import { type MessageFetch, messageReader } from "../../lists/message-reader.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { LISTED_FIELDS, listedMessage } from "../../reading/listed-message.ts";
import { BODIES, ENVELOPES, MESSAGES } from "../../tables/message-tables.ts";
import { joined, ordinalList, postgresSelection, WRITTEN_DATE } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { indexed } from "../collections/layout.ts";
import { orderedPage } from "../collections/list-orders.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { BODY_SQL, largeBody } from "./message-fetch.ts";

const LISTED = postgresSelection([MESSAGES, ENVELOPES, BODIES], LISTED_FIELDS, {
  sqlOf: { sentAt: WRITTEN_DATE, body: BODY_SQL },
});

export function postgresMessageReader(
  epoch: OpenEpoch,
  archive: ArchiveRows,
  { fetch, counters }: { readonly fetch: MessageFetch; readonly counters: ArchiveCounters },
): MessageReader {
  return messageReader(archive, counters, {
    fetch,
    storedPage: (sort, page) => orderedPage(epoch, `messages.${sort}`, page),
    listed: (ordinals) => listed(epoch, ordinals),
    async ofMessageIds(ids) {
      const found = await messagesWithIds(epoch, ids);
      return ids.map((id) => found.get(id)?.[0]);
    },
    timeline: () => monthTotals(epoch),
  });
}

/** Rows of lists, in the order of the argument, for existing ordinals. */
async function listed(epoch: OpenEpoch, ordinals: readonly number[]): Promise<readonly ListedMessage[]> {
  if (ordinals.length === 0) return [];
  const { at } = LISTED;
  const rows = await epoch.rows(
    `SELECT ${LISTED.sql} FROM ${joined("envelopes", "bodies")} WHERE ${validIn("messages")} AND messages.id = ANY($2::int8[])`,
    ordinalList(ordinals),
  );
  const found = new Map<number, ListedMessage>();
  for (const row of rows) {
    const ordinal = row[at.ordinal] as number;
    row[at.body] ??= await largeBody(epoch, ordinal);
    found.set(ordinal, listedMessage(LISTED.decode(row)));
  }
  return ordinals.map((ordinal) => found.get(ordinal)!);
}

/** Messages by Message-ID, then by those of their duplicates. */
export async function messagesWithIds(
  epoch: OpenEpoch,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (ids.length === 0) return new Map();
  const rows = await epoch.rows(
    `SELECT asked, message FROM (
       SELECT asked, 0 AS turn, content_key, id AS message, 0 AS place FROM unnest($2::text[]) AS asked
         JOIN messages ON ${validIn("messages")} AND ${indexed("message_id")} = ${indexed("asked")} AND message_id = asked
       UNION ALL
       SELECT asked, 1, NULL, message_id, position FROM unnest($2::text[]) AS asked
         JOIN occurrences ON ${validIn("occurrences")} AND ${indexed("other_id")} = ${indexed("asked")} AND other_id = asked AND other_id IS NOT NULL
     ) AS found ORDER BY turn, content_key, message, place`,
    ids,
  );
  const found = new Map<string, number[]>();
  for (const [id, message] of rows as [string, number][]) found.set(id, [...(found.get(id) ?? []), message]);
  return found;
}

/** Excludes undated messages. */
async function monthTotals(
  epoch: OpenEpoch,
): Promise<readonly { readonly month: string; readonly messages: number }[]> {
  // JavaScript computes the month, because the calendar of the server may end earlier. The rows are per day, and few.
  const rows = await epoch.rows(
    `SELECT floor(sent_at / ${DAY_MS}.0)::int8 AS day, count(*) FROM messages WHERE ${validIn("messages")} AND sent_at IS NOT NULL GROUP BY day ORDER BY day`,
  );
  const totals = new Map<string, number>();
  for (const [day, messages] of rows as [number, number][]) {
    const month = new Date(day * DAY_MS).toISOString().slice(0, 7);
    totals.set(month, (totals.get(month) ?? 0) + messages);
  }
  return Array.from(totals, ([month, messages]) => ({ month, messages }));
}

const DAY_MS = 86_400_000;
