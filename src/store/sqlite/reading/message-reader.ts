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
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import type { IndexName } from "../database/schema.ts";
import { originalDateSql } from "../database/sorting-dates.ts";
import { messageIdFinder } from "./location-search.ts";
import type { MessageFetch } from "./message-fetch.ts";

const ORDERS = {
  sent_at: { suffix: "sent", forwards: "sent_at DESC, id", backwards: "sent_at, id DESC" },
  subject: { suffix: "subject", forwards: "subject_key, id", backwards: "subject_key DESC, id DESC" },
  from: { suffix: "from", forwards: "from_key, id", backwards: "from_key DESC, id DESC" },
} as const satisfies Record<
  MessageSort,
  { readonly suffix: string; readonly forwards: string; readonly backwards: string }
>;

/** A filter as ordinals; an absent one is null. */
interface Narrowing {
  readonly thread: number | null;
  readonly sender: number | null;
  readonly topic: number | null;
}

const FILE_TEXTS = selection([BODIES], ["fileTexts"]);

export function messageReader(database: SqliteDatabase, fetch: MessageFetch, counters: ArchiveCounters): MessageReader {
  const contactOf = database.prepare("SELECT min(contact_id) FROM addresses WHERE address_key = ?").pluck();
  const withMessageId = messageIdFinder(database);
  const listed = listedMessages(database);
  const fileTexts = database.prepare(`SELECT ${FILE_TEXTS.sql} FROM bodies WHERE id = ?`).raw();
  const totals = new Map<string, number>();

  /** Null if the filter refers to something that does not exist. */
  function narrow(filter: MessageFilter): Narrowing | null {
    const thread = filter.threadId ? ordinalOf("thread", filter.threadId) : null;
    const topic = filter.topicId ? ordinalOf("topic", filter.topicId) : null;
    const sender = filter.from ? (contactOf.get(comparedAddress(filter.from)) as number | null) : null;
    if ((filter.threadId && thread === null) || (filter.topicId && topic === null) || (filter.from && sender === null))
      return null;
    return { thread, sender, topic };
  }

  /** Counting scans the whole filter; an open archive never changes, so totals are cached. */
  function total(narrowing: Narrowing): number {
    const { where, values } = conditions(narrowing);
    if (where === "") return counters.messages;
    const key = `${where} ${values.join()}`;
    const known = totals.get(key);
    if (known !== undefined) return known;
    const count = database
      .prepare(`SELECT count(*) FROM messages INDEXED BY ${indexFor(narrowing, "sent_at")} ${where}`)
      .pluck()
      .get(...values) as number;
    if (totals.size === TOTALS_KEPT) totals.clear();
    totals.set(key, count);
    return count;
  }

  return {
    async list(sort, page, filter = {}): Promise<Listed<ListedMessage>> {
      const narrowing = narrow(filter);
      if (narrowing === null) return { items: [], total: 0 };
      const all = total(narrowing);
      return { items: listed(pageOrdinals(database, sort, nearerEnd(page, all), narrowing)), total: all };
    },
    async get(id) {
      const ordinal = ordinalOf("msg", id);
      return ordinal === null ? null : fetch.one(ordinal);
    },
    async fileTexts(id) {
      const row = fileTexts.get(ordinalOf("msg", id) ?? -1) as SqlValue[] | undefined;
      return row === undefined ? [] : FILE_TEXTS.decode(row).fileTexts;
    },
    async getMany(ids) {
      return fetch.many(ids.map((id) => ordinalOf("msg", id)).filter((ordinal) => ordinal !== null));
    },
    async ofMessageIds(messageIds) {
      return messageIds.map((id) => {
        const [first] = withMessageId(id);
        return first === undefined ? null : messageId(first as MessageOrdinal);
      });
    },
    scan: () => messageBatches(database, fetch),
    async mailboxes() {
      return database
        .prepare(
          "SELECT source, name AS mailbox, messages FROM mailboxes WHERE messages > 0 ORDER BY first_message, id",
        )
        .all() as MailboxTotal[];
    },
    async timeline() {
      return monthTotals(database);
    },
  };
}

/** Maximum filters with cached totals. */
const TOTALS_KEPT = 1000;

/** A page, counted from the nearer end of the list, so that deep pages cost at most as much as the middle. */
interface Walk extends Page {
  readonly isBackwards: boolean;
}

function nearerEnd({ limit, offset }: Page, total: number): Walk {
  if (offset < total / 2) return { limit, offset, isBackwards: false };
  const last = Math.min(offset + limit, total);
  return { limit: Math.max(0, last - offset), offset: total - last, isBackwards: true };
}

/** Scans one page of ordinals in a covering index. */
function pageOrdinals(
  database: SqliteDatabase,
  sort: MessageSort,
  walk: Walk,
  narrowing: Narrowing,
): readonly number[] {
  const { where, values } = conditions(narrowing);
  const order = walk.isBackwards ? ORDERS[sort].backwards : ORDERS[sort].forwards;
  const sql = `SELECT id FROM messages INDEXED BY ${indexFor(narrowing, sort)} ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
  const ordinals = database
    .prepare(sql)
    .pluck()
    .all(...values, walk.limit, walk.offset) as number[];
  return walk.isBackwards ? ordinals.reverse() : ordinals;
}

function conditions({ thread, sender, topic }: Narrowing): {
  readonly where: string;
  readonly values: readonly number[];
} {
  const terms: string[] = [];
  const values: number[] = [];
  for (const [column, value] of [
    ["thread_id", thread],
    ["from_id", sender],
    ["topic_id", topic],
  ] as const) {
    if (value === null) continue;
    terms.push(`${column} = ?`);
    values.push(value);
  }
  return { where: terms.length === 0 ? "" : `WHERE ${terms.join(" AND ")}`, values };
}

/** Threads are small enough to be sorted; senders and topics have every order in an index. */
function indexFor({ thread, sender, topic }: Narrowing, sort: MessageSort): IndexName {
  if (thread !== null) return "messages_by_thread";
  const { suffix } = ORDERS[sort];
  if (sender !== null) return `messages_by_sender_${suffix}`;
  return topic === null ? `messages_by_${suffix}` : `messages_by_topic_${suffix}`;
}

/** Counts month by month, skipping months without mail: wrong dates may be thousands of years apart. */
function monthTotals(database: SqliteDatabase): readonly { readonly month: string; readonly messages: number }[] {
  const next = database.prepare("SELECT min(sent_at) FROM messages WHERE sent_at >= ?").pluck();
  const count = database.prepare("SELECT count(*) FROM messages WHERE sent_at >= ? AND sent_at < ?").pluck();
  const totals: { month: string; messages: number }[] = [];
  let first = next.get(Number.MIN_SAFE_INTEGER) as number | null;
  while (first !== null) {
    const end = new Date(first);
    const month = end.toISOString().slice(0, 7);
    end.setUTCHours(0, 0, 0, 0);
    end.setUTCMonth(end.getUTCMonth() + 1, 1);
    totals.push({ month, messages: count.get(first, end.getTime()) as number });
    first = next.get(end.getTime()) as number | null;
  }
  return totals;
}

/**
 * Reads the listed fields of messages, in the order of the given ordinals, which must exist. Takes half the time of
 * reading whole messages.
 */
function listedMessages(database: SqliteDatabase): (ordinals: readonly number[]) => readonly ListedMessage[] {
  const listed = selection([MESSAGES, ENVELOPES, BODIES], LISTED_FIELDS, {
    sqlOf: { sentAt: originalDateSql(database) },
  });
  const rows = database
    .prepare(
      `SELECT ${listed.sql} FROM json_each(?) AS asked CROSS JOIN messages ON messages.id = asked.value
       CROSS JOIN envelopes ON envelopes.id = messages.id CROSS JOIN bodies ON bodies.id = messages.id`,
    )
    .raw();
  return (ordinals) => {
    const found = new Map<number, ListedMessage>();
    // In file order, neighbors share pages, which takes a quarter less time than list order.
    const asked = JSON.stringify(ordinals.toSorted((left, right) => left - right));
    for (const row of rows.all(asked) as SqlValue[][])
      found.set(row[listed.at.ordinal] as number, listedMessage(listed.decode(row)));
    return ordinals.map((ordinal) => found.get(ordinal)!);
  };
}

/** Maximum messages of a batch. */
const BATCH_MESSAGES = 256;
/** Body bytes after which a batch ends, so that a huge message is never batched with others. */
const BATCH_BYTES = 4 * 1024 * 1024;

type BodySize = readonly [id: number, bytes: number];

/** Every message in id order, in batches; nothing stays open between batches, so a reader may stop anywhere. */
async function* messageBatches(
  database: SqliteDatabase,
  fetch: MessageFetch,
): AsyncGenerator<readonly EncodedMessage[]> {
  const after = database.prepare("SELECT id, length(body) FROM bodies WHERE id > ? ORDER BY id LIMIT ?").raw();
  let last = -1;
  for (;;) {
    const sizes = after.all(last, BATCH_MESSAGES) as BodySize[];
    if (sizes.length === 0) return;
    for (const end of batchEnds(sizes)) {
      yield fetch.range(last + 1, end);
      last = end;
    }
  }
}

/** The last message of each batch. */
function batchEnds(sizes: readonly BodySize[]): readonly number[] {
  const ends: number[] = [];
  let bytes = 0;
  for (const [index, [, size]] of sizes.entries()) {
    if (index > 0 && bytes + size > BATCH_BYTES) {
      ends.push(sizes[index - 1]![0]);
      bytes = 0;
    }
    bytes += size;
  }
  return [...ends, sizes.at(-1)![0]];
}
