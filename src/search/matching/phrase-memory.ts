import { LruCache } from "../indexing/lru-cache.ts";
import type { IndexedText, TextParts } from "../indexing/search-source.ts";
import type { Phrase, PhraseMatcher } from "../query/phrase.ts";
import type { PhraseField } from "./field-phrases.ts";

/** Maximum bytes and number of cached phrases: 55 phrases of 300,000 messages. */
const MEMORY_BYTES = 4 << 20;
const MAX_PHRASES = 128;

/** State of a message and a phrase: unknown (0), or whether the message contains it. */
export const LACKS = 1;
export const HOLDS = 2;
export type Knowledge = 0 | typeof LACKS | typeof HOLDS;

/** Two bits per message for one phrase. */
export class PhraseStates {
  private readonly bits: Uint8Array;

  constructor(documents: number) {
    this.bits = new Uint8Array((documents + 3) >> 2);
  }

  get(document: number): Knowledge {
    return ((this.bits[document >> 2]! >> ((document & 3) << 1)) & 3) as Knowledge;
  }

  /** Call once per message. */
  set(document: number, known: Knowledge): void {
    this.bits[document >> 2]! |= known << ((document & 3) << 1);
  }
}

/**
 * Caches which messages contain recent phrases. Computing this reads the texts of all messages with their words,
 * thousands for very common words: once per query, and not again with other conditions.
 */
export class PhraseMemory {
  private readonly known: LruCache<PhraseStates>;

  /** @param documents highest document number plus one */
  constructor(private readonly documents: number) {
    this.known = new LruCache(Math.min(MAX_PHRASES, Math.floor((4 * MEMORY_BYTES) / Math.max(1, documents))));
  }

  /** Known states of a phrase, to be updated. @param field null for subject, body and attachments */
  of(phrase: Phrase, field: PhraseField | null = null): PhraseStates {
    const key = phraseKey(phrase, field);
    const known = this.known.get(key) ?? new PhraseStates(this.documents);
    this.known.keep(key, known);
    return known;
  }
}

/** The same object for equal phrases. */
export function phraseKey({ tokens, signs, distance, members }: Phrase, field: PhraseField | null = null): string {
  return JSON.stringify([field, tokens, signs, distance, members]);
}

/** The text of a message, and the parts that contain all words of a phrase; the others are not read. */
export interface SearchedText {
  readonly document: number;
  readonly text: IndexedText;
  readonly parts: TextParts;
}

/** The body, and the other parts that may contain a phrase, each read when it is needed. */
export function* searchedParts({ document, text, parts }: SearchedText): Iterable<Uint8Array> {
  yield* text.passages();
  if (parts.isSubjectRead(document)) yield text.subject();
  if (parts.areFilesRead(document)) for (const file of text.files()) yield Buffer.from(file.text);
}

export function holdsPhrase(matcher: PhraseMatcher, searched: SearchedText): boolean {
  for (const part of searchedParts(searched)) if (matcher.occursIn(part)) return true;
  return false;
}
