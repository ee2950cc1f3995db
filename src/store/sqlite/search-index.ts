import { closeSync, fstatSync, openSync } from "node:fs";
import { readFully } from "../../files/whole-bytes.ts";
import { mergeSegments } from "../../search/merge-segments.ts";
import { lastDocument } from "../../search/posting-codec.ts";
import { repeatsColumn } from "../../search/repeated-texts.ts";
import { type SegmentBytes, SegmentCursor, type TermCursor } from "../../search/segment.ts";
import { inShards, SHARD_DOCUMENTS } from "../../search/shards.ts";
import { type IndexSink, type TermEntry, visitBlock } from "../../search/term-block.ts";
import { inferLanguages } from "../../text/inferred-language.ts";
import { factColumns } from "../reading/fact-columns.ts";
import type { RowOf } from "../tables/column.ts";
import { DEAD_DOCUMENTS, DOCUMENT_COLUMNS, SEGMENTS } from "../tables/search-tables.ts";
import { encodeRow, insertSql, upsertSql } from "../tables/table.ts";
import { writeCopyTerms } from "./copy-terms.ts";
import type { SqliteDatabase } from "./database.ts";
import { collectFacts } from "./message-facts.ts";
import { furtherPlaces, type PlaceColumn } from "./place-search.ts";
import {
  createNewTermTables,
  createSearchTables,
  NEW_TERM_TABLES,
  replaceTermTables,
  TERM_TABLES,
  type TermTables,
} from "./search-schema.ts";

/**
 * Share of all postings that may stand in segments of later runs: each segment costs every term of a query one more
 * look.
 */
const MAX_DELTA_SHARE = 0.2;
/** Segments of later runs, however small, before they are merged. */
const MAX_DELTA_SEGMENTS = 16;

/**
 * Adds the messages of one run to the index: in a new segment (a shard each, if they are more), or, when later runs have
 * added more than a fifth of the postings of the last shard, merged with what is there. It reads the tables of messages,
 * threads, topics and contacts. Throws as `addToSearch`.
 */
export function writeSearchIndex(database: SqliteDatabase, paths: readonly string[]): void {
  const files = paths.map((path) => openSync(path, "r"));
  try {
    createSearchTables(database);
    addSearchSegments(database, files.map(segmentInFile));
    writeSearchColumns(database);
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Messages that must no longer be found, by ordinal. */
export function removeFromSearch(database: SqliteDatabase, ordinals: Iterable<number>): void {
  createSearchTables(database);
  const remove = database.prepare(upsertSql(DEAD_DOCUMENTS, ["document"], []));
  for (const ordinal of ordinals) remove.run(ordinal);
}

/**
 * Adds segments whose messages follow those already indexed, and merges the stored ones when they have become many. No
 * stored segment has more messages than a shard: a large archive can be searched in parts.
 */
export function addSearchSegments(
  database: SqliteDatabase,
  segments: readonly SegmentBytes[],
  shardDocuments = SHARD_DOCUMENTS,
): void {
  if (segments.length === 0) return;
  const cursors = segments.map((segment) => new SegmentCursor(segment));
  for (const range of inShards(cursors, ({ head }) => head.lengths.length, shardDocuments))
    storeSegment(database, range);
  const ranges = inShards(storedSegments(database), ({ lengths }) => lengths.length / LENGTH_BYTES, shardDocuments);
  if (isMergeDue(ranges.at(-1)!)) mergeStoredSegments(database, ranges);
}

function storeSegment(database: SqliteDatabase, cursors: readonly SegmentCursor[]): void {
  const seg = database.prepare("SELECT coalesce(max(seg) + 1, 0) FROM ix_doc").pluck().get() as number;
  const lengths = concatLengths(cursors.map((cursor) => cursor.head.lengths));
  const postings = cursors.reduce((sum, { head }) => sum + head.postingCount, 0);
  mergeSegments(cursors, tableSink(database, seg, TERM_TABLES));
  addSegment(database, { segment: seg, firstDocument: cursors[0]!.head.firstDocument, postings, lengths });
}

function addSegment(database: SqliteDatabase, segment: RowOf<(typeof SEGMENTS)["columns"]>): void {
  database.prepare(insertSql(SEGMENTS)).run(...encodeRow(SEGMENTS, segment));
}

/** A row of ix_doc. */
interface StoredDocuments {
  readonly seg: number;
  readonly first: number;
  readonly postings: number;
  readonly lengths: Uint8Array;
}

/** Bytes of the length of a message. */
const LENGTH_BYTES = 4;

function storedSegments(database: SqliteDatabase): readonly StoredDocuments[] {
  return database.prepare("SELECT seg, first, postings, lengths FROM ix_doc ORDER BY seg").all() as StoredDocuments[];
}

/**
 * Stores author, date, topic, places and facts of every message by ordinal, for filters and ties; which of them repeat
 * a text, and the language of those too short to tell; and what only copies say.
 */
export function writeSearchColumns(database: SqliteDatabase): void {
  const count = (database.prepare("SELECT coalesce(max(id), 0) FROM messages").pluck().get() as number) + 1;
  const upsert = database.prepare(upsertSql(DOCUMENT_COLUMNS, ["name"], ["data"]));
  const write: ColumnWriter = (name, column) => void upsert.run(name, bytesOf(column));
  // One after the other: all columns at once would be twice the memory.
  const { authors, mailboxes } = writePlaces(database, count, write);
  const saysSomething = writeRepeats(database, count, write);
  const facts = collectFacts(database);
  const told = facts.languages.numbers;
  write("inferredLanguages", inferLanguages({ told, saysSomething, senders: authors, mailboxes }));
  for (const [name, data] of factColumns(facts)) write(name, data);
  writeCopyTerms(database);
}

type ColumnWriter = (name: string, column: Uint8Array | Uint32Array | Int32Array | Float64Array) => void;

function bytesOf({ buffer, byteOffset, byteLength }: Parameters<ColumnWriter>[1]): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Who wrote each message, when, of which topic, and where it lies. */
function writePlaces(
  database: SqliteDatabase,
  count: number,
  write: ColumnWriter,
): { readonly authors: Int32Array; readonly mailboxes: Int32Array } {
  const authors = new Int32Array(count).fill(-1);
  const sentAt = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const topics = new Int32Array(count).fill(-1);
  const mailboxes = new Int32Array(count);
  const rows = database.prepare("SELECT id, from_id, sent_at, topic_id, mailbox_id FROM messages").raw().iterate();
  for (const row of rows as Iterable<[number, number | null, number | null, number, number]>) {
    const [id, author, sent, topic, mailbox] = row;
    mailboxes[id] = mailbox;
    if (author !== null) authors[id] = author;
    if (sent !== null) sentAt[id] = sent;
    topics[id] = topic;
  }
  const places = { mailboxes, furtherPlaces: furtherPlaces(database) } satisfies Record<PlaceColumn, Int32Array>;
  for (const [name, column] of Object.entries({ authors, sentAt, topics, ...places })) write(name, column);
  return { authors, mailboxes };
}

/** Which messages repeat a text; gives 1 for each that says something. */
function writeRepeats(database: SqliteDatabase, count: number, write: ColumnWriter): Uint8Array {
  const keys = textKeys(database, count);
  write("repeats", repeatsColumn(keys));
  return Uint8Array.from(keys, (key) => (Number.isNaN(key) ? 0 : 1));
}

/** The key of each text, NaN for none. */
function textKeys(database: SqliteDatabase, count: number): Float64Array {
  const keys = new Float64Array(count).fill(Number.NaN);
  const rows = database.prepare("SELECT id, text_key FROM envelopes WHERE text_key IS NOT NULL").raw().iterate();
  for (const [id, key] of rows as Iterable<[number, number]>) keys[id] = key;
  return keys;
}

function concatLengths(parts: readonly ArrayLike<number>[]): Uint8Array {
  const lengths = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    lengths.set(part, at);
    at += part.length;
  }
  return new Uint8Array(lengths.buffer);
}

/** Earlier shards are full, and nothing is added to them any more. */
function isMergeDue(lastShard: readonly StoredDocuments[]): boolean {
  const [bulk = 0, ...deltas] = lastShard.map(({ postings }) => postings);
  const added = deltas.reduce((sum, count) => sum + count, 0);
  return deltas.length > MAX_DELTA_SEGMENTS || added > (bulk + added) * MAX_DELTA_SHARE;
}

/** Merges the stored segments of each shard into one: the same bytes as if everything had been indexed in one run. */
function mergeStoredSegments(database: SqliteDatabase, ranges: readonly (readonly StoredDocuments[])[]): void {
  createNewTermTables(database);
  for (const [seg, range] of ranges.entries())
    mergeSegments(
      range.map((stored) => new StoredCursor(database, stored.seg)),
      tableSink(database, seg, NEW_TERM_TABLES),
    );
  replaceTermTables(database);
  database.exec("DELETE FROM ix_doc");
  for (const [segment, range] of ranges.entries()) {
    const lengths = Buffer.concat(range.map((stored) => stored.lengths));
    const postings = range.reduce((sum, stored) => sum + stored.postings, 0);
    addSegment(database, { segment, firstDocument: range[0]!.first, postings, lengths });
  }
}

function tableSink(database: SqliteDatabase, seg: number, { lists, blocks }: TermTables): IndexSink {
  const list = database.prepare(insertSql(lists));
  const block = database.prepare(insertSql(blocks));
  let id = database.prepare(`SELECT coalesce(max(id), 0) FROM ${lists.name}`).pluck().get() as number;
  return {
    addPostings(data) {
      id++;
      list.run(id, data);
      return id;
    },
    addBlock(firstTerm, data) {
      block.run(seg, firstTerm, data);
    },
  };
}

/**
 * Walks the terms of a stored segment a block at a time. Rows are fetched one by one, as no other statement may run
 * during an iteration.
 */
class StoredCursor implements TermCursor {
  term: Uint8Array = new Uint8Array(0);
  documentFrequency = 0;
  lastDocument = 0;
  postings: Uint8Array = new Uint8Array(0);
  private entries: TermEntry[] = [];
  private at = 0;
  private block: string | null = null;
  private readonly nextBlock: (
    after: string | null,
  ) => { readonly first: string; readonly data: Uint8Array } | undefined;
  private readonly list: (id: number) => Uint8Array;

  constructor(database: SqliteDatabase, seg: number) {
    const first = database.prepare("SELECT first, data FROM ix_block WHERE seg = ? ORDER BY first LIMIT 1");
    const later = database.prepare(
      "SELECT first, data FROM ix_block WHERE seg = ? AND first > ? ORDER BY first LIMIT 1",
    );
    const list = database.prepare("SELECT data FROM ix_post WHERE id = ?").pluck();
    this.nextBlock = (after) =>
      (after === null ? first.get(seg) : later.get(seg, after)) as
        | { readonly first: string; readonly data: Uint8Array }
        | undefined;
    this.list = (id) => list.get(id) as Uint8Array;
  }

  next(): boolean {
    if (this.at === this.entries.length && !this.readBlock()) return false;
    const { term, documentFrequency, postings } = this.entries[this.at]!;
    this.at++;
    this.term = term;
    this.documentFrequency = documentFrequency;
    this.postings = typeof postings === "number" ? this.list(postings) : postings;
    this.lastDocument = lastDocument(this.postings);
    return true;
  }

  private readBlock(): boolean {
    const row = this.nextBlock(this.block);
    if (row === undefined) return false;
    this.block = row.first;
    this.entries = [];
    this.at = 0;
    visitBlock(row.data, (entry) => this.entries.push(entry) > 0);
    return true;
  }
}

function segmentInFile(file: number): SegmentBytes {
  return {
    size: fstatSync(file).size,
    read(at, length) {
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, readFully(file, bytes, at));
    },
  };
}
