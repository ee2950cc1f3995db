import { growArray } from "../columns/grow-array.ts";
import { caseOfToken, hashOfToken, LetterCase } from "./token.ts";
import type { TopicTermScanner } from "./topic-terms.ts";
import { WordTable } from "./word-table.ts";

/** "ATT1": topic terms, first layout. */
const MAGIC = 0x41545431;
/** Header of a segment: magic, messages, tokens, words. */
const HEADER_WORDS = 4;
const INITIAL_TOKENS = 1 << 14;

/** Distinguishes a written form ("eBay") from the normal form of the same word in the word table. */
const MIXED_MARK = 1;

/**
 * Collects the terms of consecutive messages in a worker, to be written as one segment. Layout, little-endian 32-bit
 * words: header; tokens of each message (a count); all tokens; then the words, each as (hash << 1 | mixed), length in
 * UTF-8 bytes (a byte), bytes.
 */
export class TermSegmentEncoder {
  private counts: Uint32Array = new Uint32Array(1024);
  private messages = 0;
  private tokens: Uint32Array = new Uint32Array(INITIAL_TOKENS);
  private length = 0;
  private readonly words = new WordTable();

  /** Adds the tokens of the next message. */
  append({ tokens, count, spelling, wordEnds }: TopicTermScanner): void {
    if (this.messages === this.counts.length) this.counts = growArray(this.counts);
    this.counts[this.messages++] = count;
    if (this.length + count > this.tokens.length) this.tokens = growArray(this.tokens, this.length + count);
    let start = 0;
    for (let index = 0; index < count; index++) {
      const token = tokens[index]!;
      this.tokens[this.length++] = token;
      const end = wordEnds[index]!;
      if (end > start) this.words.add(wordKey(token), { units: spelling, start, end });
      start = end;
    }
  }

  /** The segment; the encoder may not be used again. */
  finish(): Uint8Array {
    const table = this.words.encode();
    const head = Uint32Array.of(MAGIC, this.messages, this.length, this.words.size);
    const parts = [head, this.counts.subarray(0, this.messages), this.tokens.subarray(0, this.length), table];
    const segment = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
    let offset = 0;
    for (const part of parts) {
      segment.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), offset);
      offset += part.byteLength;
    }
    return segment;
  }
}

function wordKey(token: number): number {
  return hashOfToken(token) * 2 + (caseOfToken(token) === LetterCase.mixed ? MIXED_MARK : 0);
}

/** A decoded segment. */
export interface TermSegment {
  readonly messages: number;
  /** Tokens of all messages; message i is tokens[starts[i], starts[i + 1]). */
  readonly tokens: Uint32Array;
  readonly starts: Uint32Array;
  /** The word table, still encoded: only the words of keywords are ever needed. */
  readonly wordTable: Uint8Array;
}

/**
 * Reads what `TermSegmentEncoder` wrote on a machine of the same byte order; the segment is a view of the bytes.
 * @throws RangeError on other bytes
 */
export function decodeTermSegment(bytes: Uint8Array): TermSegment {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_WORDS * 4 || view.getUint32(0, true) !== MAGIC)
    throw new RangeError("not a segment of topic terms");
  const messages = view.getUint32(4, true);
  const length = view.getUint32(8, true);
  const columnsEnd = (HEADER_WORDS + messages + length) * 4;
  if (columnsEnd > bytes.byteLength) throw new RangeError("a segment of topic terms is truncated");
  const columns = wordsOf(bytes.subarray(HEADER_WORDS * 4, columnsEnd));
  const starts = new Uint32Array(messages + 1);
  for (let message = 0; message < messages; message++) starts[message + 1] = starts[message]! + columns[message]!;
  return { messages, tokens: columns.subarray(messages), starts, wordTable: bytes.subarray(columnsEnd) };
}

/** Bytes as 32-bit words, in place if they are aligned. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const { buffer, byteOffset, byteLength } =
    bytes.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

/** A word and its displayed form. */
export interface WordForms {
  /** Normal form: lower case, singular. */
  readonly normal: string | null;
  /** The written form with unusual capitals, such as "eBay". */
  readonly mixed: string | null;
}

/** Words of the requested hashes from all word tables; independent of the order and number of tables. */
export function lookUpWords(tables: Iterable<Uint8Array>, wanted: ReadonlySet<number>): ReadonlyMap<number, WordForms> {
  const found = new Map<number, WordForms>();
  const decoder = new TextDecoder();
  const smaller = (word: string, known: string | null): string => (known !== null && known < word ? known : word);
  for (const table of tables) {
    const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
    for (let offset = 0; offset + 5 <= table.length; offset += 5 + table[offset + 4]!) {
      const key = view.getUint32(offset, true);
      const hash = key >>> 1;
      if (!wanted.has(hash)) continue;
      const word = decoder.decode(table.subarray(offset + 5, offset + 5 + table[offset + 4]!));
      const { normal, mixed } = found.get(hash) ?? { normal: null, mixed: null };
      found.set(
        hash,
        (key & MIXED_MARK) === 0 ? { normal: smaller(word, normal), mixed } : { normal, mixed: smaller(word, mixed) },
      );
    }
  }
  return found;
}
