import { Int32Column, Uint8Column, type Uint32Column } from "../columns/column.ts";
import { textHash } from "../columns/key-nodes.ts";
import { PagedInt32Column, PagedUint8Column, PagedUint32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { MINUTE_MS } from "../mail/dates/instant.ts";
import type { MessageIndex } from "../mail/records/ordinal.ts";

/** Quoted headers of a message as numbers: text hashes, and minutes since 1970. */
export interface QuotedMail {
  /** Hash of its base subject. */
  readonly subject: number;
  /** Possible times of its date; at most two. */
  readonly minutes: readonly number[];
  /** Hashes of the author's name and address; 0 if missing. */
  readonly name: number;
  readonly address: number;
  /** Code of the first letters of its text (`openingCode`). */
  readonly opening: number;
}

/** The quotations of some consecutive messages, as posted between threads. */
export interface PackedQuotations {
  /** `openingCode` of each message. */
  readonly openings: Int32Array;
  /** Number of messages that each message quotes. */
  readonly counts: Uint8Array;
  /** NUMBERS_A_QUOTATION for each quoted message. */
  readonly numbers: Int32Array;
}

const NUMBERS_A_QUOTATION = 6;
/** Marks a missing minute; no mail was sent then. */
const NO_MINUTE = -0x8000_0000;
/** Bits of an opening code with its length. */
const LENGTH_MASK = 0x1f;

/** Code of an unread text; never an actual code. */
const UNKNOWN_OPENING = 0;

/** The opening of a text as a number: equal for equal openings. */
export function openingCode(opening: string): number {
  return (textHash(opening) & ~LENGTH_MASK) | Math.min(opening.length, LENGTH_MASK);
}

/** Collects quotations in message order: 5 bytes per message, 24 per quoted mail. */
export class QuotationColumns {
  private readonly openings: Int32Column | PagedInt32Column;
  private readonly counts: Uint8Column | PagedUint8Column;
  private readonly numbers: Int32Column | PagedInt32Column;

  /** @param memory for a whole archive; null for few messages */
  constructor(memory: PagedMemory | null) {
    this.openings = memory === null ? new Int32Column() : new PagedInt32Column(memory);
    this.counts = memory === null ? new Uint8Column() : new PagedUint8Column(memory);
    this.numbers = memory === null ? new Int32Column() : new PagedInt32Column(memory);
  }

  get messageCount(): number {
    return this.openings.length;
  }

  /** Adds the next message. @param opening its own (`openingCode`). */
  add(opening: number, quoted: readonly QuotedMail[]): void {
    this.openings.push(opening);
    this.counts.push(quoted.length);
    for (const { subject, minutes, name, address, opening } of quoted) {
      for (const number of [subject, minutes[0] ?? NO_MINUTE, minutes[1] ?? NO_MINUTE, name, address, opening])
        this.numbers.push(number);
    }
  }

  /** Adds a message with unknown quotations, as at the start of an archive. */
  addUnknown(): void {
    this.add(UNKNOWN_OPENING, []);
  }

  /** Number of messages with unknown quotations. */
  get unknown(): MessageIndex {
    let count = 0;
    while (count < this.openings.length && this.openings.at(count) === UNKNOWN_OPENING) count++;
    return count as MessageIndex;
  }

  addPacked({ openings, counts, numbers }: PackedQuotations): void {
    for (const opening of openings) this.openings.push(opening);
    for (const count of counts) this.counts.push(count);
    for (const number of numbers) this.numbers.push(number);
  }

  pack(): PackedQuotations {
    const { openings, counts, numbers } = this;
    const packed = {
      openings: new Int32Array(openings.length),
      counts: new Uint8Array(counts.length),
      numbers: new Int32Array(numbers.length),
    };
    this.packInto(packed);
    return packed;
  }

  /** @param packed columns with the lengths `messageCount` and `numberCount` */
  packInto({ openings, counts, numbers }: PackedQuotations): void {
    fill(openings, this.openings);
    fill(counts, this.counts);
    fill(numbers, this.numbers);
  }

  /** Numbers of all quoted mails. */
  get numberCount(): number {
    return this.numbers.length;
  }

  openingOf(message: number): number {
    return this.openings.at(message);
  }

  /** Every quoted message, in message order, with its rank among the quotations of its message. */
  *quoted(): Generator<QuotedMail & { readonly message: number; readonly rank: number }> {
    let at = 0;
    for (let message = 0; message < this.counts.length; message++) {
      const count = this.counts.at(message);
      for (let rank = 0; rank < count; rank++) {
        const [subject, one, other, name, address, opening] = this.sixAt(at);
        at += NUMBERS_A_QUOTATION;
        yield {
          message,
          rank,
          subject,
          minutes: [one, other].filter((minute) => minute !== NO_MINUTE),
          name,
          address,
          opening,
        };
      }
    }
  }

  private sixAt(at: number): Six {
    const { numbers } = this;
    return [
      numbers.at(at),
      numbers.at(at + 1),
      numbers.at(at + 2),
      numbers.at(at + 3),
      numbers.at(at + 4),
      numbers.at(at + 5),
    ];
  }

  /** Releases the collected data. */
  clear(): void {
    for (const column of [this.openings, this.counts, this.numbers]) column.clear();
  }
}

function fill<T extends Int32Array | Uint8Array>(
  values: T,
  column: { readonly view: () => T } | { readonly read: (from: number, into: T) => void },
): void {
  if ("view" in column) values.set(column.view());
  else column.read(0, values);
}

type Six = readonly [number, number, number, number, number, number];

/** Messages that quote messages in the archive. */
export interface QuotationLinks {
  /** First message with known quotations. */
  readonly unknown: MessageIndex;
  /** Pairs in the order of the quoting messages, then of the quoted ones. */
  readonly message: Uint32Column | PagedUint32Column;
  readonly quoted: Uint32Column | PagedUint32Column;
  /** 1 for the first message in the archive that a message quotes, 0 for others. */
  readonly isFirst: Uint8Column | PagedUint8Column;
}

/** Data of the messages of an archive, by number. */
interface QuotableMessages {
  /** `textHash` of the base subject. */
  readonly subjectOf: (message: number) => number;
  /** Milliseconds; null for an undated message. */
  readonly sentAt: (message: number) => number | null;
  /** True if one of the two hashes is a name or address of the sender of a message. */
  readonly isAuthor: (message: number, name: number, address: number) => boolean;
}

const HOUR_MINUTES = 60;
/** Maximum difference of two clocks in hours; programs write the local time of the quoting user. */
const MAX_HOURS_APART = 14;

/**
 * Finds quoted messages: base subject, minute except for whole hours, first letters of the text and author must all
 * match. Of several, the nearest in time is used; equally near ones are all used, since they are one mail that was
 * sent more than once.
 */
export function findQuoted(
  quotations: QuotationColumns,
  messages: QuotableMessages,
  memory: PagedMemory,
): QuotationLinks {
  const index = new QuotableIndex(quotations, messages);
  const found = {
    unknown: quotations.unknown,
    message: new PagedUint32Column(memory),
    quoted: new PagedUint32Column(memory),
    isFirst: new PagedUint8Column(memory),
  };
  let last = -1;
  let first = -1;
  let known: number[] = [];
  for (const mail of quotations.quoted()) {
    if (mail.message !== last) {
      last = mail.message;
      first = -1;
      known = [];
    }
    for (const quoted of index.nearest(mail)) {
      if (known.includes(quoted)) continue;
      if (first < 0) first = mail.rank;
      known.push(quoted);
      found.message.push(mail.message);
      found.quoted.push(quoted);
      found.isFirst.push(mail.rank === first ? 1 : 0);
    }
  }
  index.clear();
  return found;
}

/** Messages by subject, minute of the hour and opening. 8 bytes per message, plus the slots. */
class QuotableIndex {
  private readonly headColumn = new Int32Column();
  private readonly nextColumn = new Int32Column();
  private readonly heads: Int32Array;
  private readonly next: Int32Array;

  constructor(
    private readonly quotations: QuotationColumns,
    private readonly messages: QuotableMessages,
  ) {
    const count = quotations.messageCount;
    this.headColumn.extend(2 ** Math.ceil(Math.log2(count + 1)));
    this.nextColumn.extend(count);
    this.heads = this.headColumn.view().fill(-1);
    this.next = this.nextColumn.view();
    // Backwards, so that chains are in message order.
    for (let message = count - 1; message >= 0; message--) {
      const sentAt = messages.sentAt(message);
      if (sentAt === null) continue;
      const slot = this.slotOf(
        messages.subjectOf(message),
        Math.floor(sentAt / MINUTE_MS),
        quotations.openingOf(message),
      );
      this.next[message] = this.heads[slot]!;
      this.heads[slot] = message;
    }
  }

  /** Frees the memory at once; no further lookups are allowed. */
  clear(): void {
    for (const column of [this.headColumn, this.nextColumn]) column.clear();
  }

  private slotOf(subject: number, minute: number, opening: number): number {
    const minuteOfHour = ((minute % HOUR_MINUTES) + HOUR_MINUTES) % HOUR_MINUTES;
    const mixed = Math.imul(subject ^ Math.imul(opening, 0x9e3779b1) ^ minuteOfHour, 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & (this.heads.length - 1);
  }

  /** The possible messages, nearest in time, in order. */
  nearest(mail: QuotedMail & { readonly message: number }): readonly number[] {
    let nearest: number[] = [];
    let least = MAX_HOURS_APART * HOUR_MINUTES + 1;
    for (const minute of mail.minutes) {
      let message = this.heads[this.slotOf(mail.subject, minute, mail.opening)]!;
      for (; message >= 0; message = this.next[message]!) {
        const apart = Math.abs(Math.floor(this.messages.sentAt(message)! / MINUTE_MS) - minute);
        if (apart > least || apart % HOUR_MINUTES !== 0 || !this.isMeant(message, mail)) continue;
        if (apart < least) nearest = [];
        least = apart;
        if (!nearest.includes(message)) nearest.push(message);
      }
    }
    return nearest.sort((a, b) => a - b);
  }

  private isMeant(message: number, mail: QuotedMail & { readonly message: number }): boolean {
    if (message === mail.message || this.quotations.openingOf(message) !== mail.opening) return false;
    return (
      this.messages.subjectOf(message) === mail.subject && this.messages.isAuthor(message, mail.name, mail.address)
    );
  }
}
