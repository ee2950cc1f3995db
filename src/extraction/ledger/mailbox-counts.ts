import type { Counts, MailboxRecord } from "../../mail/records/provenance.ts";

/** Running counts. */
export type Tally = { -readonly [K in keyof Counts]: Counts[K] };

/** Outcome counts per mailbox and source. */
export class MailboxCounts {
  private readonly sources: Map<string, Tally>[] = [];

  /** Counters of a mailbox, created if necessary. */
  of(source: number, mailbox: string): Tally {
    this.sources[source] ??= new Map();
    const known = this.sources[source].get(mailbox);
    if (known !== undefined) return known;
    const tally: Tally = { seen: 0, kept: 0, duplicate: 0, skipped: 0, failed: 0 };
    this.sources[source].set(mailbox, tally);
    return tally;
  }

  /** Counts of a source by mailbox, in order of first appearance: only those with items. */
  records(source: number): readonly MailboxRecord[] {
    return [...(this.sources[source] ?? new Map<string, Tally>())]
      .filter(([, { seen }]) => seen > 0)
      .map(([name, tally]) => ({ name, counts: { ...tally } }));
  }
}
