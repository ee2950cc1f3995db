import type { PagedInt32Column } from "../../columns/paged-column.ts";
import type { Instant } from "../../mail/instant.ts";
import { FIRST_MESSAGE, indexOf, type MarkedColumn, type MessageIndex } from "../../mail/ordinal.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { NumberedContacts } from "./contact-phase.ts";
import type { NumberedThreads } from "./thread-rows.ts";

/** People a description may name. */
const NAMED_PEOPLE = 3;

export interface CountedTopic {
  readonly messages: number;
  readonly earliest: Instant | null;
  readonly latest: Instant | null;
  /** The contacts with most messages of the topic, by index, the busiest first. */
  readonly busiest: readonly number[];
}

/** What topics are counted over. */
export interface CountedMail {
  readonly ledger: Ledger;
  readonly threads: NumberedThreads;
  readonly contacts: NumberedContacts;
}

/**
 * Messages, dates and people of each topic over the whole archive, by ordinal. Contacts are counted topic by topic, in
 * one column.
 */
export function countTopics(mail: CountedMail, topicOfThread: Int32Array): ReadonlyMap<number, CountedTopic> {
  const counter = new ContactCounter(mail);
  const figures = new Map<number, CountedTopic>();
  for (const [topic, messages] of messagesByTopic(mail, topicOfThread)) {
    figures.set(topic, {
      messages: messages.length,
      ...datesOf(messages, mail.ledger),
      busiest: counter.busiestOf(messages),
    });
  }
  return figures;
}

/** The messages of each topic in their order, by ordinal: views of one column. */
function messagesByTopic(
  { ledger, threads }: CountedMail,
  topicOfThread: Int32Array,
): ReadonlyMap<number, MarkedColumn<MessageIndex>> {
  const topicOf = (message: MessageIndex): number => topicOfThread[indexOf(threads.ordinalOf[message]!)]!;
  const counts = new Map<number, number>();
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const topic = topicOf(message);
    counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  const column = new Int32Array(ledger.messageCount) as MarkedColumn<MessageIndex>;
  const next = new Map<number, number>();
  const messages = new Map<number, MarkedColumn<MessageIndex>>();
  let start = 0;
  for (const [topic, count] of counts) {
    next.set(topic, start);
    messages.set(topic, column.subarray(start, start + count) as MarkedColumn<MessageIndex>);
    start += count;
  }
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const at = next.get(topicOf(message))!;
    column[at] = message;
    next.set(topicOf(message), at + 1);
  }
  return messages;
}

function datesOf(messages: MarkedColumn<MessageIndex>, ledger: Ledger): Pick<CountedTopic, "earliest" | "latest"> {
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    const at = ledger.sentAt.at(message);
    if (at < earliest) earliest = at;
    if (at > latest) latest = at;
  }
  return earliest > latest ? { earliest: null, latest: null } : { earliest, latest };
}

/** Counts in how many of some messages each contact takes part. */
class ContactCounter {
  private readonly ledger: Ledger;
  private readonly contactOf: PagedInt32Column;
  private readonly counts: Uint32Array;
  /** The message a contact was last counted for, plus one. */
  private readonly countedFor: Uint32Array;

  constructor({ ledger, contacts }: CountedMail) {
    this.ledger = ledger;
    this.contactOf = contacts.contactOf;
    this.counts = new Uint32Array(contacts.contacts.length);
    this.countedFor = new Uint32Array(contacts.contacts.length);
  }

  busiestOf(messages: MarkedColumn<MessageIndex>): readonly number[] {
    const { counts, countedFor } = this;
    counts.fill(0);
    countedFor.fill(0);
    for (const message of messages) {
      for (const address of this.ledger.participants(message)) {
        const contact = this.contactOf.at(address);
        if (countedFor[contact] === message + 1) continue;
        countedFor[contact] = message + 1;
        counts[contact] = counts[contact]! + 1;
      }
    }
    const busiest: number[] = [];
    const compare = (a: number, b: number): number => counts[b]! - counts[a]! || a - b;
    for (let contact = 0; contact < counts.length; contact++) {
      if (counts[contact] === 0 || (busiest.length === NAMED_PEOPLE && compare(contact, busiest.at(-1)!) > 0)) continue;
      busiest.push(contact);
      busiest.sort(compare);
      busiest.length = Math.min(busiest.length, NAMED_PEOPLE);
    }
    return busiest;
  }
}
