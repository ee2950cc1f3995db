import type { CopyDifferences } from "../../../mail/records/message.ts";
import { LruCache } from "../../../search/indexing/lru-cache.ts";
import type { MarkedMessages } from "../../../search/indexing/marked-messages.ts";
import type { ValueField } from "../../../search/indexing/search-field.ts";
import type { ContactRole, IndexedFile, IndexedText, LookedUp } from "../../../search/indexing/search-source.ts";
import { comparedAddress } from "../../contract/compared-address.ts";
import { decodeCopy } from "../../reading/copy-columns.ts";
import { LAST_CHARACTER, type StoredIndex, termReader } from "../../reading/index-terms.ts";
import { TOPIC_NAMES, topicsMatchingName } from "../../reading/match-topic-names.ts";
import { peopleIn } from "../../reading/people-in.ts";
import type { IndexReader, IndexSegment } from "../../reading/range-source.ts";
import { BODIES, ENVELOPES, MESSAGES, OCCURRENCES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import type { SqliteStatement } from "../driver/sqlite-database.ts";
import { addresseeFinder } from "../reading/contact-messages.ts";
import { messageIdFinder } from "../reading/message-id-finder.ts";
import { copyTermReader, hasCopyTerms } from "./copy-terms.ts";

/** Reads the parts of a text by message number. */
interface TextReader {
  body(document: number): Uint8Array | null;
  subject(document: number): Uint8Array;
  files(document: number): readonly IndexedFile[];
}

/** A text whose parts are read on access. */
class StoredText implements IndexedText {
  constructor(
    private readonly document: number,
    private readonly reader: TextReader,
  ) {}

  body(): Uint8Array | null {
    return this.reader.body(this.document);
  }

  subject(): Uint8Array {
    return this.reader.subject(this.document);
  }

  passages(): readonly Uint8Array[] {
    const body = this.body();
    return body === null ? [] : [body];
  }

  files(): readonly IndexedFile[] {
    return this.reader.files(this.document);
  }
}

/** Lookups that need no column. @param searched segments to search */
export function indexReader(
  database: SqliteDatabase,
  marked: () => MarkedMessages,
  searched: readonly IndexSegment[],
): IndexReader {
  const subject = database.prepare("SELECT CAST(subject AS BLOB) FROM messages WHERE id = ?").pluck();
  const body = database.prepare("SELECT body FROM bodies WHERE id = ?").pluck();
  const reader: TextReader = {
    body: (document) => (body.get(document) as Uint8Array | undefined) ?? null,
    subject: (document) => (subject.get(document) as Uint8Array | undefined) ?? new Uint8Array(0),
    files: fileReader(database),
  };
  const values = valueReaders(database);
  const contactName = database.prepare("SELECT iif(name = '', email, name) FROM contacts WHERE id = ?").pluck();
  const topicName = database.prepare("SELECT name FROM topics WHERE id = ?").pluck();
  // The file is local: values are read on access.
  const everything = lookedUp(database, searched);
  return {
    holdsMessages: true,
    lookUp: async () => everything,
    texts: async (documents) => Array.from(documents, (document) => new StoredText(document, reader)),
    values: async (documents, field) => Array.from(documents, (document) => values[field](document)),
    marked: async () => marked(),
    sourcePaths: async () => database.prepare("SELECT path FROM sources ORDER BY id").pluck().all() as string[],
    bySender: async () => messagesBySender(database),
    contactNames: async (contacts) => contacts.map((number) => (contactName.get(number) as string | undefined) ?? ""),
    topicNames: async (topics) => topics.map((number) => (topicName.get(number) as string | undefined) ?? ""),
  };
}

/** One statement, read completely at once. */
export function messagesBySender(database: SqliteDatabase): Iterable<number> {
  return database.prepare("SELECT id FROM messages ORDER BY from_key, id").pluck().iterate() as Iterable<number>;
}

/** Bytes of the length of a message. */
const LENGTH_BYTES = 4;

/** The stored segments of an index. */
export function indexSegments(database: SqliteDatabase): readonly IndexSegment[] {
  const rows = database.prepare(`SELECT seg, first, length(lengths) / ${LENGTH_BYTES} FROM ix_doc ORDER BY seg`).raw();
  return (rows.all() as [number, number, number][]).map(([seg, first, count]) => ({ seg, first, end: first + count }));
}

/** Messages that must not be found. */
export function deadMessages(database: SqliteDatabase): ReadonlySet<number> {
  return new Set(database.prepare("SELECT doc FROM ix_dead").pluck().all() as number[]);
}

const FROM = selection([MESSAGES], ["from"]);
const TO = selection([ENVELOPES], ["to"]);
const CC = selection([ENVELOPES], ["cc", "bcc"]);
const COPY = selection([OCCURRENCES], ["otherId", "sha256", "differs"]);

/** Reads the values of a field of a message. */
type ValueReader = (document: number) => readonly string[];

/** Read the values of a field of a message. */
function valueReaders(database: SqliteDatabase): Readonly<Record<ValueField, ValueReader>> {
  const names = database.prepare("SELECT filename FROM attachments WHERE message_id = ? ORDER BY position").pluck();
  const copies = database
    .prepare(`SELECT ${COPY.sql} FROM occurrences WHERE message_id = ? AND differs IS NOT NULL`)
    .raw();
  const hasCopies = hasCopyTerms(database);
  /** With the people of duplicates. */
  const inCopies = (field: ContactRole, own: ValueReader): ValueReader => {
    if (!hasCopies) return own;
    return (document) => {
      const others = (copies.all(document) as SqlValue[][]).map((row) => decodeCopy(COPY.decode(row)));
      return others.length === 0 ? own(document) : [...own(document), ...peopleIn(field, others)];
    };
  };
  return {
    from: inCopies(
      "from",
      peopleReader("from", FROM, database.prepare(`SELECT ${FROM.sql} FROM messages WHERE id = ?`)),
    ),
    to: inCopies("to", peopleReader("to", TO, database.prepare(`SELECT ${TO.sql} FROM envelopes WHERE id = ?`))),
    cc: inCopies("cc", peopleReader("cc", CC, database.prepare(`SELECT ${CC.sql} FROM envelopes WHERE id = ?`))),
    filename: (document) => names.all(document) as string[],
  };
}

/** Cached lists of people of a field, usually 1 MB: five in six messages are addressed like a recent one. */
const MAX_KNOWN_LISTS = 1024;
/** Longest stored list that is cached, in characters: about 200 people. */
const MAX_KNOWN_LENGTH = 8192;

function peopleReader(
  field: ContactRole,
  { decode }: { decode(row: SqlValue[]): CopyDifferences },
  statement: SqliteStatement,
): ValueReader {
  const rows = statement.raw();
  const known = new LruCache<readonly string[]>(MAX_KNOWN_LISTS);
  return (document) => {
    const row = rows.get(document) as SqlValue[] | undefined;
    if (row === undefined) return [];
    // Stored lists contain no line breaks.
    const stored = row.join("\n");
    const before = known.get(stored);
    if (before !== undefined) return before;
    const people = peopleIn(field, [decode(row)]);
    if (stored.length <= MAX_KNOWN_LENGTH) known.keep(stored, people);
    return people;
  };
}

const FILE_TEXTS = selection([BODIES], ["fileTexts"]);

/** Reads the texts of the attachments of a message. */
function fileReader(database: SqliteDatabase): (document: number) => readonly IndexedFile[] {
  const names = database.prepare("SELECT filename FROM attachments WHERE message_id = ? ORDER BY position").pluck();
  const texts = database.prepare(`SELECT ${FILE_TEXTS.sql} FROM bodies WHERE id = ?`).raw();
  return (document) => {
    const row = texts.get(document) as SqlValue[] | undefined;
    const fileTexts = row === undefined ? [] : FILE_TEXTS.decode(row).fileTexts;
    if (fileTexts.length === 0) return [];
    const named = names.all(document) as string[];
    return fileTexts.flatMap((text, at) => (text === "" ? [] : [{ name: named[at] ?? "", text }]));
  };
}

function lookedUp(database: SqliteDatabase, searched: readonly IndexSegment[]): LookedUp {
  const contact = database.prepare("SELECT min(contact_id) FROM addresses WHERE address_key = ?").pluck();
  const withFile = database.prepare("SELECT message_id FROM attachments WHERE sha256 = ?").pluck();
  const inThread = database.prepare("SELECT id FROM messages WHERE thread_id = ?").pluck();
  const addressedTo = addresseeFinder(database);
  const topics = database.prepare(`SELECT ${TOPIC_NAMES.sql} FROM topics ORDER BY id`).raw();
  const contactOf = (address: string): number | null => contact.get(comparedAddress(address)) as number | null;
  return {
    ...termReader(storedIndex(database, searched)),
    contactOf,
    addressedTo(addressee) {
      const number = typeof addressee.contact === "string" ? contactOf(addressee.contact) : addressee.contact;
      return number === null ? [] : addressedTo(number, addressee.role);
    },
    inThread: (thread) => inThread.all(thread) as number[],
    withMessageId: messageIdFinder(database),
    withFile: (sha256) => withFile.all(Buffer.from(sha256, "hex")) as number[],
    topicsNamed: (tokens) => topicsMatchingName(topics.all() as SqlValue[][], tokens),
  };
}

/** Blocks of the dictionary read at a time: 400 KB. */
const BLOCKS_AT_ONCE = 256;

/** The dictionary and the posting lists of some segments. */
export function storedIndex(database: SqliteDatabase, searched: readonly IndexSegment[]): StoredIndex {
  const blockOf = database
    .prepare("SELECT data FROM ix_block WHERE seg = ? AND first <= ? ORDER BY first DESC LIMIT 1")
    .pluck();
  const blocksIn = database
    .prepare(
      `SELECT first, data FROM ix_block WHERE seg = ? AND first > ? AND first < ? ORDER BY first LIMIT ${BLOCKS_AT_ONCE}`,
    )
    .raw();
  const list = database.prepare("SELECT data FROM ix_post WHERE id = ?").pluck();
  return {
    segments: searched.map(({ seg }) => seg),
    blockOf: (segment, term) => blockOf.get(segment, term) as Uint8Array | undefined,
    *blocksBehind(segment, prefix) {
      for (let last = prefix; ; ) {
        const rows = blocksIn.all(segment, last, prefix + LAST_CHARACTER) as [string, Uint8Array][];
        for (const [first, data] of rows) {
          last = first;
          yield data;
        }
        if (rows.length < BLOCKS_AT_ONCE) return;
      }
    },
    list: (id) => list.get(id) as Uint8Array,
    ofCopies: copyTermReader(database, searched[0]?.first ?? 0, searched.at(-1)?.end ?? 0),
  };
}
