import type {
  EncodedMessage,
  Listed,
  ListedMessage,
  MailboxTotal,
  MessageFilter,
  MessageReader,
  MessageSort,
  Page,
} from "../../../mail/archive.ts";
import { messageId, ordinalOf } from "../../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../../mail/records/ordinal.ts";
import { comparedAddress } from "../../contract/compared-address.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { LISTED_FIELDS, listedMessage } from "../../reading/listed-message.ts";
import { BODIES, ENVELOPES, MESSAGES } from "../../tables/message-tables.ts";
import { joined, ordinalList, postgresSelection, WRITTEN_DATE } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { indexed } from "../collections/layout.ts";
import { orderedPage } from "../collections/list-orders.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { contactOfAddress } from "./contact-of-address.ts";
import { BODY_SQL, largeBody, type MessageFetch } from "./message-fetch.ts";

/** Orders for filtered lists; those of all messages are stored (list-orders.ts). */
const ORDERS: Readonly<Record<MessageSort, { readonly forwards: string; readonly backwards: string }>> = {
  sent_at: { forwards: "sent_at DESC NULLS LAST, id", backwards: "sent_at ASC NULLS FIRST, id DESC" },
  subject: { forwards: "subject_key, id", backwards: "subject_key DESC, id DESC" },
  from: { forwards: "from_key, id", backwards: "from_key DESC, id DESC" },
};

const FILE_TEXTS = postgresSelection([BODIES], ["fileTexts"]);
const LISTED = postgresSelection([MESSAGES, ENVELOPES, BODIES], LISTED_FIELDS, {
  sqlOf: { sentAt: WRITTEN_DATE, body: BODY_SQL },
});

/** Maximum messages and body bytes of a batch. */
const BATCH_MESSAGES = 256;
const BATCH_BYTES = 4 * 1024 * 1024;

/** A filter as SQL. */
interface Narrowing {
  readonly where: string;
  readonly values: readonly number[];
}

export function messageReader(epoch: OpenEpoch, fetch: MessageFetch, counters: ArchiveCounters): MessageReader {
  const totals = new Map<string, number>();

  /** Null if the filter refers to something that does not exist. */
  async function narrow(filter: MessageFilter): Promise<Narrowing | null> {
    const thread = filter.threadId ? ordinalOf("thread", filter.threadId) : null;
    const topic = filter.topicId ? ordinalOf("topic", filter.topicId) : null;
    const sender = filter.from ? await contactOfAddress(epoch, comparedAddress(filter.from)) : null;
    if ((filter.threadId && thread === null) || (filter.topicId && topic === null) || (filter.from && sender === null))
      return null;
    return conditions({ thread_id: thread, from_id: sender, topic_id: topic });
  }

  /** Counting scans the whole filter; an epoch never changes, so totals are cached. */
  async function total({ where, values }: Narrowing): Promise<number> {
    if (values.length === 0) return counters.messages;
    const key = `${where} ${values.join()}`;
    const known = totals.get(key);
    if (known !== undefined) return known;
    const [[count]] = (await epoch.rows(`SELECT count(*) FROM messages WHERE ${where}`, ...values)) as [[number]];
    if (totals.size === TOTALS_KEPT) totals.clear();
    totals.set(key, count);
    return count;
  }

  return {
    async list(sort, page, filter = {}): Promise<Listed<ListedMessage>> {
      const narrowing = await narrow(filter);
      if (narrowing === null) return { items: [], total: 0 };
      const all = await total(narrowing);
      const ordinals =
        narrowing.values.length === 0
          ? await orderedPage(epoch, `messages.${sort}`, page)
          : await filteredPage(epoch, { sort, narrowing, walk: nearerEnd(page, all) });
      return { items: await listed(epoch, ordinals), total: all };
    },
    async get(id) {
      const ordinal = ordinalOf("msg", id);
      return ordinal === null ? null : ((await fetch.many([ordinal]))[0] ?? null);
    },
    async fileTexts(id) {
      const ordinal = ordinalOf("msg", id);
      if (ordinal === null) return [];
      const [row] = await epoch.rows(
        `SELECT ${FILE_TEXTS.sql} FROM bodies WHERE ${validIn("bodies")} AND id = $2`,
        ordinal,
      );
      return row === undefined ? [] : FILE_TEXTS.decode(row).fileTexts;
    },
    async getMany(ids) {
      return fetch.many(ids.map((id) => ordinalOf("msg", id)).filter((ordinal) => ordinal !== null));
    },
    async ofMessageIds(messageIds) {
      const found = await messagesWithIds(epoch, messageIds);
      return messageIds.map((id) => {
        const [first] = found.get(id) ?? [];
        return first === undefined ? null : messageId(first as MessageOrdinal);
      });
    },
    scan: () => messageBatches(epoch, fetch),
    async mailboxes() {
      const rows = await epoch.rows(
        `SELECT source, name, messages FROM mailboxes WHERE ${validIn("mailboxes")} AND messages > 0 ORDER BY first_message NULLS FIRST, id`,
      );
      return (rows as [number, string, number][]).map(
        ([source, mailbox, messages]): MailboxTotal => ({ source, mailbox, messages }),
      );
    },
    timeline: () => monthTotals(epoch),
  };
}

/** Maximum filters with cached totals. */
const TOTALS_KEPT = 1000;

/** Conditions of a statement whose $1 is the epoch. */
function conditions(columns: Readonly<Record<string, number | null>>): Narrowing {
  const given = Object.entries(columns).filter((entry): entry is [string, number] => entry[1] !== null);
  const terms = given.map(([column], index) => `${column} = $${index + 2}::int8`);
  return { where: [validIn("messages"), ...terms].join(" AND "), values: given.map(([, value]) => value) };
}

/** A page, counted from the nearer end of the list, so that deep pages cost at most as much as the middle. */
interface Walk extends Page {
  readonly isBackwards: boolean;
}

function nearerEnd({ limit, offset }: Page, total: number): Walk {
  if (offset < total / 2) return { limit, offset, isBackwards: false };
  const last = Math.min(offset + limit, total);
  return { limit: Math.max(0, last - offset), offset: Math.max(0, total - last), isBackwards: true };
}

async function filteredPage(
  epoch: OpenEpoch,
  { sort, narrowing, walk }: { readonly sort: MessageSort; readonly narrowing: Narrowing; readonly walk: Walk },
): Promise<readonly number[]> {
  const { where, values } = narrowing;
  const order = walk.isBackwards ? ORDERS[sort].backwards : ORDERS[sort].forwards;
  const places = [values.length + 2, values.length + 3].map((place) => `$${place}::int8`);
  const rows = await epoch.rows(
    `SELECT id FROM messages WHERE ${where} ORDER BY ${order} LIMIT ${places[0]} OFFSET ${places[1]}`,
    ...values,
    walk.limit,
    walk.offset,
  );
  const ordinals = rows.map(([id]) => id as number);
  return walk.isBackwards ? ordinals.reverse() : ordinals;
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

/** Every message in id order, in batches; nothing stays open between batches, so a reader may stop anywhere. */
async function* messageBatches(epoch: OpenEpoch, fetch: MessageFetch): AsyncGenerator<readonly EncodedMessage[]> {
  let last = -1;
  for (;;) {
    const sizes = (await epoch.rows(
      `SELECT id, length(body) FROM bodies WHERE ${validIn("bodies")} AND id > $2::int8 ORDER BY id LIMIT $3::int8`,
      last,
      BATCH_MESSAGES,
    )) as [id: number, bytes: number][];
    const end = endOfBatch(sizes);
    if (end === null) return;
    yield fetch.range(last + 1, end);
    last = end;
  }
}

/** The last message of a batch: as many as fit, or a single large one. Null if there are none. */
function endOfBatch(sizes: readonly (readonly [id: number, bytes: number])[]): number | null {
  let bytes = 0;
  for (const [index, [, size]] of sizes.entries()) {
    bytes += size;
    if (index > 0 && bytes > BATCH_BYTES) return sizes[index - 1]![0];
  }
  return sizes.at(-1)?.[0] ?? null;
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
