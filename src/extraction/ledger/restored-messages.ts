import { Int32Column, Uint8Column } from "../../columns/column.ts";
import { indexOf, type MessageIndex, type MessageOrdinal } from "../../mail/records/ordinal.ts";

/**
 * The state of a message in the source where it was first found: unseen, read again, or a file that is already stored.
 */
type Sight = "unseen" | "read" | "stored";
const SIGHTS: readonly Sight[] = ["unseen", "read", "stored"];

/** The messages of earlier runs, which come first: the source of each, and how this run has seen it there. */
export class RestoredMessages {
  private readonly sources = new Int32Column();
  private readonly sights = new Uint8Column();
  /** By source: stored messages read again from another file. */
  private readonly repeated = new Map<number, Set<MessageOrdinal>>();

  get count(): number {
    return this.sources.length;
  }

  push(source: number): void {
    this.sources.push(source);
    this.sights.push(0);
  }

  /** Returns true if a source contains its own message again, which is already kept. */
  see(message: MessageOrdinal, source: number, sight: "read" | "stored"): boolean {
    const index = indexOf(message);
    const seen = this.sightOf(index, source);
    if (seen === "unseen") this.sights.set(index, SIGHTS.indexOf(sight));
    else if (seen === "stored" && sight === "read") this.repeat(message, source);
    return seen === "unseen";
  }

  /** Null if the message was first found in another source. */
  private sightOf(index: MessageIndex, source: number): Sight | null {
    return index < this.count && this.sources.at(index) === source ? SIGHTS[this.sights.at(index)]! : null;
  }

  private repeat(message: MessageOrdinal, source: number): void {
    const repeated = this.repeated.get(source) ?? new Set();
    this.repeated.set(source, repeated.add(message));
  }

  repeatedIn(source: number): ReadonlySet<MessageOrdinal> {
    return this.repeated.get(source) ?? new Set();
  }

  goneOf(source: number): number {
    let gone = 0;
    for (let message = 0; message < this.count; message++)
      if (this.sightOf(message as MessageIndex, source) === "unseen") gone++;
    return gone;
  }

  clear(): void {
    for (const column of [this.sources, this.sights]) column.clear();
    this.repeated.clear();
  }
}
