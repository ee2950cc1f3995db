import { NOTHING_MARKED } from "../../search/marked-messages.ts";
import type { MessageFacts } from "../../search/message-facts.ts";
import type {
  Addressee,
  LookedUp,
  Lookups,
  NamedMailbox,
  NumberLists,
  Places,
  Recipients,
  SearchSource,
} from "../../search/search-source.ts";
import { inShards, SHARD_DOCUMENTS } from "../../search/shards.ts";
import { tokensOf } from "../../text/tokens.ts";
import { messagesInRole, readEntries, recipientLists } from "../reading/contact-entries.ts";
import { documentColumns, liveTotals, ownBuffer, type StoredSegment } from "../reading/document-columns.ts";
import { storedFacts } from "../reading/fact-columns.ts";
import { TOPIC_NAMES, topicsNamed } from "../reading/named-topics.ts";
import type { SqlValue } from "../sqlite/sqlite-database.ts";
import { ownersOf } from "./contact-of-address.ts";
import type { OpenEpoch } from "./epochs.ts";
import { indexColumns, once } from "./index-columns.ts";
import { lookUpTerms } from "./index-terms.ts";
import { IndexedTexts } from "./indexed-texts.ts";
import { orderedPage } from "./list-orders.ts";
import { messagesWithIds } from "./message-reader.ts";
import { ordinalList } from "./selection.ts";

/** Columns that every query needs. */
const DOCUMENT_COLUMNS = ["authors", "sentAt", "topics"] as const;

/** An index as it is searched. */
export interface OpenedIndex {
  readonly source: SearchSource;
  /** Its ranges, when it has several. */
  readonly shards: readonly SearchSource[];
}

/** Opens the search index of a collection: reads the columns (18 bytes a message). */
export async function openSearchSource(epoch: OpenEpoch, shardDocuments = SHARD_DOCUMENTS): Promise<OpenedIndex> {
  const segments = (await epoch.rows("SELECT seg, first, lengths FROM ix_doc WHERE epoch = $1 ORDER BY seg")).map(
    ([seg, first, lengths]) => ({ seg, first, lengths }) as StoredSegment,
  );
  const stored = await indexColumns(epoch, DOCUMENT_COLUMNS);
  const columns = documentColumns(segments, (name) => stored.get(name));
  const dead = new Set((await epoch.rows("SELECT doc FROM ix_dead WHERE epoch = $1")).map(([doc]) => doc as number));
  const hasCopyTerms = (await epoch.rows("SELECT 1 FROM ix_copy WHERE epoch = $1 LIMIT 1")).length > 0;
  const topics = await epoch.rows(`SELECT ${TOPIC_NAMES.sql} FROM topics WHERE epoch = $1 ORDER BY id`);
  const firstDocument = segments[0]?.first ?? 0;
  const lookUpIn = async (range: readonly StoredSegment[], asked: Lookups): Promise<LookedUp> => ({
    ...(await lookUpTerms(epoch, { segments: range.map(({ seg }) => seg), hasCopyTerms }, asked)),
    ...(await lookUpMessages(epoch, asked)),
    topicsNamed: (tokens) => topicsNamed(topics, tokens),
  });
  const recipients = {
    to: once(() => readRecipients(epoch, "to", columns.lengths.length)),
    all: once(() => readRecipients(epoch, "all", columns.lengths.length)),
  };
  const texts = new IndexedTexts(epoch);
  const source: SearchSource = {
    holdsMessages: true,
    columns,
    firstDocument,
    ...liveTotals(columns.lengths, firstDocument, dead),
    dead,
    lookUp: (asked) => lookUpIn(segments, asked),
    texts: (documents, isSubjectRead = () => true) => texts.read(Array.from(documents), isSubjectRead),
    facts: once(() => facts(epoch)),
    repeats: once(async () => {
      const column = (await indexColumns(epoch, ["repeats"])).get("repeats");
      return new Uint32Array(ownBuffer(column ?? new Uint8Array(0)));
    }),
    places: once(() => places(epoch)),
    recipients: (of) => recipients[of](),
    sourcePaths: once(async () =>
      (await epoch.rows("SELECT path FROM sources WHERE epoch = $1 ORDER BY id")).map(([path]) => path as string),
    ),
    bySender: once(() => orderedPage(epoch, "messages.from", { limit: columns.lengths.length, offset: 0 })),
    contactNames: (contacts) =>
      namesOf(
        epoch,
        "SELECT id, CASE WHEN name = '' THEN email ELSE name END FROM contacts WHERE epoch = $1 AND id = ANY($2::int8[])",
        contacts,
      ),
    // A collection has no notebook.
    marked: async () => NOTHING_MARKED,
    topicNames: (numbers) =>
      namesOf(epoch, "SELECT id, name FROM topics WHERE epoch = $1 AND id = ANY($2::int8[])", numbers),
  };
  const ranges = inShards(segments, countOf, shardDocuments);
  const shards = ranges.length === 1 ? [] : ranges.map((range) => shardOf(source, range, lookUpIn));
  return { source, shards };
}

function countOf({ lengths }: StoredSegment): number {
  return lengths.length / LENGTH_BYTES;
}

/** Bytes of the length of a message. */
const LENGTH_BYTES = 4;

/** The messages of some segments, with the dictionaries and lists of these and their part of the columns. */
function shardOf(
  source: SearchSource,
  range: readonly StoredSegment[],
  lookUpIn: (range: readonly StoredSegment[], asked: Lookups) => Promise<LookedUp>,
): SearchSource {
  const { lengths, authors, sentAt, topics } = source.columns;
  const last = range.at(-1)!;
  const end = last.first + countOf(last);
  return {
    ...source,
    columns: {
      lengths: lengths.subarray(0, end),
      authors: authors.subarray(0, end),
      sentAt: sentAt.subarray(0, end),
      topics: topics.subarray(0, end),
    },
    firstDocument: range[0]!.first,
    archive: { firstDocument: source.firstDocument, end: lengths.length, dead: source.dead },
    lookUp: (asked) => lookUpIn(range, asked),
  };
}

async function namesOf(epoch: OpenEpoch, sql: string, numbers: readonly number[]): Promise<readonly string[]> {
  if (numbers.length === 0) return [];
  const names = new Map((await epoch.rows(sql, ordinalList(numbers))) as [number, string][]);
  return numbers.map((number) => names.get(number) ?? "");
}

/** What a query names beside terms. Nothing is asked for that it does not name. */
async function lookUpMessages(
  epoch: OpenEpoch,
  asked: Lookups,
): Promise<Omit<LookedUp, "postings" | "withPrefix" | "topicsNamed">> {
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
    "SELECT thread_id, id FROM messages WHERE epoch = $1 AND thread_id = ANY($2::int8[])",
    asked.threads.length === 0 ? null : ordinalList(asked.threads),
  );
  const withFile = await messagesBy(
    epoch,
    `SELECT encode(sha256, 'hex'), message_id FROM attachments
     WHERE epoch = $1 AND sha256 = ANY(SELECT decode(digits, 'hex') FROM unnest($2::text[]) AS digits)`,
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

/** Messages by what they are asked for with. @param asked null for nothing */
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
    "SELECT contact_id, entries FROM contact_messages WHERE epoch = $1 AND contact_id = ANY($2::int8[])",
    ordinalList(contacts),
  );
  return new Map((rows as [number, Uint8Array][]).map(([contact, blob]) => [contact, readEntries(blob)]));
}

const FACT_COLUMNS = [
  ...["threads", "sizes", "traits", "languages", "languageNames", "domains", "domainNames"],
  ...["labelStarts", "labels", "labelNames"],
];

async function facts(epoch: OpenEpoch): Promise<MessageFacts> {
  const columns = await indexColumns(epoch, FACT_COLUMNS);
  // Only archives of this version are put here, and they have them all.
  return storedFacts((name) => columns.get(name))!;
}

async function places(epoch: OpenEpoch): Promise<Places> {
  const columns = await indexColumns(epoch, ["mailboxes", "furtherPlaces"]);
  const numbers = (name: string): Int32Array => new Int32Array(ownBuffer(columns.get(name) ?? new Uint8Array(0)));
  const rows = (await epoch.rows("SELECT id, name, source FROM mailboxes WHERE epoch = $1")) as [
    number,
    string,
    number,
  ][];
  const named = rows.map(([id, name, source]): [number, NamedMailbox] => [
    id,
    { name, source, words: new Set(tokensOf(name)) },
  ]);
  return { named: new Map(named), mailboxes: numbers("mailboxes"), further: numbers("furtherPlaces") };
}

async function readRecipients(epoch: OpenEpoch, of: Recipients, count: number): Promise<NumberLists> {
  const rows = (await epoch.rows("SELECT contact_id, entries FROM contact_messages WHERE epoch = $1")) as [
    number,
    Uint8Array,
  ][];
  return recipientLists(() => rows.map(([contact, blob]) => ({ contact, entries: readEntries(blob) })), of, count);
}
