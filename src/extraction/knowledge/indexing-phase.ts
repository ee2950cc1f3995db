import { PagedFloat64Column, PagedInt32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { PlausibleDateRange } from "../../mail/dates/plausible-dates.ts";
import type { EventId } from "../../mail/records/ids.ts";
import {
  FIRST_MESSAGE,
  indexOf,
  type MessageIndex,
  type MessageOrdinal,
  type ThreadOrdinal,
  type TopicOrdinal,
} from "../../mail/records/ordinal.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { NextOrdinals } from "../../store/contract/rows.ts";
import { storeExportedNames } from "../ledger/collected-display-names.ts";
import type { ChunkFiles } from "../preparing/prepare-phase.ts";
import type { TextFacts } from "../preparing/text-facts.ts";
import { affectedThreads } from "./affected-threads.ts";
import { contactOfAddress, countContacts, type NumberedContacts, textOfContact } from "./contact-phase.ts";
import { contactRows, type MessageTones } from "./contact-rows.ts";
import { type EventCounts, EventMerge } from "./event-merge.ts";
import { type KnowledgeContext, restoredOf } from "./knowledge-context.ts";
import { type ResolvedArchive, updateRestoredMessages } from "./moved-messages.ts";
import { type Placement, storeRows } from "./store-phase.ts";
import { threadRows } from "./thread-rows.ts";
import { ThreadSubjects } from "./thread-subjects.ts";
import type { TopicAssignment } from "./topic-phase.ts";

/**
 * Replaced as soon as the topics of threads are known. SQLite stores it in one byte, like most topics: rows do not grow.
 */
const UNKNOWN_TOPIC = 2 as TopicOrdinal;

/** All data for writing messages. */
interface MessageKnowledge extends Omit<ResolvedArchive, "topics"> {
  readonly chunks: readonly ChunkFiles[];
  readonly facts: TextFacts;
  /** First unused ordinals. */
  readonly next: NextOrdinals;
}

/** All data for writing the archive. */
interface ArchiveKnowledge extends MessageKnowledge, ResolvedArchive {
  readonly believed: PlausibleDateRange;
  /** Messages with another date than they have themselves. */
  readonly redated: readonly number[];
}

/** Results of storing messages. */
export interface StoredMessages {
  readonly events: EventMerge;
  readonly subjects: ThreadSubjects;
  /** New occurrences of messages. */
  readonly addedPlaces: number;
  /** Earlier messages with new occurrences. */
  readonly changed: Set<MessageOrdinal>;
}

/** Changes by this run. */
export interface StoredKnowledge extends Pick<StoredMessages, "addedPlaces"> {
  eventsOfSource(source: number): number;
  readonly calendarItems: EventCounts;
  /** Earlier events that are removed or have other attachments. */
  readonly outdatedEvents: readonly EventId[];
  /** Earlier messages with changed occurrences, people, quotes, thread or topic. */
  readonly changed: ReadonlySet<MessageOrdinal>;
}

/**
 * Writes messages as they arrive.
 * @param topics null if they are still being learned: `setTopics` follows
 */
export async function storeMessages(
  context: KnowledgeContext,
  known: MessageKnowledge,
  topics: TopicAssignment | null,
): Promise<StoredMessages> {
  const { writer, ledger, earlier } = context;
  const events = new EventMerge(earlier?.archive.events ?? [], known.next.event, context.read);
  const subjects = new ThreadSubjects(known.threads, ledger, context.memory);
  const restoredCount = restoredOf(context).thread.length;
  const changed = new Set<MessageOrdinal>();
  const rows = {
    chunks: known.chunks,
    facts: known.facts,
    firstItem: known.next.item,
    outputDirectory: context.run.output,
    placement: placementOf(known, topics),
    phase: topics === null ? ("topics" as const) : ("indexing" as const),
    onEvent: context.onEvent,
    onSubject: (message: MessageIndex, subject: string): void => subjects.offer(message, subject),
    onPlace: (message: MessageOrdinal) => {
      if (indexOf(message) < restoredCount) changed.add(message);
    },
  };
  return { events, subjects, addedPlaces: await storeRows(rows, ledger, writer, events), changed };
}

/**
 * Writes data derived from all messages, then the search index.
 * @param early the stored messages, if they have no topics yet
 */
export async function storeArchive(
  context: KnowledgeContext,
  known: ArchiveKnowledge,
  early: StoredMessages | null,
): Promise<StoredKnowledge> {
  const { writer, ledger } = context;
  const { threads, topics, chunks } = known;
  const affected = await affectedThreads(context, known);
  const isAffected = (thread: ThreadOrdinal): boolean => affected === null || affected[thread] === 1;
  const { events, subjects, addedPlaces, changed } = early ?? (await storeMessages(context, known, topics));
  const restored = restoredOf(context).subjects;
  for (let message = FIRST_MESSAGE; message < restored.length; message++)
    if (isAffected(threads.ordinalOf(message))) subjects.offer(message, restored.at(message));
  restored.clear();
  await writer.settleDates(known.believed);
  await writer.removeItems(ledger.items.superseded());
  await updateRestoredMessages(context, known, (message) => changed.add(message));
  const contactOf = (address: number): number => known.contacts.contactOf.at(address);
  const contactText = (contact: number): string => textOfContact(known.contacts, contact);
  const subjectOf = (thread: ThreadOrdinal): string => subjects.of(thread);
  const rowsOfThreads = threadRows(threads, ledger, {
    ...{ subjectOf, contactOf, contactText, isAffected },
    topicOf: (thread) => topics.topicOf(thread),
    memory: context.memory,
  });
  if (affected === null) await writer.replaceThreads(rowsOfThreads);
  else await writer.updateThreads(ordinalsOf(affected), rowsOfThreads);
  if (early !== null) await writer.setTopics();
  subjects.clear();
  await writer.replaceTopics(topics.rows);
  const merged = events.finish(context.run.output);
  await writer.replaceEvents(merged);
  await writer.addToSearch(chunks.flatMap(({ prepared }) => prepared.indexPaths));
  return {
    eventsOfSource: (source) => merged.filter((event) => event.source === source).length,
    addedPlaces,
    calendarItems: events.counts(merged),
    outdatedEvents: events.outdated,
    changed,
  };
}

function* ordinalsOf(affected: Uint8Array): Generator<ThreadOrdinal> {
  for (const [thread, isAffected] of affected.entries()) if (isAffected === 1) yield thread as ThreadOrdinal;
}

function placementOf({ threads, contacts, quotes }: MessageKnowledge, topics: TopicAssignment | null): Placement {
  return {
    threadOf: (message) => threads.ordinalOf(message),
    topicOfThread: (thread) => topics?.topicOf(thread) ?? UNKNOWN_TOPIC,
    contactOf: (address) => contactOfAddress(contacts, address),
    quotedBy: (message) => quotes.known.of(message),
  };
}

/** Contacts and their correspondence, over the whole archive. */
export async function storePeople(
  { writer, ledger, memory, options }: KnowledgeContext,
  contacts: NumberedContacts,
  facts: TextFacts,
): Promise<void> {
  const tones = await messageTones(writer, facts, memory);
  await storeExportedNames(ledger.book, writer, options.redact.length > 0);
  const people = contactRows(ledger, contacts, { figures: countContacts(ledger, contacts, memory), tones, memory });
  await writer.replaceContacts(people.rows);
  await writer.replaceEdges(people.edges);
}

/** Tone and template of every message by ordinal, stored so that a later run can recompute the weights of contacts. */
const SENTIMENT_KEY = "extraction:sentiment";
const TEMPLATES_KEY = "extraction:templates";

/**
 * Appends the values of this run to those of earlier runs, mostly stored in a file, and saves all of them for later
 * runs. The two columns are saved one at a time: each is one value of the database, fully in memory while it is
 * written.
 */
async function messageTones(writer: ArchiveWriter, facts: TextFacts, memory: PagedMemory): Promise<MessageTones> {
  const tones = new PagedFloat64Column(memory);
  for (const tone of new Float32Array(await storedBytes(writer, SENTIMENT_KEY))) tones.push(tone);
  const earlier = tones.length;
  for (const tone of facts.tones()) tones.push(Math.fround(tone));
  await writer.setMeta(SENTIMENT_KEY, bytesOf(new Float32Array(tones.length), tones));
  const templates = new PagedInt32Column(memory);
  for (const template of new Int32Array(await storedBytes(writer, TEMPLATES_KEY)).subarray(0, earlier))
    templates.push(template);
  // Archives of versions without templates lack them for their messages.
  templates.extend(earlier, 0);
  for (const template of facts.templateKeys()) templates.push(template);
  await writer.setMeta(TEMPLATES_KEY, bytesOf(new Int32Array(templates.length), templates));
  return { tones, templates };
}

async function storedBytes(writer: ArchiveWriter, key: string): Promise<ArrayBuffer> {
  const stored = await writer.getMeta(key);
  return stored instanceof Uint8Array ? new Uint8Array(stored).buffer : new ArrayBuffer(0);
}

function bytesOf(
  values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>,
  column: PagedFloat64Column | PagedInt32Column,
): Uint8Array {
  for (let at = 0; at < values.length; at++) values[at] = column.at(at);
  return new Uint8Array(values.buffer);
}
