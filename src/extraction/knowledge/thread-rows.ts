import { PagedInt32Column, PagedUint8Column } from "../../columns/paged-column.ts";
import { PagedGroups } from "../../columns/paged-groups.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { FIRST_MESSAGE, type MessageIndex, type ThreadOrdinal, type TopicOrdinal } from "../../mail/records/ordinal.ts";
import type { ThreadRow } from "../../store/contract/rows.ts";
import type { Ledger } from "../ledger/deduplicate.ts";

/** Thread ordinal of each message, mostly stored in a file, and the last ordinal. */
export interface NumberedThreads {
  readonly ordinals: PagedInt32Column;
  ordinalOf(message: MessageIndex): ThreadOrdinal;
  readonly last: ThreadOrdinal;
}

/** Inputs for numbering threads. */
interface ThreadNumbering {
  /** Thread ordinals of the messages of earlier runs, in the order of messages. */
  readonly earlier: PagedInt32Column;
  /** Ordinals released by corrections, by message; used first. */
  readonly released: ReadonlyMap<number, ThreadOrdinal>;
  /** First unused ordinal. */
  readonly next: number;
  readonly memory: PagedMemory;
}

/**
 * Numbers threads by first appearance. Known threads keep their number; if new mail joins several, the smallest
 * number stays. Numbers are never reused. @param firstOf the first message of each message's thread; released
 * afterwards
 */
export function numberThreads(
  firstOf: PagedInt32Column,
  { earlier, released, next, memory }: ThreadNumbering,
): NumberedThreads {
  const smallest = smallestKnown(firstOf, { earlier, released, memory });
  /** By earlier ordinal: 1 if a thread already has it. */
  const taken = new PagedUint8Column(memory);
  taken.extend(next, 0);
  const ordinals = new PagedInt32Column(memory);
  let last = (next - 1) as ThreadOrdinal;
  for (let message = 0; message < firstOf.length; message++) {
    const first = firstOf.at(message);
    if (first < message) {
      ordinals.push(ordinals.at(first));
      continue;
    }
    const known = message < earlier.length ? smallest.at(message) : 0;
    // New mail may also split threads joined by subject, if a reply has a closer original. The first part keeps the
    // number.
    ordinals.push(known === 0 || taken.at(known) === 1 ? (++last as ThreadOrdinal) : known);
    if (known !== 0) taken.set(known, 1);
  }
  for (const part of [firstOf, smallest, taken]) part.clear();
  return { ordinals, ordinalOf: (message) => ordinals.at(message) as ThreadOrdinal, last };
}

/** For the first message of each thread, the smallest earlier number of its messages; 0 for none. */
function smallestKnown(
  firstOf: PagedInt32Column,
  { earlier, released, memory }: Pick<ThreadNumbering, "earlier" | "released" | "memory">,
): PagedInt32Column {
  const smallest = new PagedInt32Column(memory);
  smallest.extend(earlier.length, 0);
  for (let message = 0; message < earlier.length; message++) {
    const ordinal = released.get(message) ?? earlier.at(message);
    const first = firstOf.at(message);
    const known = smallest.at(first);
    if (known === 0 || ordinal < known) smallest.set(first, ordinal);
  }
  return smallest;
}

/** True if the first of two dates is earlier; undated mail sorts last. */
export function isOlder(a: number, b: number): boolean {
  return compareSent(a, b) < 0;
}

/** The messages of a thread, oldest first, undated last, then by number. */
interface ThreadMembers {
  readonly thread: ThreadOrdinal;
  /** Indexes of messages. */
  readonly members: Uint32Array;
}

/** Affected threads with messages, by ordinal: the numbers of threads joined to smaller ones stay unused. */
function* threadMembers(
  { ordinals, ordinalOf }: NumberedThreads,
  { sentAt }: Ledger,
  { isAffected, memory }: Pick<ThreadFacts, "isAffected" | "memory">,
): Generator<ThreadMembers> {
  const groups = new PagedGroups(memory);
  for (let message = FIRST_MESSAGE; message < ordinals.length; message++) {
    const thread = ordinalOf(message);
    if (isAffected(thread)) groups.push(thread, message);
  }
  for (const { key, members } of groups.byKey()) {
    if (members.length > 1) members.sort((a, b) => compareSent(sentAt.at(a), sentAt.at(b)) || a - b);
    yield { thread: key as ThreadOrdinal, members };
  }
  groups.clear();
}

function compareSent(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) ? -1 : a - b;
}

/** Other data for the rows of threads. */
interface ThreadFacts {
  readonly subjectOf: (thread: ThreadOrdinal) => string;
  readonly contactOf: (address: number) => number;
  /** Text of a contact. */
  readonly contactText: (contact: number) => string;
  readonly topicOf: (thread: ThreadOrdinal) => TopicOrdinal;
  /** False for threads that need no row. */
  readonly isAffected: (thread: ThreadOrdinal) => boolean;
  readonly memory: PagedMemory;
}

/**
 * Rows of all affected threads. The subject is that of the oldest message; participants are main addresses of contacts in order
 * of first appearance.
 */
export function* threadRows(threads: NumberedThreads, ledger: Ledger, facts: ThreadFacts): Generator<ThreadRow> {
  for (const { thread, members } of threadMembers(threads, ledger, facts)) {
    const contacts = new Set<number>();
    for (const message of members)
      for (const address of ledger.participants(message as MessageIndex)) contacts.add(facts.contactOf(address));
    const participants = new Set<string>();
    for (const contact of contacts) participants.add(facts.contactText(contact));
    // Undated messages sort last.
    let last = members.length - 1;
    while (last > 0 && Number.isNaN(ledger.sentAt.at(members[last]!))) last--;
    yield {
      ordinal: thread,
      subject: facts.subjectOf(thread),
      messageCount: members.length,
      participants: [...participants],
      firstMessage: ledger.dateOf(members[0]! as MessageIndex),
      lastMessage: ledger.dateOf(members[last]! as MessageIndex),
      topic: facts.topicOf(thread),
    };
  }
}
