import { ArchiveError } from "../../errors.ts";
import type { ContactOrdinal } from "../../mail/records/ordinal.ts";
import { MAX_CONTACTS } from "./archive-writer.ts";
import type { EdgeRow, RecipientRow } from "./rows.ts";

/** Capacity of contacts in a key of two. */
const KEY_BASE = MAX_CONTACTS + 1;
/** Maximum number of pairs in a V8 Map. */
const MAX_PAIRS = 2 ** 24;

/** Counts messages from contact to contact, for archives imported from a document. */
export class EdgeCounts {
  private readonly counts = new Map<number, number>();

  constructor(private readonly mostPairs: number = MAX_PAIRS) {}

  /** Counts one message: once for every other contact among its recipients. Throws ARCHIVE_FULL. */
  count(sender: ContactOrdinal | null, recipients: readonly RecipientRow[]): void {
    if (sender === null) return;
    const others = new Set(recipients.map((recipient) => recipient.contact));
    others.delete(sender);
    for (const other of others) {
      if (Math.max(sender, other) > MAX_CONTACTS)
        throw new ArchiveError("ARCHIVE_FULL", `an archive can contain at most ${MAX_CONTACTS} contacts`);
      const key = sender * KEY_BASE + other;
      const count = this.counts.get(key) ?? 0;
      if (count === 0 && this.counts.size === this.mostPairs)
        throw new ArchiveError(
          "ARCHIVE_FULL",
          `a document can contain at most ${this.mostPairs} pairs of correspondents`,
        );
      this.counts.set(key, count + 1);
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
