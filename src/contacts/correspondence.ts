import { PagedFloat64Column, PagedInt32Column, PagedUint32Column } from "../columns/paged-column.ts";
import { PagedGroups } from "../columns/paged-groups.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";

/** Who wrote to whom, by message; people are address numbers. */
export interface Correspondence {
  /** Messages are numbered from 0. */
  readonly messageCount: number;
  /** Returns -1 if nobody is named. */
  authorOf(message: number): number;
  /** Adds the recipients of a message to a list. */
  addRecipients(message: number, recipients: number[]): void;
  /** NaN for messages without a date. */
  sentAt(message: number): number;
  /** Messages with the same number refer to each other. */
  threadOf(message: number): number;
  /** Authors with their Reply-To addresses. */
  replyAddresses(): Iterable<readonly [author: number, address: number]>;
  /** Authors with other addresses that they give as their own. */
  ownAddresses(): Iterable<readonly [author: number, address: number]>;
}

/** Only addresses are known. */
export const NO_CORRESPONDENCE: Correspondence = {
  messageCount: 0,
  authorOf: () => -1,
  addRecipients: () => {},
  sentAt: () => Number.NaN,
  threadOf: () => -1,
  replyAddresses: () => [],
  ownAddresses: () => [],
};

/** Other contacts by contact. */
type Links = Map<number, Set<number>>;

const NOT_WATCHED = -1;
const NOBODY = -1;

/** A correspondent of a contact. */
export interface Correspondent {
  readonly contact: number;
  readonly written: number;
  readonly received: number;
}

/** Correspondence of contacts that are candidates for merging. Contacts are numbers below `size`. */
export class Correspondents {
  /** By contact: its index among the tracked ones. */
  private readonly placeOfContact: PagedInt32Column;
  private readonly messages: PagedUint32Column;
  private readonly first: PagedFloat64Column;
  private readonly last: PagedFloat64Column;
  /** By index: start of its correspondents, and of the next; likewise threads. */
  private readonly starts: PagedUint32Column;
  private readonly others: PagedUint32Column;
  private readonly written: PagedUint32Column;
  private readonly received: PagedUint32Column;
  private readonly threadStarts: PagedUint32Column;
  private readonly threads: PagedUint32Column;
  private readonly replies: Links = new Map();
  private readonly own: Links = new Map();
  /** All messages that were read. */
  messageCount = 0;

  /** @param watched contacts, ascending. */
  constructor(
    private readonly memory: PagedMemory,
    size: number,
    watched: Iterable<number>,
  ) {
    this.placeOfContact = new PagedInt32Column(memory);
    this.placeOfContact.extend(size, NOT_WATCHED);
    let places = 0;
    for (const contact of watched) this.placeOfContact.set(contact, places++);
    this.messages = new PagedUint32Column(memory);
    this.messages.extend(size, 0);
    this.first = new PagedFloat64Column(memory);
    this.first.extend(places, Number.POSITIVE_INFINITY);
    this.last = new PagedFloat64Column(memory);
    this.last.extend(places, Number.NEGATIVE_INFINITY);
    this.starts = new PagedUint32Column(memory);
    this.others = new PagedUint32Column(memory);
    this.written = new PagedUint32Column(memory);
    this.received = new PagedUint32Column(memory);
    this.threadStarts = new PagedUint32Column(memory);
    this.threads = new PagedUint32Column(memory);
  }

  /** Reads all mail, once. @param contactOf contact by address. */
  read(mail: Correspondence, contactOf: (address: number) => number): void {
    this.messageCount = mail.messageCount;
    const edges = new PagedGroups(this.memory);
    const threads = new PagedGroups(this.memory);
    const seenIn = new PagedInt32Column(this.memory);
    seenIn.extend(this.messages.length, -1);
    const recipients: number[] = [];
    for (let message = 0; message < mail.messageCount; message++) {
      const from = mail.authorOf(message);
      const author = from < 0 ? NOBODY : contactOf(from);
      const at = mail.sentAt(message);
      let writer = NOT_WATCHED;
      if (author !== NOBODY) {
        seenIn.set(author, message);
        writer = this.count(author, at);
      }
      if (writer !== NOT_WATCHED) threads.push(writer, mail.threadOf(message));
      recipients.length = 0;
      mail.addRecipients(message, recipients);
      for (const address of recipients) {
        const recipient = contactOf(address);
        if (seenIn.at(recipient) === message) continue;
        seenIn.set(recipient, message);
        this.count(recipient, at);
        this.addEdge(edges, author, recipient);
      }
    }
    this.listCorrespondents(edges);
    this.listThreads(threads);
    this.link(this.replies, mail.replyAddresses(), contactOf);
    this.link(this.own, mail.ownAddresses(), contactOf);
    for (const part of [edges, threads, seenIn]) part.clear();
  }

  isWatched(contact: number): boolean {
    return this.placeOfContact.at(contact) !== NOT_WATCHED;
  }

  /** Index of a tracked contact. */
  placeOf(contact: number): number {
    return this.placeOfContact.at(contact);
  }

  /** Number of different contacts that wrote to a tracked one. */
  writersTo(contact: number): number {
    const [start, end] = this.rangeOf(this.placeOfContact.at(contact));
    let writers = 0;
    // An object per correspondent would take longer than the counting.
    for (let at = start; at < end; at++) if (this.received.at(at) > 0 && this.others.at(at) !== contact) writers++;
    return writers;
  }

  /** Number of messages that name a contact. */
  messagesOf(contact: number): number {
    return this.messages.at(contact);
  }

  /** Correspondents of a tracked contact, ascending. */
  of(contact: number): readonly Correspondent[] {
    const [start, end] = this.rangeOf(this.placeOfContact.at(contact));
    const correspondents: Correspondent[] = [];
    for (let at = start; at < end; at++)
      correspondents.push({
        contact: this.others.at(at),
        written: this.written.at(at),
        received: this.received.at(at),
      });
    return correspondents;
  }

  /** Threads that a watched contact wrote in, ascending. */
  threadsOf(contact: number): readonly number[] {
    const place = this.placeOfContact.at(contact);
    const end = place + 1 < this.threadStarts.length ? this.threadStarts.at(place + 1) : this.threads.length;
    const threads: number[] = [];
    for (let at = place < this.threadStarts.length ? this.threadStarts.at(place) : end; at < end; at++)
      threads.push(this.threads.at(at));
    return threads;
  }

  /** Milliseconds from the last dated message of one watched contact to the first of another. */
  gapBetween(one: number, other: number): number {
    return this.first.at(this.placeOfContact.at(other)) - this.last.at(this.placeOfContact.at(one));
  }

  /** True if one contact named the other's address as Reply-To. */
  repliesTo(one: number, other: number): boolean {
    return this.replies.get(one)?.has(other) === true;
  }

  /** True if one contact gives the other's address as its own. */
  ownsAddressOf(one: number, other: number): boolean {
    return this.own.get(one)?.has(other) === true;
  }

  clear(): void {
    const { placeOfContact, messages, first, last, starts, others, written, received, threadStarts, threads } = this;
    for (const part of [placeOfContact, messages, first, last, starts, others, written, received]) part.clear();
    for (const part of [threadStarts, threads]) part.clear();
    for (const links of [this.replies, this.own]) links.clear();
  }

  /** Range of the correspondents of an index. */
  private rangeOf(place: number): readonly [start: number, end: number] {
    const end = place + 1 < this.starts.length ? this.starts.at(place + 1) : this.others.length;
    return [place < this.starts.length ? this.starts.at(place) : end, end];
  }

  private addEdge(edges: PagedGroups, author: number, recipient: number): void {
    if (author === NOBODY) return;
    const [writer, reader] = [this.placeOf(author), this.placeOf(recipient)];
    if (writer !== NOT_WATCHED) edges.push(writer, recipient * 2 + WRITTEN);
    if (reader !== NOT_WATCHED) edges.push(reader, author * 2 + RECEIVED);
  }

  /** Counts a message of a contact; returns the index of a tracked one, or NOT_WATCHED. */
  private count(contact: number, at: number): number {
    this.messages.set(contact, this.messages.at(contact) + 1);
    const place = this.placeOf(contact);
    if (place === NOT_WATCHED || Number.isNaN(at)) return place;
    if (at < this.first.at(place)) this.first.set(place, at);
    if (at > this.last.at(place)) this.last.set(place, at);
    return place;
  }

  private listCorrespondents(edges: PagedGroups): void {
    for (const { key: place, members } of edges.byKey()) {
      members.sort();
      // Contacts before it have none.
      for (let empty = this.starts.length; empty <= place; empty++) this.starts.push(this.others.length);
      for (let at = 0; at < members.length; ) {
        const other = members[at]! >>> 1;
        const start = at;
        let received = 0;
        for (; at < members.length && members[at]! >>> 1 === other; at++) received += members[at]! & RECEIVED;
        this.others.push(other);
        this.written.push(at - start - received);
        this.received.push(received);
      }
    }
  }

  private listThreads(threads: PagedGroups): void {
    for (const { key: place, members } of threads.byKey()) {
      for (let empty = this.threadStarts.length; empty <= place; empty++) this.threadStarts.push(this.threads.length);
      let before = -1;
      for (const thread of members.sort()) {
        if (thread !== before) this.threads.push(thread);
        before = thread;
      }
    }
  }

  /** Links tracked contacts by their addresses. */
  private link(
    links: Links,
    pairs: Iterable<readonly [author: number, address: number]>,
    contactOf: (address: number) => number,
  ): void {
    for (const pair of pairs) {
      const [author, address] = pair.map(contactOf) as [number, number];
      if (author === address || !this.isWatched(author) || !this.isWatched(address)) continue;
      const known = links.get(author);
      if (known === undefined) links.set(author, new Set([address]));
      else known.add(address);
    }
  }
}

/** Lowest bit of an edge. */
const WRITTEN = 0;
const RECEIVED = 1;
