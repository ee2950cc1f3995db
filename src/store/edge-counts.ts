import type { ContactOrdinal } from "../mail/ordinal.ts";
import type { EdgeRow, RecipientRow } from "./rows.ts";

/** Room for contacts in a key made of two of them. */
const KEY_BASE = 2 ** 26;

/** Counts messages from contact to contact. */
export class EdgeCounts {
  private readonly counts = new Map<number, number>();

  /** Counts one message: once for every other contact among its recipients. */
  count(sender: ContactOrdinal | null, recipients: readonly RecipientRow[]): void {
    if (sender === null) return;
    const others = new Set(recipients.map((recipient) => recipient.contact));
    others.delete(sender);
    for (const other of others) {
      const key = sender * KEY_BASE + other;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }

  *rows(): Generator<EdgeRow> {
    for (const [key, count] of this.counts)
      yield {
        from: Math.floor(key / KEY_BASE) as ContactOrdinal,
        to: (key % KEY_BASE) as ContactOrdinal,
        count,
        weight: count,
      };
  }
}
