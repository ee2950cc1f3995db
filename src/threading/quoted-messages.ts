import { PagedUint32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import type { MessageIndex } from "../mail/records/ordinal.ts";
import type { QuotationLinks } from "./quotations.ts";

/** Pairs of quoting and quoted message, as numbers: 8 bytes per pair, mostly in a file. */
export class QuotedMessages {
  private readonly messages: PagedUint32Column;
  private readonly quoted: PagedUint32Column;

  constructor(memory: PagedMemory) {
    this.messages = new PagedUint32Column(memory);
    this.quoted = new PagedUint32Column(memory);
  }

  /** Adds a pair. Quoting messages come in ascending order. */
  add(message: MessageIndex, quoted: MessageIndex): void {
    this.messages.push(message);
    this.quoted.push(quoted);
  }

  /** Quotes of a message, in insertion order. */
  of(message: MessageIndex): readonly MessageIndex[] {
    const { messages } = this;
    let low = 0;
    let high = messages.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (messages.at(middle) < message) low = middle + 1;
      else high = middle;
    }
    const quoted: MessageIndex[] = [];
    for (; low < messages.length && messages.at(low) === message; low++)
      quoted.push(this.quoted.at(low) as MessageIndex);
    return quoted;
  }
}

/** Converts the links to their output and releases them. */
export function quotedMessages({ message, quoted, isFirst }: QuotationLinks, memory: PagedMemory): QuotedMessages {
  const pairs = new QuotedMessages(memory);
  for (let at = 0; at < message.length; at++) pairs.add(message.at(at) as MessageIndex, quoted.at(at) as MessageIndex);
  for (const column of [message, quoted, isFirst]) column.clear();
  return pairs;
}
