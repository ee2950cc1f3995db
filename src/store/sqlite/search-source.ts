import type { MessageFacts } from "../../search/message-facts.ts";
import type {
  DocumentColumns,
  LookedUp,
  NumberLists,
  SearchSource,
  TermPostings,
  TermPrefix,
} from "../../search/search-source.ts";
import { findInBlock, visitBlock } from "../../search/term-block.ts";
import { averageLength } from "../../search/weights.ts";
import { tokensOf } from "../../text/tokens.ts";
import { addressKey } from "../address-key.ts";
import type { TopicRow } from "../rows.ts";
import { TOPICS } from "../tables/knowledge-tables.ts";
import { selection } from "../tables/table.ts";
import { addresseeFinder, receiverLists } from "./contact-messages.ts";
import { copyTermReader } from "./copy-terms.ts";
import type { SqliteDatabase } from "./database.ts";
import { readFacts } from "./message-facts.ts";
import { messageIdFinder, placeReader } from "./place-search.ts";
import type { SqlValue } from "./sqlite-database.ts";

/** The character no term has anything behind: upper end of the terms with a prefix. */
const LAST_CHARACTER = "\u{10ffff}";

/** Opens the search index of an archive: reads the columns (18 bytes a message) and prepares the look-ups. */
export function openSearchSource(database: SqliteDatabase): SearchSource {
  const segments = database.prepare("SELECT seg, first, lengths FROM ix_doc ORDER BY seg").all() as StoredSegment[];
  const columns = readColumns(database, segments);
  const dead = new Set(database.prepare("SELECT doc FROM ix_dead").pluck().all() as number[]);
  const subject = database.prepare("SELECT CAST(subject AS BLOB) FROM messages WHERE id = ?").pluck();
  const body = database.prepare("SELECT body FROM bodies WHERE id = ?").pluck();
  const column = database.prepare("SELECT data FROM ix_column WHERE name = ?").pluck();
  const contactName = database.prepare("SELECT iif(name = '', email, name) FROM contacts WHERE id = ?").pluck();
  const topicName = database.prepare("SELECT name FROM topics WHERE id = ?").pluck();
  const places = placeReader(database, (name) => {
    const data = column.get(name) as Uint8Array | undefined;
    return data === undefined ? null : new Int32Array(ownBuffer(data));
  });
  // What is asked for lies at hand: it is read when it is looked at.
  const everything = lookedUp(
    database,
    segments.map(({ seg }) => seg),
  );
  let facts: MessageFacts | null = null;
  let receivers: NumberLists | null = null;
  const firstDocument = segments[0]?.first ?? 0;
  return {
    columns,
    firstDocument,
    ...liveTotals(columns.lengths, firstDocument, dead),
    dead,
    lookUp: async () => everything,
    texts: async (documents) =>
      Array.from(documents, (document) => ({
        body: () => (body.get(document) as Uint8Array | undefined) ?? null,
        subject: () => (subject.get(document) as Uint8Array | undefined) ?? new Uint8Array(0),
      })),
    facts: async () => (facts ??= readFacts(database)),
    repeats: async () =>
      new Uint32Array(ownBuffer((column.get("repeats") as Uint8Array | undefined) ?? new Uint8Array(0))),
    places: async () => places(),
    receivers: async () => (receivers ??= receiverLists(database, columns.lengths.length)),
    sourcePaths: async () => database.prepare("SELECT path FROM sources ORDER BY id").pluck().all() as string[],
    bySender: async () => database.prepare("SELECT id FROM messages ORDER BY from_key, id").pluck().all() as number[],
    contactNames: async (contacts) => contacts.map((number) => (contactName.get(number) as string | undefined) ?? ""),
    topicNames: async (topics) => topics.map((number) => (topicName.get(number) as string | undefined) ?? ""),
  };
}

function lookedUp(database: SqliteDatabase, segs: readonly number[]): LookedUp {
  const contact = database.prepare("SELECT min(contact_id) FROM addresses WHERE address_key = ?").pluck();
  const withFile = database.prepare("SELECT message_id FROM attachments WHERE sha256 = ?").pluck();
  const inThread = database.prepare("SELECT id FROM messages WHERE thread_id = ?").pluck();
  const addressedTo = addresseeFinder(database);
  const contactOf = (address: string): number | null => contact.get(addressKey(address)) as number | null;
  return {
    ...termReader(database, segs),
    contactOf,
    addressedTo(addressee) {
      const number = typeof addressee.contact === "string" ? contactOf(addressee.contact) : addressee.contact;
      return number === null ? [] : addressedTo(number, addressee.role);
    },
    inThread: (thread) => inThread.all(thread) as number[],
    withMessageId: messageIdFinder(database),
    withFile: (sha256) => withFile.all(Buffer.from(sha256, "hex")) as number[],
    topicsNamed: (tokens) => topicsNamed(database, tokens),
  };
}

interface StoredSegment {
  readonly seg: number;
  readonly first: number;
  readonly lengths: Uint8Array;
}

function readColumns(database: SqliteDatabase, segments: readonly StoredSegment[]): DocumentColumns {
  const end = segments.reduce((highest, { first, lengths }) => Math.max(highest, first + lengths.length / 4), 0);
  const lengths = new Uint32Array(end);
  for (const segment of segments) lengths.set(new Uint32Array(ownBuffer(segment.lengths)), segment.first);
  const column = database.prepare("SELECT data FROM ix_column WHERE name = ?").pluck();
  const stored = (name: keyof DocumentColumns): ArrayBuffer => {
    const data = column.get(name) as Uint8Array | undefined;
    return data === undefined ? new ArrayBuffer(0) : ownBuffer(data);
  };
  return {
    lengths,
    authors: new Int32Array(stored("authors")),
    sentAt: new Float64Array(stored("sentAt")),
    topics: new Int32Array(stored("topics")),
  };
}

/** A blob lies anywhere in memory, a typed array only at a multiple of its element. */
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function liveTotals(
  lengths: Uint32Array,
  firstDocument: number,
  dead: ReadonlySet<number>,
): { readonly documentCount: number; readonly averageLength: number } {
  let documentCount = 0;
  let reciprocals = 0;
  for (let document = firstDocument; document < lengths.length; document++) {
    if (dead.size > 0 && dead.has(document)) continue;
    documentCount++;
    reciprocals += 1 / (1 + lengths[document]!);
  }
  return { documentCount, averageLength: averageLength(reciprocals, documentCount) };
}

function termReader(database: SqliteDatabase, segs: readonly number[]): Pick<LookedUp, "postings" | "withPrefix"> {
  const blockOf = database
    .prepare("SELECT data FROM ix_block WHERE seg = ? AND first <= ? ORDER BY first DESC LIMIT 1")
    .pluck();
  const blocksIn = database
    .prepare("SELECT data FROM ix_block WHERE seg = ? AND first > ? AND first < ? ORDER BY first")
    .pluck();
  const list = database.prepare("SELECT data FROM ix_post WHERE id = ?").pluck();
  const ofCopies = copyTermReader(database);
  const encoder = new TextEncoder();

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: postings lie in a block, in a list or in both, a segment each
  function postings(term: string): TermPostings | null {
    const spelling = encoder.encode(term);
    let documentFrequency = 0;
    const lists: Uint8Array[] = [];
    for (const seg of segs) {
      const block = blockOf.get(seg, term) as Uint8Array | undefined;
      const entry = block === undefined ? null : findInBlock(block, spelling);
      if (entry === null) continue;
      documentFrequency += entry.documentFrequency;
      lists.push(typeof entry.postings === "number" ? (list.get(entry.postings) as Uint8Array) : entry.postings);
    }
    const further = ofCopies(term);
    if (further === null) return documentFrequency === 0 ? null : { documentFrequency, lists };
    // Only terms of fields have such, which filter and do not rank: that a message may stand in two lists is nothing to
    // them.
    return { documentFrequency: documentFrequency + 1, lists: [...lists, further] };
  }

  /** Blocks that may hold terms with the prefix: the one it falls into, and all that begin with it. */
  function* blocksWith(prefix: string): Generator<Uint8Array> {
    for (const seg of segs) {
      const block = blockOf.get(seg, prefix) as Uint8Array | undefined;
      if (block !== undefined) yield block;
      yield* blocksIn.all(seg, prefix, prefix + LAST_CHARACTER) as Uint8Array[];
    }
  }

  function withPrefix({ prefix, limit }: TermPrefix): readonly TermPostings[] {
    const start = Buffer.from(prefix);
    const frequencies = new Map<string, number>();
    for (const block of blocksWith(prefix)) {
      visitBlock(block, ({ term, documentFrequency }) => {
        const order = start.compare(term, 0, Math.min(term.length, start.length));
        if (order !== 0) return order > 0;
        const text = Buffer.from(term).toString();
        frequencies.set(text, (frequencies.get(text) ?? 0) + documentFrequency);
        return true;
      });
    }
    const ranked = Array.from(frequencies).sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));
    return ranked.slice(0, limit).flatMap(([term]) => postings(term) ?? []);
  }

  return { postings, withPrefix };
}

const TOPIC = selection<Pick<TopicRow, "ordinal" | "name" | "topKeywords">>(
  [TOPICS],
  ["ordinal", "name", "topKeywords"],
);

function topicsNamed(database: SqliteDatabase, tokens: readonly string[]): readonly number[] {
  const rows = database.prepare(`SELECT ${TOPIC.sql} FROM topics ORDER BY id`).raw().all() as SqlValue[][];
  const named = rows.map(TOPIC.decode).filter(({ name, topKeywords }) => {
    const known = new Set(tokensOf([name, ...topKeywords].join(" ")));
    return tokens.every((token) => known.has(token));
  });
  return named.map(({ ordinal }) => ordinal);
}
