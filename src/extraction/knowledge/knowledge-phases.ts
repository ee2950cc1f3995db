import { join } from "node:path";
import type { PeopleRecord } from "../../mail/records/provenance.ts";
import type { NextOrdinals } from "../../store/contract/rows.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import { quotedMessages } from "../../threading/quoted-messages.ts";
import { addReleased, type ReleasedNumbers, readReleased } from "../earlier/released-numbers.ts";
import { readRules, storeRules } from "../earlier/stored-rules.ts";
import type { Phase } from "../extraction-event.ts";
import { type NumberedContacts, numberContacts } from "./contact-phase.ts";
import {
  type StoredKnowledge,
  type StoredMessages,
  storeArchive,
  storeMessages,
  storePeople,
} from "./indexing-phase.ts";
import { type KnowledgeContext, restoredOf } from "./knowledge-context.ts";
import { findQuotations } from "./quotation-phase.ts";
import type { PreparedText, TextPreparation } from "./redaction-phase.ts";
import { numberThreads } from "./thread-rows.ts";
import { findTopics } from "./topic-phase.ts";

/** Results of a run that the archive does not store. */
export type Knowledge = StoredKnowledge & Pick<PreparedText, "redactions"> & { readonly people: PeopleRecord };

/**
 * Runs all phases between the first pass and the filled archive; each uses the results of the earlier ones. Phases
 * reported to users have the names of the specification.
 */
export async function buildKnowledge(context: KnowledgeContext, preparation: TextPreparation): Promise<Knowledge> {
  const { ledger, writer, runner, options, startedAt, earlier, run, memory } = context;
  const { messageCount } = ledger;
  const next = await writer.nextOrdinals();
  const released = await readReleased(writer);

  await phase(context, { name: "threading", done: messageCount }, () => ledger.joinReferences());
  const contacts = await phase(context, { name: "contact_resolution", done: messageCount }, () =>
    resolvePeople(context, released, next),
  );
  const { chunks, facts, redactions } = await phase(
    context,
    { name: "redaction", done: messageCount, skipped: options.redact.length === 0 },
    () => preparation.finish(messageCount - restoredOf(context).thread.length),
  );
  // The rest of threading, which needs contacts and texts.
  const quotations = await findQuotations(ledger, contacts, { writer, memory, added: facts.quotations });
  const threads = numberThreads(
    ledger.joinThreads({ contactOf: (address) => contacts.contactOf.at(address), quotations }),
    { earlier: restoredOf(context).thread, released: released.threads, next: next.thread, memory },
  );
  // Threads joined by new mail stay joined.
  if (earlier !== null && context.read.size === 0)
    await addReleased(writer, released, {
      book: ledger.book,
      restored: earlier.messages,
      used: { contacts: contacts.ordinalOf, threads: threads.ordinals },
    });
  const { believed, redated } = ledger.settleDates(startedAt);
  warnOfDoubtedDates(context);
  const quotes = { unknown: quotations.unknown, known: quotedMessages(quotations, memory) };
  const known = { threads, contacts, chunks, facts, next, quotes };
  let early: StoredMessages | null = null;
  const topics = await phase(context, { name: "topics", done: threads.last }, () =>
    findTopics(
      {
        chunks,
        stagingDirectory: run.staging,
        memory,
        threads,
        contacts,
        ledger,
        earlier,
        corrections: context.corrections.topics,
        people: context.corrections.people,
        nextTopic: next.topic,
        createdAt: startedAt,
      },
      { writer, runner },
      async () => {
        await storePeople(context, contacts, facts);
        // In a first run, topics are learned in the meantime.
        if (earlier === null) early = await storeMessages(context, known, null);
      },
    ),
  );
  const stored = await phase(context, { name: "indexing", done: messageCount }, () =>
    storeArchive(context, { ...known, topics, believed, redated }, early),
  );
  const people = { corrections: context.corrections.sha256, suggestions: contacts.suggestions };
  return { ...stored, redactions, people };
}

/** Resolves contacts; by the rules only if mail was read or other addresses must stay apart. */
async function resolvePeople(
  context: KnowledgeContext,
  released: ReleasedNumbers,
  next: NextOrdinals,
): Promise<NumberedContacts> {
  const { ledger, writer, options, run, memory, read } = context;
  const restrictions = { merge: options.mergeContacts, corrections: context.corrections.people };
  const known = restoredOf(context).contactOfAddress;
  const rules = read.size === 0 ? await readRules({ writer, memory, contacts: known }, restrictions) : null;
  const contacts = numberContacts(ledger, {
    ...restrictions,
    rules,
    earlier: known,
    released: released.contacts,
    next: next.contact,
    path: join(run.staging, "contacts"),
    memory,
  });
  await storeRules(writer, restrictions, { rules: contacts.rules, isNew: rules === null });
  return contacts;
}

/** Counts messages whose displayed date differs from their own. */
function warnOfDoubtedDates({ ledger, warn }: KnowledgeContext): void {
  const { doubtedDates } = ledger;
  if (doubtedDates === 0) return;
  const message = `${countOf(doubtedDates, "message")} with an implausible date: before 1971, after the extraction, or inconsistent with the time received`;
  warn({ code: "date-doubted", message, source: null, location: null, sha256: null });
}

interface ReportedPhase {
  readonly name: Phase;
  /** Count at the end. */
  readonly done: number;
  readonly skipped?: boolean;
}

/** Runs a phase and reports it, unless the run was stopped. */
async function phase<T>(
  { onEvent, signal }: KnowledgeContext,
  { name, done, skipped = false }: ReportedPhase,
  work: () => T | Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  onEvent({ kind: "phase", phase: name, state: "started" });
  const result = await work();
  onEvent({ kind: "phase", phase: name, state: "completed", done, skipped });
  return result;
}
