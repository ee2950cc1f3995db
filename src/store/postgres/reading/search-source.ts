import type { MarkedMessages } from "../../../search/indexing/marked-messages.ts";
import type { Addressee, LookedUp, Lookups, NamedMailbox } from "../../../search/indexing/search-source.ts";
import { messagesInRole, readEntries } from "../../reading/contact-entries.ts";
import { namedMailboxes, type StoredSegment } from "../../reading/document-columns.ts";
import { TOPIC_NAMES, topicsMatchingName } from "../../reading/match-topic-names.ts";
import { once } from "../../reading/once.ts";
import type { IndexReader, IndexSegment } from "../../reading/range-source.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { ordinalList } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { orderedPage } from "../collections/list-orders.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { ownersOf } from "./address-owners.ts";
import { fieldValues } from "./field-values.ts";
import { type CachedIndex, lookUpTerms } from "./index-terms.ts";
import { IndexedTexts } from "./indexed-texts.ts";
import { markedReader } from "./marked-messages.ts";
import { messagesWithIds } from "./message-reader.ts";

/** Metadata of an index that is needed before a column is read. */
export interface IndexFrame {
  readonly segments: readonly IndexSegment[];
  readonly firstDocument: number;
  readonly end: number;
  readonly dead: ReadonlySet<number>;
  readonly hasCopyTerms: boolean;
  readonly topics: readonly (readonly SqlValue[])[];
  /** Shared by all shards. */
  readonly texts: IndexedTexts;
  /** Current marks in the notebook of the collection. */
  marked(): Promise<MarkedMessages>;
}

/** Bytes of the length of a message. */
const LENGTH_BYTES = 4;

export async function openFrame(epoch: OpenEpoch): Promise<IndexFrame> {
  const rows = (await epoch.rows(
    `SELECT seg, first, octet_length(lengths) / ${LENGTH_BYTES} FROM ix_doc WHERE ${validIn("ix_doc")} ORDER BY seg`,
  )) as [number, number, number][];
  const segments = rows.map(([seg, first, count]) => ({ seg, first, end: first + count }));
  const dead = await epoch.rows(`SELECT doc FROM ix_dead WHERE ${validIn("ix_dead")}`);
  return {
    segments,
    firstDocument: segments[0]?.first ?? 0,
    end: segments.reduce((highest, { end }) => Math.max(highest, end), 0),
    dead: new Set(dead.map(([document]) => document as number)),
    hasCopyTerms: (await epoch.rows(`SELECT 1 FROM ix_copy WHERE ${validIn("ix_copy")} LIMIT 1`)).length > 0,
    topics: await epoch.rows(`SELECT ${TOPIC_NAMES.sql} FROM topics WHERE ${validIn("topics")} ORDER BY id`),
    texts: new IndexedTexts(epoch),
    marked: markedReader(epoch),
  };
}

/** The lengths of the messages of some segments. */
export async function storedLengths(
  epoch: OpenEpoch,
  segments: readonly IndexSegment[],
): Promise<readonly StoredSegment[]> {
  const rows = await epoch.rows(
    `SELECT seg, first, lengths FROM ix_doc WHERE ${validIn("ix_doc")} AND seg = ANY($2::int8[]) ORDER BY seg`,
    ordinalList(segments.map(({ seg }) => seg)),
  );
  return rows.map(([seg, first, lengths]) => ({ seg, first, lengths }) as StoredSegment);
}

/** Segments to search. */
export function searchedIndex({ hasCopyTerms }: IndexFrame, searched: readonly IndexSegment[]): CachedIndex {
  const [first, end] = [searched[0]?.first ?? 0, searched.at(-1)?.end ?? 0];
  return { segments: searched.map(({ seg }) => seg), hasCopyTerms, first, end };
}

/** @param searched segments to search */
export function indexReader(epoch: OpenEpoch, frame: IndexFrame, searched: readonly IndexSegment[]): IndexReader {
  const index = searchedIndex(frame, searched);
  return {
    holdsMessages: true,
    lookUp: async (asked) => ({
      ...(await lookUpTerms(epoch, index, asked)),
      ...(await lookUpMessages(epoch, asked)),
      topicsNamed: (tokens) => topicsMatchingName(frame.topics, tokens),
    }),
    texts: (documents, parts) => frame.texts.read(Array.from(documents), parts),
    values: (documents, field) => fieldValues(epoch, Array.from(documents), field, frame.hasCopyTerms),
    sourcePaths: once(async () =>
      (await epoch.rows(`SELECT path FROM sources WHERE ${validIn("sources")} ORDER BY id`)).map(
        ([path]) => path as string,
      ),
    ),
    bySender: once(() => orderedPage(epoch, "messages.from", { limit: frame.end, offset: 0 })),
    contactNames: (contacts) =>
      namesOf(
        epoch,
        `SELECT id, CASE WHEN name = '' THEN email ELSE name END FROM contacts WHERE ${validIn("contacts")} AND id = ANY($2::int8[])`,
        contacts,
      ),
    marked: frame.marked,
    topicNames: (numbers) =>
      namesOf(epoch, `SELECT id, name FROM topics WHERE ${validIn("topics")} AND id = ANY($2::int8[])`, numbers),
  };
}

async function namesOf(epoch: OpenEpoch, sql: string, numbers: readonly number[]): Promise<readonly string[]> {
  if (numbers.length === 0) return [];
  const names = new Map((await epoch.rows(sql, ordinalList(numbers))) as [number, string][]);
  return numbers.map((number) => names.get(number) ?? "");
}

/** Looks up what a query names in addition to terms, and nothing else. */
async function lookUpMessages(
  epoch: OpenEpoch,
  asked: Lookups,
): Promise<Omit<LookedUp, "postings" | "withPattern" | "topicsNamed">> {
  const named = asked.addressees.map(({ contact }) => contact).filter((contact) => typeof contact === "string");
  const ownerOf = await ownersOf(epoch, [...asked.addresses, ...named]);
  const contactOf = (address: string): number | null => ownerOf(address)?.contact ?? null;
  const contactIn = ({ contact }: Addressee): number | null =>
    typeof contact === "string" ? contactOf(contact) : contact;
  const entries = await entriesOf(
    epoch,
    asked.addressees.map(contactIn).filter((contact) => contact !== null),
  );
  const inThread = await messagesBy(
    epoch,
    `SELECT thread_id, id FROM messages WHERE ${validIn("messages")} AND thread_id = ANY($2::int8[])`,
    asked.threads.length === 0 ? null : ordinalList(asked.threads),
  );
  const withFile = await messagesBy(
    epoch,
    `SELECT encode(sha256, 'hex'), message_id FROM attachments
     WHERE ${validIn("attachments")} AND sha256 = ANY(SELECT decode(digits, 'hex') FROM unnest($2::text[]) AS digits)`,
    asked.files.length === 0 ? null : asked.files,
  );
  const withIds = await messagesWithIds(epoch, asked.messageIds);
  return {
    contactOf,
    addressedTo(addressee) {
      const contact = contactIn(addressee);
      const own = contact === null ? undefined : entries.get(contact);
      return own === undefined ? [] : messagesInRole(own, addressee.role);
    },
    inThread: (thread) => inThread.get(thread) ?? [],
    withFile: (sha256) => withFile.get(sha256) ?? [],
    withMessageId: (id) => withIds.get(id) ?? [],
  };
}

/** Messages by one of their keys. @param asked null for none */
async function messagesBy(
  epoch: OpenEpoch,
  sql: string,
  asked: string | readonly string[] | null,
): Promise<ReadonlyMap<SqlValue, readonly number[]>> {
  const found = new Map<SqlValue, number[]>();
  if (asked === null) return found;
  for (const [key, message] of (await epoch.rows(sql, asked)) as [SqlValue, number][])
    found.set(key, [...(found.get(key) ?? []), message]);
  return found;
}

async function entriesOf(epoch: OpenEpoch, contacts: readonly number[]): Promise<ReadonlyMap<number, Uint32Array>> {
  if (contacts.length === 0) return new Map();
  const rows = await epoch.rows(
    `SELECT contact_id, entries FROM contact_messages WHERE ${validIn("contact_messages")} AND contact_id = ANY($2::int8[])`,
    ordinalList(contacts),
  );
  return new Map((rows as [number, Uint8Array][]).map(([contact, blob]) => [contact, readEntries(blob)]));
}

export async function mailboxesByNumber(epoch: OpenEpoch): Promise<ReadonlyMap<number, NamedMailbox>> {
  return namedMailboxes(await epoch.rows(`SELECT id, name, source FROM mailboxes WHERE ${validIn("mailboxes")}`));
}
