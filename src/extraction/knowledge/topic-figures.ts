import { PagedInt32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { FIRST_MESSAGE, indexOf, type MessageIndex } from "../../mail/records/ordinal.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import type { NumberedContacts } from "./contact-phase.ts";
import type { NumberedThreads } from "./thread-rows.ts";

/** Maximum people named in a description. */
const NAMED_PEOPLE = 3;

export interface CountedTopic {
  readonly messages: number;
  readonly earliest: Instant | null;
  readonly latest: Instant | null;
  /** The contacts with most messages of the topic, by index, the busiest first. */
  readonly busiest: readonly number[];
}

/** Inputs for counting topics. */
interface CountedMail {
  readonly ledger: Ledger;
  readonly threads: NumberedThreads;
  readonly contacts: NumberedContacts;
  readonly memory: PagedMemory;
}

/**
 * Messages, dates and people of each topic over the whole archive, by ordinal. Contacts are counted topic by topic, in
 * one column.
 */
export function countTopics(mail: CountedMail, topicOfThread: Int32Array): ReadonlyMap<number, CountedTopic> {
  const counter = new ContactCounter(mail);
  const figures = new Map<number, CountedTopic>();
  const { column, messages: messagesOf } = messagesByTopic(mail, topicOfThread);
  for (const [topic, messages] of messagesOf) {
    figures.set(topic, {
      messages: messages.length,
      ...datesOf(messages, mail.ledger),
      busiest: counter.busiestOf(messages),
    });
  }
  column.clear();
  return figures;
}

/** Messages in order; can be iterated repeatedly. */
interface OrderedMessages extends Iterable<MessageIndex> {
  readonly length: number;
}

/** The messages of each topic in order, by ordinal: slices of one column, mostly stored in a file. */
function messagesByTopic(
  { ledger, threads, memory }: CountedMail,
  topicOfThread: Int32Array,
): { readonly column: PagedInt32Column; readonly messages: ReadonlyMap<number, OrderedMessages> } {
  const topicOf = (message: MessageIndex): number => topicOfThread[indexOf(threads.ordinalOf(message))]!;
  const counts = new Map<number, number>();
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const topic = topicOf(message);
    counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  const column = new PagedInt32Column(memory);
  column.extend(ledger.messageCount, 0);
  const next = new Map<number, number>();
  const messages = new Map<number, OrderedMessages>();
  let start = 0;
  for (const [topic, length] of counts) {
    next.set(topic, start);
    messages.set(topic, partOf(column, start, length));
    start += length;
  }
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    const topic = topicOf(message);
    const at = next.get(topic)!;
    column.set(at, message);
    next.set(topic, at + 1);
  }
  return { column, messages };
}

function partOf(column: PagedInt32Column, start: number, length: number): OrderedMessages {
  return {
    length,
    *[Symbol.iterator]() {
      for (let at = start; at < start + length; at++) yield column.at(at) as MessageIndex;
    },
  };
}

function datesOf(messages: OrderedMessages, ledger: Ledger): Pick<CountedTopic, "earliest" | "latest"> {
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    const at = ledger.sentAt.at(message);
    if (at < earliest) earliest = at;
    if (at > latest) latest = at;
  }
  return earliest > latest ? { earliest: null, latest: null } : { earliest, latest };
}

/** Counts the messages per contact. */
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

  busiestOf(messages: OrderedMessages): readonly number[] {
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
