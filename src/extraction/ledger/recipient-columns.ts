import { PagedUint32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { MessageIndex } from "../../mail/records/ordinal.ts";
import type { RecipientKind } from "../../store/contract/rows.ts";

/** Order in which the recipients of a message are added. */
export const RECIPIENT_KINDS: readonly RecipientKind[] = ["to", "cc", "bcc"];
const BCC = RECIPIENT_KINDS.indexOf("bcc");

/** A recipient by address number. */
export interface NumberedRecipient {
  readonly address: number;
  readonly kind: RecipientKind;
}

/** The recipients that each message names, in columns. Messages must be added in numeric order. */
export class RecipientColumns {
  readonly starts: PagedUint32Column;
  /** Address number times four plus index into RECIPIENT_KINDS. */
  readonly packed: PagedUint32Column;

  constructor(memory: PagedMemory) {
    this.starts = new PagedUint32Column(memory);
    this.packed = new PagedUint32Column(memory);
  }

  beginMessage(): void {
    this.starts.push(this.packed.length);
  }

  /** @param kind index into RECIPIENT_KINDS */
  add(address: number, kind: number): void {
    this.packed.push(address * 4 + kind);
  }

  /** Returns an array, since a generator takes more than twice as long and this is called several times per message. */
  of(message: MessageIndex): NumberedRecipient[] {
    const recipients: NumberedRecipient[] = [];
    const end = this.end(message);
    for (let at = this.starts.at(message); at < end; at++) {
      const packed = this.packed.at(at);
      recipients.push({ address: packed >>> 2, kind: RECIPIENT_KINDS[packed & 3]! });
    }
    return recipients;
  }

  /** Adds the address numbers of a message to a list. */
  addAddresses(message: MessageIndex, addresses: number[]): void {
    const end = this.end(message);
    for (let at = this.starts.at(message); at < end; at++) addresses.push(this.packed.at(at) >>> 2);
  }

  /** Numbers of the addresses that a message has in Bcc. */
  *bccOf(message: MessageIndex): Generator<number> {
    const end = this.end(message);
    for (let at = this.starts.at(message); at < end; at++) {
      const packed = this.packed.at(at);
      if ((packed & 3) === BCC) yield packed >>> 2;
    }
  }

  clear(): void {
    this.starts.clear();
    this.packed.clear();
  }

  private end(message: MessageIndex): number {
    return message + 1 < this.starts.length ? this.starts.at(message + 1) : this.packed.length;
  }
}
