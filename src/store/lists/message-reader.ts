import type {
  ArchivedMessage,
  EncodedMessage,
  ListedMessage,
  MailboxTotal,
  MessageFilter,
  MessageHeading,
  MessageReader,
  MessageSort,
  OrdinalRange,
  Page,
} from "../../mail/archive.ts";
import { messageId, ordinalOf } from "../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { ArchiveCounters } from "../reading/archive-counters.ts";
import { BODIES } from "../tables/message-tables.ts";
import { selection } from "../tables/table.ts";
import type { ArchiveRows } from "./archive-rows.ts";

/** Reads whole messages. */
export interface MessageFetch {
  /** Missing ones are omitted. */
  many(ordinals: readonly number[]): Promise<readonly ArchivedMessage[]>;
  /** All messages from one ordinal to another, both inclusive, in order. */
  range(first: number, last: number): Promise<readonly EncodedMessage[]>;
  /** Their headings. */
  headings(first: number, last: number): Promise<readonly MessageHeading[]>;
}

/** Reads that each database optimizes for itself. */
interface OwnReads extends Pick<MessageReader, "timeline"> {
  readonly fetch: MessageFetch;
  /** A page of all messages by a stored order; null if they are read by an index. */
  storedPage: ((sort: MessageSort, page: Page) => Promise<readonly number[]>) | null;
  /** Listed fields in the order of the ordinals, which must exist. */
  listed(ordinals: readonly number[]): Promise<readonly ListedMessage[]>;
  /** The first message with each Message-ID, or undefined. */
  ofMessageIds(ids: readonly string[]): Promise<readonly (number | undefined)[]>;
}

/** Undated messages come last; the reverse order begins with them. */
const ORDERS = {
  sent_at: { suffix: "sent", forwards: "sent_at DESC NULLS LAST, id", backwards: "sent_at ASC NULLS FIRST, id DESC" },
  subject: { suffix: "subject", forwards: "subject_key, id", backwards: "subject_key DESC, id DESC" },
  from: { suffix: "from", forwards: "from_key, id", backwards: "from_key DESC, id DESC" },
} as const satisfies Record<
  MessageSort,
  { readonly suffix: string; readonly forwards: string; readonly backwards: string }
>;

/** Columns of a filter with their ordinals. */
type Narrowing = Readonly<Partial<Record<"thread_id" | "from_id" | "topic_id", number>>>;

/** Maximum filters with cached totals. */
const TOTALS_KEPT = 1000;

export function messageReader(archive: ArchiveRows, counters: ArchiveCounters, own: OwnReads): MessageReader {
  return {
    list: messageLists(archive, counters, own),
    async get(id) {
      const ordinal = ordinalOf("msg", id);
      return ordinal === null ? null : ((await own.fetch.many([ordinal]))[0] ?? null);
    },
    async fileTexts(id) {
      const [row] = await archive.rows(
        `SELECT ${FILE_TEXTS.sql} FROM bodies WHERE ${archive.valid("bodies")} AND id = ?`,
        ordinalOf("msg", id) ?? -1,
      );
      return row === undefined ? [] : FILE_TEXTS.decode(row).fileTexts;
    },
    getMany: (ids) => own.fetch.many(ids.map((id) => ordinalOf("msg", id)).filter((ordinal) => ordinal !== null)),
    async ofMessageIds(messageIds) {
      const found = await own.ofMessageIds(messageIds);
      return found.map((first) => (first === undefined ? null : messageId(first as MessageOrdinal)));
    },
    scan: (range = EVERY_ORDINAL) => messageBatches(archive, own.fetch, range),
    headings: () => headingBatches(archive, own.fetch),
    async mailboxes() {
      const rows = await archive.rows(
        `SELECT source, name, messages FROM mailboxes WHERE ${archive.valid("mailboxes")} AND messages > 0
         ORDER BY first_message NULLS FIRST, id`,
      );
      return rows.map(([source, mailbox, messages]) => ({ source, mailbox, messages }) as MailboxTotal);
    },
    timeline: own.timeline,
  };
}

/** Null if the filter refers to something that does not exist. */
async function narrow(archive: ArchiveRows, { threadId, topicId, from }: MessageFilter): Promise<Narrowing | null> {
  const given: [keyof Narrowing, number | null | undefined][] = [];
  if (threadId) given.push(["thread_id", ordinalOf("thread", threadId)]);
  if (from) given.push(["from_id", (await archive.owners([from]))(from)?.contact]);
  if (topicId) given.push(["topic_id", ordinalOf("topic", topicId)]);
  return given.some(([, value]) => (value ?? null) === null) ? null : Object.fromEntries(given);
}

/** Lists messages by pages. */
function messageLists(archive: ArchiveRows, counters: ArchiveCounters, own: OwnReads): MessageReader["list"] {
  const totals = new Map<string, number>();

  /** Counting scans the whole filter; an open archive never changes, so totals are cached. */
  async function total(narrowing: Narrowing): Promise<number> {
    const { where, values } = conditions(archive, narrowing);
    if (values.length === 0) return counters.messages;
    const key = `${where} ${values.join()}`;
    const known = totals.get(key);
    if (known !== undefined) return known;
    const [[count]] = (await archive.rows(
      `SELECT count(*) FROM messages ${archive.indexedBy(indexFor(narrowing, "sent_at"))} WHERE ${where}`,
      ...values,
    )) as unknown as [[number]];
    if (totals.size === TOTALS_KEPT) totals.clear();
    totals.set(key, count);
    return count;
  }

  /** Scans one page of ordinals in a covering index. */
  async function pageOrdinals(sort: MessageSort, walk: Walk, narrowing: Narrowing): Promise<readonly number[]> {
    const { where, values } = conditions(archive, narrowing);
    const rows = await archive.rows(
      `SELECT id FROM messages ${archive.indexedBy(indexFor(narrowing, sort))} WHERE ${where}
       ORDER BY ${walk.isBackwards ? ORDERS[sort].backwards : ORDERS[sort].forwards} LIMIT ? OFFSET ?`,
      ...values,
      walk.limit,
      walk.offset,
    );
    const ordinals = rows.map(([id]) => id as number);
    return walk.isBackwards ? ordinals.reverse() : ordinals;
  }

  return async (sort, page, filter = {}) => {
    const narrowing = await narrow(archive, filter);
    if (narrowing === null) return { items: [], total: 0 };
    const all = await total(narrowing);
    const isWhole = Object.keys(narrowing).length === 0;
    const ordinals =
      isWhole && own.storedPage !== null
        ? await own.storedPage(sort, page)
        : await pageOrdinals(sort, nearerEnd(page, all), narrowing);
    return { items: await own.listed(ordinals), total: all };
  };
}

const FILE_TEXTS = selection([BODIES], ["fileTexts"]);

function conditions(archive: ArchiveRows, narrowing: Narrowing) {
  const terms = [archive.valid("messages"), ...Object.keys(narrowing).map((column) => `${column} = ?`)];
  return { where: terms.join(" AND "), values: Object.values(narrowing) };
}

/** Threads are small enough to be sorted; senders and topics have every order in an index. */
function indexFor({ thread_id, from_id, topic_id }: Narrowing, sort: MessageSort): string {
  if (thread_id !== undefined) return "messages_by_thread";
  const { suffix } = ORDERS[sort];
  if (from_id !== undefined) return `messages_by_sender_${suffix}`;
  return topic_id === undefined ? `messages_by_${suffix}` : `messages_by_topic_${suffix}`;
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

/** Maximum messages of a batch. */
const BATCH_MESSAGES = 256;
/** Body bytes after which a batch ends, so that a huge message is never batched with others. */
const BATCH_BYTES = 4 * 1024 * 1024;

type BodySize = readonly [id: number, bytes: number];

/** Ids are 4-byte integers in PostgreSQL. */
const EVERY_ORDINAL: OrdinalRange = { first: 0, last: 2 ** 31 - 1 };

/** Messages in id order, in batches; nothing stays open between batches, so a reader may stop anywhere. */
async function* messageBatches(
  archive: ArchiveRows,
  fetch: MessageFetch,
  range: OrdinalRange,
): AsyncGenerator<readonly EncodedMessage[]> {
  let last = range.first - 1;
  for (;;) {
    const sizes = (await archive.rows(
      `SELECT id, length(body) FROM bodies WHERE ${archive.valid("bodies")} AND id > ? AND id <= ? ORDER BY id LIMIT ${BATCH_MESSAGES}`,
      last,
      range.last,
    )) as unknown as readonly BodySize[];
    if (sizes.length === 0) return;
    for (const end of batchEnds(sizes)) {
      yield fetch.range(last + 1, end);
      last = end;
    }
  }
}

async function* headingBatches(archive: ArchiveRows, fetch: MessageFetch): AsyncGenerator<readonly MessageHeading[]> {
  const [[last]] = (await archive.rows(
    `SELECT max(id) FROM messages WHERE ${archive.valid("messages")}`,
  )) as unknown as [[number | null]];
  for (let first = 0; first <= (last ?? -1); first += BATCH_MESSAGES)
    yield fetch.headings(first, first + BATCH_MESSAGES - 1);
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
