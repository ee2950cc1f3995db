import { join } from "node:path";
import { NumberedTexts } from "../../columns/numbered-texts.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { SettledCorrections } from "../../contacts/corrections/correction.ts";
import { parsePersonName } from "../../contacts/names/person-name.ts";
import type { ResolvedContact } from "../../contacts/resolved-contact.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { OTHER_TOPIC, ordinalOf } from "../../mail/records/ids.ts";
import {
  FIRST_MESSAGE,
  indexOf,
  type MarkedColumn,
  type MessageIndex,
  type ThreadOrdinal,
  type TopicOrdinal,
} from "../../mail/records/ordinal.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { TopicRow } from "../../store/contract/rows.ts";
import { correctTopics, type TopicCorrection } from "../../topics/topic-corrections.ts";
import { describeTopic, OTHER_TOPIC_NAME } from "../../topics/topic-description.ts";
import { assignThreads, decodeTopicModel, encodeTopicModel, type TopicModel } from "../../topics/topic-model.ts";
import type { LearntTopics } from "../../topics/train-topics.ts";
import type { EarlierArchive, RestoredMessages } from "../earlier/earlier-archive.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import { learnTopics, pooledTerms } from "../preparing/learn-topics.ts";
import type { ChunkFiles } from "../preparing/prepare-phase.ts";
import { packTexts } from "../staging/packed-texts.ts";
import { PartitionFiles } from "../staging/partition-files.ts";
import type { LearnTask } from "../staging/task.ts";
import type { TaskRunner } from "../workers/worker-pool.ts";
import type { NumberedContacts } from "./contact-phase.ts";
import type { NumberedThreads } from "./thread-rows.ts";
import { type CountedTopic, countTopics } from "./topic-figures.ts";

/** The trained model in the store: later runs assign new threads by it and move no old one. */
const MODEL_KEY = "extraction:topic-model";
/** Topics and thread assignments before corrections, which corrections are applied to. */
const FOUND_KEY = "extraction:found-topics";
const FOUND_OF_THREADS_KEY = "extraction:found-topic-of-threads";

interface TopicRequest {
  readonly chunks: readonly ChunkFiles[];
  /** Directory of the words of threads between two passes. */
  readonly stagingDirectory: string;
  readonly memory: PagedMemory;
  readonly threads: NumberedThreads;
  readonly contacts: NumberedContacts;
  readonly ledger: Ledger;
  readonly earlier: { readonly archive: EarlierArchive; readonly messages: RestoredMessages } | null;
  readonly corrections: readonly TopicCorrection[];
  readonly people: SettledCorrections;
  /** First unused topic ordinal. */
  readonly nextTopic: number;
  readonly createdAt: Instant;
}

/** The topic of every thread, by ordinal, and the rows of the topics. */
export interface TopicAssignment {
  topicOf(thread: ThreadOrdinal): TopicOrdinal;
  readonly rows: readonly TopicRow[];
}

/** A topic before its messages are counted. */
interface NamedTopic {
  readonly ordinal: TopicOrdinal;
  readonly name: string;
  readonly keywords: readonly string[];
  readonly mentionPercent: number | null;
  readonly createdAt: Instant;
}

/**
 * Assigns a topic to every thread: by training in the first run, by the frozen model later.
 * @param storeOthers stores data that needs no topics, while another thread trains
 */
export async function findTopics(
  request: TopicRequest,
  { writer, runner }: { readonly writer: ArchiveWriter; readonly runner: TaskRunner },
  storeOthers: () => Promise<void>,
): Promise<TopicAssignment> {
  const { earlier, createdAt } = request;
  const stored = await writer.getMeta(MODEL_KEY);
  const name = OTHER_TOPIC_NAME;
  const other: NamedTopic = { ordinal: OTHER_TOPIC, name, keywords: [], mentionPercent: null, createdAt };
  if (earlier === null || !(stored instanceof Uint8Array)) {
    const learning = learn(request, runner);
    // Thrown when awaited.
    learning.catch(() => undefined);
    await storeOthers();
    const learnt = await learning;
    await writer.setMeta(MODEL_KEY, encodeTopicModel(learnt.model));
    const named = learnt.topics.map(({ ordinal, name, keywords, mentionPercent }) => ({
      ordinal: ordinal as TopicOrdinal,
      name,
      keywords,
      mentionPercent,
      createdAt,
    }));
    return corrected(request, { topicOfThread: learnt.topicOfThread, topics: [other, ...named] }, writer);
  }
  await storeOthers();
  const topicOfThread = assignedBy(request, decodeTopicModel(new Uint8Array(stored)));
  return corrected(
    request,
    assigned(request, topicOfThread, { earlier, other, ...(await foundBefore(writer)) }),
    writer,
  );
}

/** Messages up to which this thread trains: starting another one takes about as long. */
const FEW_MESSAGES = 4_096;

/** Trains in another thread; those that prepared texts end. The result does not depend on the thread. */
async function learn(request: TopicRequest, runner: TaskRunner): Promise<LearntTopics> {
  const task: LearnTask = {
    kind: "learn",
    ...termsOf(request),
    names: packTexts(namesOf(request)),
    firstOrdinal: Math.max(1, request.nextTopic),
    base: baseOf(request),
  };
  if (task.threadOf.length <= FEW_MESSAGES) return learnTopics(task);
  await runner.close();
  try {
    for await (const { result } of runner.inOrder([{ task, about: null }])) return result;
  } finally {
    await runner.close();
  }
  throw new Error("the runner returned no topics");
}

function assignedBy(request: TopicRequest, model: TopicModel): Int32Array {
  const words = new PartitionFiles(`${baseOf(request)}-words`);
  try {
    return assignThreads(model, pooledTerms(termsOf(request)), words);
  } finally {
    words.remove();
  }
}

function baseOf({ stagingDirectory }: TopicRequest): string {
  return join(stagingDirectory, "topic");
}

/**
 * The topics of an earlier run. An old thread keeps its topic even when new mail joins it; a thread that was split off
 * has the same topic.
 */
function assigned(
  request: TopicRequest,
  topicOfThread: Int32Array,
  { earlier, other, known, knownOfThread }: EarlierTopics,
): AssignedTopics {
  /** 1 for each thread that kept its number. */
  const isKept = new Uint8Array(topicOfThread.length);
  for (let message = FIRST_MESSAGE; message < earlier.messages.thread.length; message++) {
    const before = earlier.messages.thread.at(message) as ThreadOrdinal;
    const now = request.threads.ordinalOf(message);
    if (now !== before && isKept[indexOf(now)] === 1) continue;
    topicOfThread[indexOf(now)] = knownOfThread?.[indexOf(before)] ?? earlier.messages.topic.at(message);
    if (now === before) isKept[indexOf(now)] = 1;
  }
  const named =
    known ??
    earlier.archive.topics.map((topic) => ({
      ordinal: ordinalOf("topic", topic.id)!,
      name: topic.name,
      keywords: topic.topKeywords,
      mentionPercent: topic.mentionPercent,
      createdAt: topic.createdAt,
    }));
  const topics = named.some(({ ordinal }) => ordinal === OTHER_TOPIC) ? named : [other, ...named];
  return { topicOfThread, topics };
}

/** The topic of every thread, by index, and all topics. */
interface AssignedTopics {
  readonly topicOfThread: Int32Array;
  readonly topics: readonly NamedTopic[];
}

/** Topics of earlier runs: as published, and without corrections if there are any. */
interface EarlierTopics extends KnownTopics {
  readonly earlier: NonNullable<TopicRequest["earlier"]>;
  readonly other: NamedTopic;
}

interface KnownTopics {
  readonly known: readonly NamedTopic[] | null;
  readonly knownOfThread: Int32Array | null;
}

async function foundBefore(writer: ArchiveWriter): Promise<KnownTopics> {
  const [topics, threads] = [await writer.getMeta(FOUND_KEY), await writer.getMeta(FOUND_OF_THREADS_KEY)];
  if (typeof topics !== "string" || !(threads instanceof Uint8Array)) return { known: null, knownOfThread: null };
  return { known: JSON.parse(topics) as NamedTopic[], knownOfThread: new Int32Array(new Uint8Array(threads).buffer) };
}

/** Applies corrections of topics. The original topics are kept, so that corrections can be undone. */
async function corrected(
  request: TopicRequest,
  found: AssignedTopics,
  writer: ArchiveWriter,
): Promise<TopicAssignment> {
  const { corrections } = request;
  if (corrections.length > 0 || (await writer.getMeta(FOUND_KEY)) !== null) {
    await writer.setMeta(FOUND_KEY, JSON.stringify(found.topics));
    await writer.setMeta(FOUND_OF_THREADS_KEY, new Uint8Array(found.topicOfThread.slice().buffer));
  }
  const { shownAs, nameOf } = correctTopics(found.topics, corrections, OTHER_TOPIC);
  const topics = found.topics.flatMap((topic) =>
    shownAs(topic.ordinal) === topic.ordinal ? { ...topic, name: nameOf(topic.ordinal) } : [],
  );
  const topicOfThread = found.topicOfThread.map(shownAs) as MarkedColumn<TopicOrdinal>;
  return described(request, topicOfThread, topics);
}

/** The terms of the messages of this run, in the files of the chunks, with the indexes of their threads. */
function termsOf({ chunks, threads, earlier }: TopicRequest): Pick<LearnTask, "termsPaths" | "threadOf" | "threads"> {
  const first = earlier?.messages.thread.length ?? 0;
  const threadOf = new Int32Array(threads.ordinals.length - first);
  for (let at = 0; at < threadOf.length; at++) threadOf[at] = indexOf(threads.ordinalOf((first + at) as MessageIndex));
  return { termsPaths: chunks.map(({ prepared }) => prepared.termsPath), threadOf, threads: threads.last };
}

/**
 * Names of people and domains are not topics; names of lists and functions are: "Outage Report", "Benefits". People
 * that the user has corrected count by the names in their mail, so that topics do not depend on the corrections.
 */
function* namesOf({ contacts, ledger, people, memory }: TopicRequest): Generator<string> {
  const corrected = new Set<number>();
  for (const key of [...people.groups.flat(), ...people.names.map(({ main }) => main)]) {
    const address = ledger.book.indexOf(key);
    if (address !== undefined) corrected.add(contacts.contactOf.at(address));
  }
  const names = new NumberedTexts(memory);
  let index = 0;
  for (const contact of contacts.contacts) {
    const own = corrected.has(index) ? writtenNames(contacts.addressesOf(index), ledger) : [contact.name];
    for (const text of [...own.filter((name) => isPersonal({ ...contact, name })), ...contact.domains]) {
      const { size } = names;
      if (names.numberOf(text) === size) yield text;
    }
    index++;
  }
  names.clear();
}

/** The most frequent name of each address. */
function writtenNames(addresses: readonly number[], { book }: Ledger): readonly string[] {
  return addresses.flatMap((address) => {
    const [most] = [...book.namesOf(address)].sort((a, b) => b.count - a.count);
    return most === undefined ? [] : [most.text];
  });
}

/** True if a contact has a name like a person: a full name, or a single word. */
function isPersonal({ name, isRole, isRobot }: Pick<ResolvedContact, "name" | "isRole" | "isRobot">): boolean {
  return !isRole && !isRobot && (!name.includes(" ") || parsePersonName(name) !== null);
}

const NO_FIGURES: CountedTopic = { messages: 0, earliest: null, latest: null, busiest: [] };

function described(
  request: TopicRequest,
  topicOfThread: MarkedColumn<TopicOrdinal>,
  topics: readonly NamedTopic[],
): TopicAssignment {
  const figures = countTopics(request, topicOfThread);
  const rows = topics.map(({ ordinal, name, keywords, mentionPercent, createdAt }): TopicRow => {
    const { messages, earliest, latest, busiest } = figures.get(ordinal) ?? NO_FIGURES;
    const { contacts } = request.contacts;
    const people = busiest.map((contact) => contacts.nameOf(contact) || contacts.emailOf(contact));
    const description = describeTopic({ messages, earliest, latest, people, keywords });
    return { ordinal, name, description, messageCount: messages, topKeywords: keywords, mentionPercent, createdAt };
  });
  return { topicOf: (thread) => topicOfThread[indexOf(thread)] ?? OTHER_TOPIC, rows };
}
