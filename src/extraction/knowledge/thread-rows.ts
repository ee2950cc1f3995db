import { groupByKey } from "../../columns/grouping.ts";
import {
  FIRST_THREAD,
  type MarkedColumn,
  type MessageIndex,
  type ThreadOrdinal,
  type TopicOrdinal,
} from "../../mail/ordinal.ts";
import type { ThreadRow } from "../../store/rows.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** Threads as numbers: the ordinal of the thread of each message, and the last of them. */
export interface NumberedThreads {
  readonly ordinalOf: MarkedColumn<ThreadOrdinal>;
  readonly last: ThreadOrdinal;
}

/**
 * Numbers threads in the order in which their first message appears. A thread that an earlier run knew keeps its
 * number, and of several that a new message joins the smallest stays; numbers are never used again.
 *
 * @param firstOf for each message the first message of its thread
 * @param earlier thread ordinals of the messages of earlier runs, in the order of messages
 * @param next the first ordinal that was never given out
 */
export function numberThreads(
  firstOf: MarkedColumn<MessageIndex>,
  earlier: MarkedColumn<ThreadOrdinal>,
  next: number,
): NumberedThreads {
  const smallest = new Int32Array(earlier.length) as MarkedColumn<ThreadOrdinal>;
  for (const [message, ordinal] of earlier.entries()) {
    const first = firstOf[message]!;
    const known = smallest[first]!;
    if (known === 0 || ordinal < known) smallest[first] = ordinal;
  }
  /** Of the numbers of earlier runs. */
  const taken = new Set<number>();
  const ordinalOf = new Int32Array(firstOf.length) as MarkedColumn<ThreadOrdinal>;
  let last = (next - 1) as ThreadOrdinal;
  for (let message = 0; message < firstOf.length; message++) {
    const first = firstOf[message]!;
    if (first < message) {
      ordinalOf[message] = ordinalOf[first]!;
      continue;
    }
    const known = smallest[message] ?? 0;
    // New mail may also part what a subject had joined: the answer now has a nearer original. The first part keeps the
    // number.
    ordinalOf[message] = known === 0 || taken.has(known) ? (++last as ThreadOrdinal) : known;
    if (known !== 0) taken.add(known);
  }
  return { ordinalOf, last };
}

/** True when the first of two dates comes before the other: undated mail stands last. */
export function isOlder(a: number, b: number): boolean {
  return compareSent(a, b) < 0;
}

/** The messages of a thread are `members[starts[thread]] … members[starts[thread + 1] - 1]`. */
interface ThreadMembers {
  readonly starts: Uint32Array;
  readonly members: MarkedColumn<MessageIndex>;
}

/** The messages of each thread, by its ordinal: oldest first, undated last, then by number. */
function threadMembers({ ordinalOf, last }: NumberedThreads, ledger: Ledger): ThreadMembers {
  const groups = groupByKey(ordinalOf, last + 1);
  const { starts } = groups;
  const members = new Int32Array(groups.members.buffer) as MarkedColumn<MessageIndex>;
  const sent = ledger.sentAt.view();
  for (let thread = 0; thread <= last; thread++) {
    const from = starts[thread]!;
    const to = starts[thread + 1]!;
    if (to - from > 1) members.subarray(from, to).sort((a, b) => compareSent(sent[a]!, sent[b]!) || a - b);
  }
  return { starts, members };
}

function compareSent(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) ? -1 : a - b;
}

/**
 * Rows of all threads. The subject is that of the oldest message; participants are main addresses of contacts in order
 * of first appearance.
 */
export function* threadRows(
  threads: NumberedThreads,
  ledger: Ledger,
  facts: {
    readonly subjectOf: (thread: ThreadOrdinal) => string;
    readonly contactOf: (address: number) => number;
    /** What stands for a contact. */
    readonly contactText: (contact: number) => string;
    readonly topicOf: (thread: ThreadOrdinal) => TopicOrdinal;
  },
): Generator<ThreadRow> {
  const { starts, members } = threadMembers(threads, ledger);
  for (let thread = FIRST_THREAD; thread <= threads.last; thread++) {
    const first = starts[thread]!;
    const end = starts[thread + 1]!;
    // A number whose thread was joined to a smaller one stays unused.
    if (first === end) continue;
    const contacts = new Set<number>();
    for (let at = first; at < end; at++)
      for (const address of ledger.participants(members[at]!)) contacts.add(facts.contactOf(address));
    const participants = new Set<string>();
    for (const contact of contacts) participants.add(facts.contactText(contact));
    // Undated messages stand last.
    let last = end - 1;
    while (last > first && Number.isNaN(ledger.sentAt.at(members[last]!))) last--;
    yield {
      ordinal: thread,
      subject: facts.subjectOf(thread),
      messageCount: end - first,
      participants: [...participants],
      firstMessage: ledger.dateOf(members[first]!),
      lastMessage: ledger.dateOf(members[last]!),
      topic: facts.topicOf(thread),
    };
  }
}
