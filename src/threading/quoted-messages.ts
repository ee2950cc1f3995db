import { Uint32Column } from "../columns/column.ts";
import type { MessageIndex } from "../mail/ordinal.ts";
import type { FoundQuotations } from "./quotations.ts";

/** Which message quotes which, as numbers: 8 bytes a pair. */
export class QuotedMessages {
  private readonly messages = new Uint32Column();
  private readonly quoted = new Uint32Column();

  /** Adds a pair. Messages that quote come in ascending order. */
  add(message: MessageIndex, quoted: MessageIndex): void {
    this.messages.push(message);
    this.quoted.push(quoted);
  }

  /** What a message quotes, in the order in which it was added. */
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

/** What was found, as it is told. */
export function quotedMessages({ message, quoted }: FoundQuotations): QuotedMessages {
  const pairs = new QuotedMessages();
  for (let at = 0; at < message.length; at++) pairs.add(message.at(at) as MessageIndex, quoted.at(at) as MessageIndex);
  return pairs;
}
