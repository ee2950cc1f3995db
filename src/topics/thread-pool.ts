import { mixHash } from "../text/word-numbers.ts";
import { HashCounter } from "./hash-counter.ts";
import type { TermSegment } from "./term-segment.ts";
import { hashOfToken, LINE_END, LINE_HASH } from "./token.ts";

/** Messages of a thread that are read, the first ones: a digest of a thousand issues must not dominate. */
export const MAX_MESSAGES_POOLED = 30;
/** Words of the shortest line that can be boilerplate. */
export const MIN_BOILERPLATE_WORDS = 3;
/** A line is boilerplate when it stands in this share of the messages, and at least in so many threads. */
const BOILERPLATE_SHARE = 0.002;
const MIN_BOILERPLATE_MESSAGES = 12;

/** The terms of all messages with their threads, 4 bytes a token: the input of training and of assignment. */
export class ThreadPool {
  /** Number of threads; those without a message count as well. */
  readonly threads: number;
  private readonly blocks: Uint32Array[] = [];
  private readonly blockThreads: Int32Array[] = [];
  private readonly blockStarts: Uint32Array[] = [];
  private readonly tables: Uint8Array[] = [];

  constructor(threads: number) {
    this.threads = threads;
  }

  /** Adds the messages of a segment; add segments in the order of their messages. `threadOf[i]` is the thread of its message i, -1 for none. */
  add(segment: TermSegment, threadOf: Int32Array): void {
    this.blocks.push(segment.tokens);
    this.blockStarts.push(segment.starts);
    this.blockThreads.push(threadOf.slice(0, segment.messages));
    this.tables.push(segment.wordTable);
  }

  /** Word tables of all segments. */
  get wordTables(): readonly Uint8Array[] {
    return this.tables;
  }

  /** Messages by thread, in order: one column of (block, message) pairs and where each thread begins in it. */
  index(): PoolIndex {
    const starts = new Uint32Array(this.threads + 1);
    for (const threads of this.blockThreads) for (const thread of threads) if (thread >= 0) starts[thread + 1] = starts[thread + 1]! + 1;
    for (let thread = 0; thread < this.threads; thread++) starts[thread + 1] = starts[thread + 1]! + starts[thread]!;
    const blockOf = new Uint32Array(starts[this.threads]!);
    const messageOf = new Uint32Array(starts[this.threads]!);
    const next = starts.slice(0, this.threads);
    this.blockThreads.forEach((threads, block) => {
      for (let message = 0; message < threads.length; message++) {
        const thread = threads[message]!;
        if (thread < 0) continue;
        const slot = next[thread]!;
        next[thread] = slot + 1;
        blockOf[slot] = block;
        messageOf[slot] = message;
      }
    });
    return { starts, blockOf, messageOf };
  }

  /** The tokens of one segment; message i of it is [starts[i], starts[i + 1]). */
  block(number: number): { readonly tokens: Uint32Array; readonly starts: Uint32Array } {
    return { tokens: this.blocks[number]!, starts: this.blockStarts[number]! };
  }

  /** Hashes of lines that so many messages share that they say nothing: disclaimers, headings of forms, footers of lists. Ascending. */
  boilerplate(): Uint32Array {
    const counts = new HashCounter();
    let messages = 0;
    for (const [block, tokens] of this.blocks.entries()) {
      messages += this.blockStarts[block]!.length - 1;
      countLines(tokens, counts);
    }
    const least = Math.max(MIN_BOILERPLATE_MESSAGES, messages * BOILERPLATE_SHARE);
    const found: number[] = [];
    for (const [hash, count] of counts.entries()) if (count >= least) found.push(hash);
    return Uint32Array.from(found).sort();
  }
}

/** Counts lines by their words, not their capitals. Every message ends with a line end, so no line crosses from one into the next. */
function countLines(tokens: Uint32Array, counts: HashCounter): void {
  let start = 0;
  let hash = LINE_HASH;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (token !== LINE_END) {
      hash = mixHash(hash, hashOfToken(token));
      continue;
    }
    if (index - start >= MIN_BOILERPLATE_WORDS && hash !== 0) counts.add(hash >>> 0, 1);
    start = index + 1;
    hash = LINE_HASH;
  }
}

/** Where the messages of each thread are. Thread t owns the slots [starts[t], starts[t + 1]). */
export interface PoolIndex {
  readonly starts: Uint32Array;
  readonly blockOf: Uint32Array;
  readonly messageOf: Uint32Array;
}
