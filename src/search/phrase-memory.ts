import { Latest } from "./latest.ts";
import type { Phrase } from "./phrase.ts";

/** Bytes of what is remembered, and phrases at most: of 300,000 messages 13. */
const MEMORY_BYTES = 4 << 20;
const MAX_PHRASES = 16;

/** What is known of a message and a phrase: nothing (0), or whether the one holds the other. */
export const LACKS = 1;
export const HOLDS = 2;

/**
 * Which messages hold the phrases that were asked for last. To tell it, the texts of all messages with their words are
 * read, thousands of very common ones: once for everything that is asked about a query, and not again when it is asked
 * with other conditions.
 */
export class PhraseMemory {
  private readonly known: Latest<Uint8Array>;
  private readonly documents: number;

  /** @param documents the highest number of a message and one */
  constructor(documents: number) {
    this.documents = documents;
    this.known = new Latest(Math.min(MAX_PHRASES, Math.floor(MEMORY_BYTES / Math.max(1, documents))));
  }

  /** What is known by message number, to be added to. */
  of({ tokens, signs, distance }: Phrase): Uint8Array {
    const key = JSON.stringify([tokens, signs, distance]);
    const known = this.known.get(key) ?? new Uint8Array(this.documents);
    this.known.keep(key, known);
    return known;
  }
}
