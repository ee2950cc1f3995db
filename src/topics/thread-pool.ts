import { HashCounter } from "./hash-counter.ts";
import type { TermSegment } from "./term-segment.ts";
import { hashOfToken, LINE_END, mixHash } from "./token.ts";

/** Messages of a thread that are read, the first ones: a digest of a thousand issues must not dominate. */
const MAX_MESSAGES_POOLED = 30;
/** Words of the shortest line that can be boilerplate. */
const MIN_BOILERPLATE_WORDS = 3;
/** A line is boilerplate when it stands in this share of the messages, and at least in so many threads. */
const BOILERPLATE_SHARE = 0.002;
const MIN_BOILERPLATE_MESSAGES = 12;

/** Calls back for each line of packed tokens with its hash (of the words, not of their capitals); 0 when it is too short to matter. */
export function forEachLine(tokens: Uint32Array, visit: (start: number, end: number, hash: number) => void): void {
  let start = 0;
  let hash = 1;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (token !== LINE_END) {
      hash = mixHash(hash, hashOfToken(token));
      continue;
    }
    visit(start, index, index - start < MIN_BOILERPLATE_WORDS ? 0 : hash >>> 0);
    start = index + 1;
    hash = 1;
  }
}

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

  /** Tokens of the first messages of a thread. */
  *messagesOf(index: PoolIndex, thread: number): Generator<Uint32Array> {
    const first = index.starts[thread]!;
    const end = Math.min(index.starts[thread + 1]!, first + MAX_MESSAGES_POOLED);
    for (let slot = first; slot < end; slot++) yield this.tokensAt(index.blockOf[slot]!, index.messageOf[slot]!);
  }

  private tokensAt(block: number, message: number): Uint32Array {
    const starts = this.blockStarts[block]!;
    return this.blocks[block]!.subarray(starts[message]!, starts[message + 1]!);
  }

  /** Hashes of lines that so many messages share that they say nothing: disclaimers, headings of forms, footers of lists. Ascending. */
  boilerplate(): Uint32Array {
    const counts = new HashCounter();
    let messages = 0;
    for (const [block, starts] of this.blockStarts.entries()) {
      for (let message = 0; message + 1 < starts.length; message++) {
        messages++;
        forEachLine(this.tokensAt(block, message), (_start, _end, hash) => {
          if (hash !== 0) counts.add(hash, 1);
        });
      }
    }
    const least = Math.max(MIN_BOILERPLATE_MESSAGES, messages * BOILERPLATE_SHARE);
    const found: number[] = [];
    for (const [hash, count] of counts.entries()) if (count >= least) found.push(hash);
    return Uint32Array.from(found).sort();
  }
}

/** Where the messages of each thread are. Thread t owns the slots [starts[t], starts[t + 1]). */
export interface PoolIndex {
  readonly starts: Uint32Array;
  readonly blockOf: Uint32Array;
  readonly messageOf: Uint32Array;
}
