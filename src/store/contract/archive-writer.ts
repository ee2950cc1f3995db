import type { PlausibleDateRange } from "../../mail/dates/plausible-dates.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import type { ArchivedItem } from "../../mail/records/item.ts";
import type { ThreadOrdinal } from "../../mail/records/ordinal.ts";
import type { RunRecord, SourceRecord, Warning } from "../../mail/records/provenance.ts";
import type {
  ArchiveRecord,
  ContactAddresses,
  ContactRow,
  CopyRow,
  EdgeRow,
  MessageContactsRow,
  MessagePlacement,
  MessageQuotesRow,
  MessageRow,
  MessageThreadRow,
  NextOrdinals,
  RestoredMessage,
  StoredCopy,
  StoredLocation,
  ThreadRow,
  TopicRow,
} from "./rows.ts";

/**
 * Maximum warnings stored over all runs; a completely damaged source must not make provenance larger than the archive.
 */
export const WARNINGS_KEPT = 10_000;

/** Maximum ordinal of a message, which leaves room for the roles of a contact in 32 bits. */
export const MAX_MESSAGE_ORDINAL = 2 ** 28 - 1;

/** Maximum bytes of one value in a default SQLite build; PostgreSQL allows slightly more. */
export const MAX_VALUE_BYTES = 1_000_000_000;
/** Maximum messages of an archive: the dates of all messages are one value of 8 bytes each, including ordinal 0. */
export const MAX_MESSAGES = MAX_VALUE_BYTES / Float64Array.BYTES_PER_ELEMENT - 1;

/** Maximum ordinal of a contact and number of contacts: a pair of contacts must fit into a number below 2^53. */
export const MAX_CONTACTS = 2 ** 26 - 1;

/** Rejection of `addMessages` and the like if two rows have the same ordinal. */
export class RepeatedOrdinal extends Error {}

/**
 * Fills one archive, all or nothing: readers see nothing before `finish`, and `publishArchive` moves it into place.
 * Await each call before the next. The rows of an iterable are consumed in order, each before the next is requested,
 * so they may share a buffer. `replace…` replaces all existing rows. Any error leaves the archive unusable: call
 * `abort`. Throws ArchiveErrors DISK_FULL and OUTPUT_UNWRITABLE, RepeatedOrdinal for faults of the caller, and errors
 * of the iterables.
 */
export interface ArchiveWriter {
  /** Messages with all their own data. Ordinals are new, and preferably ascending. */
  addMessages(rows: Iterable<MessageRow>): Promise<void>;
  /** Adds occurrences of stored messages; known ones change nothing. Returns the number of new ones. */
  addCopies(rows: readonly CopyRow[]): Promise<number>;
  /** New thread and topic of stored messages. */
  setMessageThreads(rows: Iterable<MessageThreadRow>): Promise<void>;
  /** Gives every message the topic of its thread, which must be stored. */
  setTopics(): Promise<void>;
  /** Replaces the quotes of stored messages. */
  setMessageQuotes(rows: Iterable<MessageQuotesRow>): Promise<void>;
  /** New author and recipients, as contacts, of stored messages. */
  setMessageContacts(rows: Iterable<MessageContactsRow>): Promise<void>;
  addEvents(events: Iterable<CalendarEvent>): Promise<void>;
  replaceEvents(events: Iterable<CalendarEvent>): Promise<void>;
  addItems(items: Iterable<ArchivedItem>): Promise<void>;
  /** Removes stored items; their ordinals are never used again. */
  removeItems(ordinals: Iterable<number>): Promise<void>;
  replaceThreads(rows: Iterable<ThreadRow>): Promise<void>;
  /** Removes some threads, stored or not, then adds rows. */
  updateThreads(removed: Iterable<ThreadOrdinal>, rows: Iterable<ThreadRow>): Promise<void>;
  /** Contacts with their addresses and the evidence of each. */
  replaceContacts(rows: Iterable<ContactRow>): Promise<void>;
  replaceEdges(rows: Iterable<EdgeRow>): Promise<void>;
  replaceTopics(rows: Iterable<TopicRow>): Promise<void>;
  replaceSources(sources: readonly SourceRecord[]): Promise<void>;
  /**
   * Keeps the first {@link WARNINGS_KEPT} over all runs and counts the rest. @param further number of further warnings
   * that are only counted
   */
  addWarnings(warnings: readonly Warning[], further: number): Promise<void>;
  /** Removes the warnings of these sources, which are read again. */
  removeWarnings(sources: readonly number[]): Promise<void>;
  addRun(run: RunRecord): Promise<void>;
  /** Sets the record for provenance.json; required before `finish` of a new archive. */
  setRecord(record: ArchiveRecord): Promise<void>;
  /** Values of the pipeline for a later run, by key; a later value replaces an earlier one. */
  setMeta(key: string, value: string | Uint8Array): Promise<void>;
  getMeta(key: string): Promise<string | Uint8Array | null>;
  /** Every stored message without body, in id order, a batch at a time. Nothing may be written while it runs. */
  messageSkeletons(): AsyncIterable<readonly RestoredMessage[]>;
  /** Thread, topic, quotes, source and subject of every stored message, like `messageSkeletons`. */
  placements(): AsyncIterable<readonly MessagePlacement[]>;
  /** All further occurrences that differ from their message, by message and then by occurrence. */
  copies(): AsyncIterable<readonly StoredCopy[]>;
  /** Those with other people, and maybe some of the others. */
  copiesWithOtherPeople(): AsyncIterable<readonly StoredCopy[]>;
  /** All stored contacts, in id order. */
  contactAddresses(): AsyncIterable<readonly ContactAddresses[]>;
  /** All occurrences in a source, in no order. */
  places(source: number): AsyncIterable<readonly StoredLocation[]>;
  /**
   * Number of kept records by source number: messages first found there, events that show one of its calendar items,
   * and items.
   */
  keptRecords(): Promise<ReadonlyMap<number, number>>;
  nextOrdinals(): Promise<NextOrdinals>;
  /**
   * Sorts messages by plausible dates; call once, after all are added. Until then, an extended archive has its dates as
   * written.
   */
  settleDates(believed: PlausibleDateRange): Promise<void>;
  /**
   * Adds the messages of one run to the search index. Call it once a run, after they and their threads, topics and
   * contacts were added, also when there are no new messages. The index does not depend on how the segments were cut.
   *
   * @param paths segment files of IndexBuilder in ascending order of their messages, which follow those already indexed
   * @throws ArchiveError INTERNAL_ERROR for a file that is no segment
   */
  addToSearch(paths: readonly string[]): Promise<void>;
  /**
   * Builds the index for all stored messages, if they were not indexed while added, such as those of a document.
   * @throws ArchiveError DOCUMENT_INVALID if the ids leave more gaps than an index allows
   */
  makeSearch(): Promise<void>;
  /** Writes counters and indexes. On return, everything survives a power failure and is readable. */
  finish(): Promise<void>;
  /** Discards everything. */
  abort(): Promise<void>;
}
