import { rmSync } from "node:fs";
import { join } from "node:path";
import { TextColumn } from "../../columns/text-column.ts";
import { PII_TYPES, type Warning } from "../../mail/provenance.ts";
import type { ArchiveWriter } from "../../store/archive-writer.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type FilledChunk, prepareSegments } from "../preparing/prepare-phase.ts";
import { addRedactions, noRedactions, type RedactionCounts } from "../preparing/redact-record.ts";
import type { RunDirectory } from "../publishing/run-directory.ts";
import type { ParsedSources } from "../reading/parsing-phase.ts";
import type { EarlierArchive, RestoredMessages } from "../run/earlier-archive.ts";
import type { EventListener, Phase } from "../run/extraction-event.ts";
import type { ExtractionRequest } from "../run/run-extraction.ts";
import type { TaskRunner } from "../workers/worker-pool.ts";
import { countContacts, type NumberedContacts, numberContacts } from "./contact-phase.ts";
import { contactRows, type SentimentColumn } from "./contact-rows.ts";
import { EventMerge } from "./event-merge.ts";
import { storeExportedNames } from "./exported-names.ts";
import { findQuotations } from "./quotation-phase.ts";
import { storeRows } from "./store-phase.ts";
import { type NumberedThreads, numberThreads, threadMembers, threadRows } from "./thread-rows.ts";
import { type FoundTopics, findTopics } from "./topic-phase.ts";

/** What the phases after parsing work with. */
export interface KnowledgeContext {
  readonly request: ExtractionRequest;
  readonly run: RunDirectory;
  readonly runner: TaskRunner;
  readonly writer: ArchiveWriter;
  readonly earlier: { readonly archive: EarlierArchive; readonly messages: RestoredMessages } | null;
  warn(warning: Warning): void;
}

export interface Knowledge {
  readonly redactions: Readonly<RedactionCounts>;
  eventsOfSource(source: number): number;
  /** Places of messages, and calendar items, that no earlier run had. */
  readonly addedPlaces: number;
  readonly addedAppointments: number;
}

/** Everything between the first pass and the finished store: threads, contacts, redaction, topics, rows and index. */
export async function buildKnowledge(context: KnowledgeContext, ledger: Ledger, parsed: ParsedSources): Promise<Knowledge> {
  const { request, run, writer, earlier } = context;
  const { onEvent, options } = request;
  const next = await writer.nextOrdinals();
  const restored = earlier?.messages ?? { thread: new Int32Array(0), topic: new Int32Array(0), subjects: [] };

  // The workers' part of parsing is done. What they hold would wait through two phases of this thread, and the second pass needs other code.
  await context.runner.close();
  await phase(onEvent, "threading", ledger.messageCount, () => ledger.joinReferences());
  const contacts = await phase(onEvent, "contact_resolution", ledger.messageCount, () =>
    numberContacts(ledger, {
      merge: options.mergeContacts,
      earlier: earlier?.archive.contactOfAddress ?? new Map(),
      next: next.contact,
      path: join(run.staging, "contacts"),
    }),
  );

  const firstOrdinal = restored.thread.length + 1;
  onEvent({ kind: "phase", phase: "redaction", state: "started" });
  const chunks = await prepareSegments(
    parsed.segments,
    { stagingDirectory: run.staging, firstOrdinal, redact: options.redact, onEvent },
    context.runner,
  );
  // The workers have done their part; what they hold is better used by the store.
  await context.runner.close();
  const redactions = auditRedactions(context, chunks);
  for (const chunk of chunks) tellUnread(context, chunk);
  onEvent({ kind: "phase", phase: "redaction", state: "completed", done: ledger.messageCount, skipped: options.redact.length === 0 });

  request.signal.throwIfAborted();
  // The rest of threading: people are known by now, and texts are read.
  const quotations = await findQuotations(ledger, contacts, { writer, added: chunks.map(({ prepared }) => prepared.quotations) });
  const threads = numberThreads(ledger.joinThreads({ contactOf: contacts.contactOf, quotations }), restored.thread, next.thread);
  const believed = ledger.settleDates(request.startedAt);

  const topics = await phase(onEvent, "topics", threads.last, () =>
    findTopics(
      { chunks, stagingDirectory: run.staging, threads, contacts, ledger, earlier, nextTopic: next.topic, createdAt: request.startedAt },
      writer,
    ),
  );

  for (const { prepared } of chunks) rmSync(prepared.termsPath);

  request.signal.throwIfAborted();
  onEvent({ kind: "phase", phase: "indexing", state: "started" });
  const events = new EventMerge(earlier?.archive.events ?? [], next.event);
  const rows = { chunks, firstItem: next.item, outputDirectory: run.output, onEvent };
  const subjects = new ThreadSubjects(threads, ledger, restored.subjects);
  const placement = {
    threadOf: (message: number) => threads.ordinalOf[message] as number,
    topicOfThread: (thread: number) => topics.topicOf(thread),
    contactOf: (address: number) => contactOfAddress(contacts, address),
  };
  const addedPlaces = await storeRows(
    { ...rows, placement, onSubject: (message, subject) => subjects.offer(message, subject) },
    ledger,
    writer,
    events,
  );
  await writer.settleDates(believed);
  await writer.removeItems(ledger.items.superseded());
  await moveRestored(context, ledger, { threads, contacts, topics, restored });
  const participantText = (address: number): string => mainAddress(contacts, address);
  await writer.replaceThreads(
    threadRows(threads, ledger, { subjectOf: (message) => subjects.of(message), participantText, topicOf: placement.topicOfThread }),
  );
  subjects.clear();
  const sentiment = await sentimentColumn(writer, chunks);
  await storeExportedNames(ledger.book, writer);
  const people = contactRows(ledger, contacts, countContacts(ledger, contacts), sentiment);
  await writer.replaceContacts(people.rows);
  await writer.replaceEdges(people.edges);
  await writer.replaceTopics(topics.rows);
  const merged = events.finish();
  await writer.replaceEvents(merged);
  await writer.addToSearch(chunks.flatMap(({ prepared }) => prepared.indexPaths));
  onEvent({ kind: "phase", phase: "indexing", state: "completed", done: ledger.messageCount, skipped: false });
  return {
    redactions,
    eventsOfSource: (source) => merged.filter((event) => event.source === source).length,
    addedPlaces,
    addedAppointments: events.addedAppointments,
  };
}

/** Runs a phase that has no inner steps. */
async function phase<T>(onEvent: EventListener, name: Phase, done: number, work: () => T | Promise<T>): Promise<T> {
  onEvent({ kind: "phase", phase: name, state: "started" });
  const result = await work();
  onEvent({ kind: "phase", phase: name, state: "completed", done, skipped: false });
  return result;
}

function contactOfAddress(contacts: NumberedContacts, address: number): number {
  return contacts.ordinalOf[contacts.contactOf[address] as number] as number;
}

function mainAddress(contacts: NumberedContacts, address: number): string {
  const contact = contacts.contactOf[address] as number;
  return contacts.contacts.emailOf(contact) || contacts.contacts.nameOf(contact);
}

/** Sums what was redacted, and records it message by message in provenance. */
function auditRedactions(context: KnowledgeContext, chunks: readonly FilledChunk[]): RedactionCounts {
  const sum = { ...noRedactions(), ...context.earlier?.archive.provenance.redactions };
  for (const { prepared } of chunks) {
    addRedactions(sum, prepared.redactions);
    for (const { location, counts } of prepared.redacted) {
      const parts = PII_TYPES.filter((type) => counts[type] > 0).map((type) => `${counts[type]} ${type}`);
      context.warn({ code: "redacted", message: `${parts.join(", ")} redacted`, source: null, location, sha256: null });
    }
  }
  return sum;
}

/** Records that stopped the workers of the second pass: they are kept, and nobody will find them by their words. */
function tellUnread({ request, warn }: KnowledgeContext, { segments, prepared }: FilledChunk): void {
  const loss =
    request.options.redact.length === 0 ? "it is kept, but not found by its words" : "it is kept without its text, which was not redacted";
  for (const { segment, location, sha256 } of prepared.unread) {
    const message = `its text stopped whatever read it: ${loss}`;
    warn({ code: "text-not-read", message, source: (segments[segment] as (typeof segments)[number]).source, location, sha256 });
  }
}

/** Tone of every message by ordinal; kept in the store, so that a later run can weigh contacts anew. */
const SENTIMENT_KEY = "extraction:sentiment";

async function sentimentColumn(writer: ArchiveWriter, chunks: readonly FilledChunk[]): Promise<SentimentColumn> {
  const stored = await writer.getMeta(SENTIMENT_KEY);
  const earlier = stored instanceof Uint8Array ? new Float32Array(new Uint8Array(stored).buffer) : new Float32Array(0);
  const total = chunks.reduce((sum, { prepared }) => sum + prepared.sentiment.length, earlier.length);
  const column = new Float32Array(total);
  column.set(earlier);
  let at = earlier.length;
  for (const { prepared } of chunks) {
    column.set(prepared.sentiment, at);
    at += prepared.sentiment.length;
  }
  await writer.setMeta(SENTIMENT_KEY, new Uint8Array(column.buffer));
  return column;
}

const NOT_OLDEST = 0;
const NOT_MET = -1;

/** The subject of the oldest message of each thread, caught while rows pass by. */
class ThreadSubjects {
  /** By message: the number of its subject, from 1. */
  private readonly places: Int32Array;
  private readonly subjects = new TextColumn();

  constructor(threads: NumberedThreads, ledger: Ledger, restored: readonly string[]) {
    this.places = new Int32Array(ledger.messageCount).fill(NOT_OLDEST);
    const { starts, members } = threadMembers(threads, ledger);
    for (let thread = 1; thread <= threads.last; thread += 1) {
      const first = starts[thread] as number;
      if (first < (starts[thread + 1] as number)) this.places[members[first] as number] = NOT_MET;
    }
    for (const [message, subject] of restored.entries()) this.offer(message, subject);
  }

  offer(message: number, subject: string): void {
    if (this.places[message] !== NOT_MET) return;
    this.subjects.push(subject);
    this.places[message] = this.subjects.length;
  }

  of(message: number): string {
    const place = this.places[message] as number;
    return place > 0 ? this.subjects.at(place - 1) : "";
  }

  /** No subject is asked for any more. */
  clear(): void {
    this.subjects.clear();
  }
}

/** Stored messages whose thread, topic or contacts the new mail changed. */
async function moveRestored(
  context: KnowledgeContext,
  ledger: Ledger,
  now: {
    readonly threads: NumberedThreads;
    readonly contacts: NumberedContacts;
    readonly topics: FoundTopics;
    readonly restored: RestoredMessages;
  },
): Promise<void> {
  if (context.earlier === null) return;
  const { threads, contacts, topics, restored } = now;
  const moved = [];
  for (const [message, before] of restored.thread.entries()) {
    const thread = threads.ordinalOf[message] as number;
    const topic = topics.topicOf(thread);
    if (thread !== before || topic !== restored.topic[message]) moved.push({ message: message + 1, thread, topic });
  }
  await context.writer.setMessageThreads(moved);
  const { contactOfAddress: known } = context.earlier.archive;
  const changed = new Uint8Array(ledger.book.size);
  for (let address = 0; address < changed.length; address += 1) {
    const before = known.get(ledger.book.keyOf(address));
    if (before !== undefined && before !== contactOfAddress(contacts, address)) changed[address] = 1;
  }
  const grown = new Set(ledger.withHiddenRecipients());
  if (!changed.includes(1) && grown.size === 0) return;
  const rows = [];
  for (let message = 0; message < restored.thread.length; message += 1) {
    let isChanged = grown.has(message);
    for (const address of ledger.participants(message)) if (changed[address] === 1) isChanged = true;
    if (!isChanged) continue;
    const from = ledger.from.at(message);
    const recipients = [...ledger.recipientsOf(message)].map(({ address, kind }) => ({
      contact: contactOfAddress(contacts, address),
      kind,
    }));
    rows.push({ message: message + 1, fromContact: from < 0 ? null : contactOfAddress(contacts, from), recipients });
  }
  await context.writer.setMessageContacts(rows);
}
