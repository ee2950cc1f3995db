import { closeSync, fstatSync, openSync } from "node:fs";
import type { PagedMemory } from "../../../columns/paged-memory.ts";
import { readFully } from "../../../files/read-fully.ts";
import { mergeSegments } from "../../../search/indexing/merge-segments.ts";
import { lastDocument } from "../../../search/indexing/posting-codec.ts";
import {
  type SegmentBytes,
  SegmentCursor,
  segmentDocuments,
  type TermCursor,
  windowBytes,
} from "../../../search/indexing/segment.ts";
import { type IndexSink, type TermEntry, visitBlock } from "../../../search/indexing/term-block.ts";
import { repeatsColumn } from "../../../search/ranking/repeated-texts.ts";
import { inShards, SHARD_DOCUMENTS } from "../../../search/shards.ts";
import { inferLanguages } from "../../../text/language/inferred-language.ts";
import { META } from "../../contract/archive-meta.ts";
import type { RowOf } from "../../tables/column.ts";
import { DEAD_DOCUMENTS, DOCUMENT_COLUMNS, SEGMENTS } from "../../tables/search-tables.ts";
import { encodeRow, insertSql, upsertSql } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { metaTable } from "../database/meta-table.ts";
import {
  createNewTermTables,
  createSearchTables,
  NEW_TERM_TABLES,
  replaceTermTables,
  TERM_TABLES,
  type TermTables,
} from "../database/search-schema.ts";
import { furtherPlaces } from "../reading/mailbox-columns.ts";
import { writeCopyTerms } from "./copy-terms.ts";
import { collectMentions } from "./mention-columns.ts";
import { collectFacts } from "./message-facts.ts";

/** Maximum share of all postings in segments of later runs: each segment costs every query term one more lookup. */
const MAX_DELTA_SHARE = 0.2;
/** Maximum segments of later runs, however small, before they are merged. */
const MAX_DELTA_SEGMENTS = 16;

/**
 * Adds the messages of one run to the index in a new segment, or in one per shard if there are many. If later runs
 * have added more than a fifth of the postings of the last shard, merges its segments. Reads the tables of messages,
 * threads, topics and contacts. Throws like `addToSearch`.
 */
export function writeSearchIndex(database: SqliteDatabase, paths: readonly string[], memory: PagedMemory): void {
  createSearchTables(database);
  addSearchSegments(
    database,
    paths.map((path) => new SegmentFile(path)),
  );
  writeSearchColumns(database, memory);
}

/** Maximum messages per range of an archive's index. */
export function rangeMessages(database: SqliteDatabase): number {
  return Number(metaTable(database).get(META.rangeMessages) ?? SHARD_DOCUMENTS);
}

/** Messages that must no longer be found, by ordinal. */
export function removeFromSearch(database: SqliteDatabase, ordinals: Iterable<number>): void {
  createSearchTables(database);
  const remove = database.prepare(upsertSql(DEAD_DOCUMENTS, ["document"], []));
  for (const ordinal of ordinals) remove.run(ordinal);
}

/**
 * Adds segments whose messages follow the indexed ones, and merges stored ones if there are many. No stored segment
 * has more messages than a shard, so a large archive can be searched in parts.
 */
export function addSearchSegments(
  database: SqliteDatabase,
  segments: readonly SegmentBytes[],
  shardDocuments = rangeMessages(database),
): void {
  if (segments.length === 0) return;
  for (const range of inShards(segments, segmentDocuments, shardDocuments)) storeSegment(database, range);
  const ranges = inShards(storedSegments(database), ({ documents }) => documents, shardDocuments);
  if (isMergeDue(ranges.at(-1)!)) mergeStoredSegments(database, ranges);
}

function storeSegment(database: SqliteDatabase, segments: readonly SegmentBytes[]): void {
  try {
    mergeFresh(database, segments);
  } finally {
    for (const segment of segments) segment.close();
  }
}

function mergeFresh(database: SqliteDatabase, segments: readonly SegmentBytes[]): void {
  const cursors = segments.map((segment) => new SegmentCursor(segment, windowBytes(segments.length)));
  const seg = database.prepare("SELECT coalesce(max(seg) + 1, 0) FROM ix_doc").pluck().get() as number;
  const lengths = concatLengths(cursors.map((cursor) => cursor.head.lengths));
  const postings = cursors.reduce((sum, { head }) => sum + head.postingCount, 0);
  mergeSegments(cursors, tableSink(database, seg, TERM_TABLES));
  addSegment(database, { segment: seg, firstDocument: cursors[0]!.head.firstDocument, postings, lengths });
}

function addSegment(database: SqliteDatabase, segment: RowOf<(typeof SEGMENTS)["columns"]>): void {
  database.prepare(insertSql(SEGMENTS)).run(...encodeRow(SEGMENTS, segment));
}

/** Columns of an ix_doc row other than the lengths. */
interface StoredDocuments {
  readonly seg: number;
  readonly first: number;
  readonly postings: number;
  readonly documents: number;
}

/** Bytes of the length of a message. */
const LENGTH_BYTES = 4;

function storedSegments(database: SqliteDatabase): readonly StoredDocuments[] {
  return database
    .prepare(`SELECT seg, first, postings, length(lengths) / ${LENGTH_BYTES} AS documents FROM ix_doc ORDER BY seg`)
    .all() as StoredDocuments[];
}

/**
 * Stores author, date, topic, locations and facts of every message by ordinal, for filters and ties, then repeated
 * texts, inferred languages and terms of duplicates. One at a time, because each value is in memory twice while it is
 * written.
 */
export function writeSearchColumns(database: SqliteDatabase, memory: PagedMemory): void {
  const count = (database.prepare("SELECT coalesce(max(id), 0) FROM messages").pluck().get() as number) + 1;
  const upsert = database.prepare(upsertSql(DOCUMENT_COLUMNS, ["name"], ["data"]));
  const write = (name: string, { buffer, byteOffset, byteLength }: Uint8Array | Uint32Array | Int32Array): void =>
    void upsert.run(name, new Uint8Array(buffer, byteOffset, byteLength));
  const facts = collectFacts(database, count, memory);
  const { authors, mailboxes, textKeys } = facts;
  for (const [name, column] of Object.entries({ authors, mailboxes })) write(name, column.slice());
  write("furtherPlaces", furtherPlaces(database));
  write("repeats", repeatsColumn(textKeys));
  const hasText = Uint8Array.from(textKeys, (key) => (Number.isNaN(key) ? 0 : 1));
  write("inferredLanguages", inferLanguages({ detected: facts.languages, hasText, senders: authors, mailboxes }));
  for (const [name, data] of facts.columns()) write(name, data);
  if (facts.haveMentions) for (const [name, data] of collectMentions(database, count, memory)) write(name, data);
  writeCopyTerms(database);
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

/** Earlier shards are full and never grow. */
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
  const lengthsOf = database.prepare("SELECT lengths FROM ix_doc WHERE seg = ?").pluck();
  const joined = ranges.map((range) => Buffer.concat(range.map(({ seg }) => lengthsOf.get(seg) as Uint8Array)));
  database.exec("DELETE FROM ix_doc");
  for (const [segment, range] of ranges.entries()) {
    const lengths = joined[segment]!;
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
 * Iterates over the terms of a stored segment by block. Rows are fetched one by one, because no other statement may
 * run during an iteration.
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

/** A segment in a file that is opened on first read. */
class SegmentFile implements SegmentBytes {
  private descriptor: number | null = null;
  /** Overwritten by each read. */
  private bytes = Buffer.alloc(0);

  constructor(private readonly path: string) {}

  get size(): number {
    return fstatSync(this.opened()).size;
  }

  read(at: number, length: number): Uint8Array {
    if (this.bytes.length < length) this.bytes = Buffer.allocUnsafeSlow(length);
    return this.bytes.subarray(0, readFully(this.opened(), this.bytes.subarray(0, length), at));
  }

  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor);
    this.descriptor = null;
    this.bytes = Buffer.alloc(0);
  }

  private opened(): number {
    this.descriptor ??= openSync(this.path, "r");
    return this.descriptor;
  }
}
