import {
  PagedFloat64Column,
  PagedInt32Column,
  PagedUint8Column,
  PagedUint32Column,
} from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { FIRST_MESSAGE, type MessageIndex, type ThreadOrdinal } from "../../mail/records/ordinal.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import { isOlder, type NumberedThreads } from "./thread-rows.ts";

const NONE = -1;

/** Collects the subject of the oldest message of each thread from rows as they pass; mostly stored in a file. */
export class ThreadSubjects {
  private readonly threadOf: NumberedThreads["ordinalOf"];
  /** By thread. */
  private readonly oldest: PagedInt32Column;
  /** By thread: start and length of its subject in bytes of UTF-8. */
  private readonly starts: PagedFloat64Column;
  private readonly lengths: PagedUint32Column;
  private readonly bytes: PagedUint8Column;

  constructor(threads: NumberedThreads, ledger: Ledger, memory: PagedMemory) {
    this.threadOf = threads.ordinalOf;
    this.oldest = oldestMessages(threads, ledger, memory);
    this.starts = new PagedFloat64Column(memory);
    this.lengths = new PagedUint32Column(memory);
    this.bytes = new PagedUint8Column(memory);
    for (let thread = 0; thread <= threads.last; thread++) {
      this.starts.push(0);
      this.lengths.push(0);
    }
  }

  offer(message: MessageIndex, subject: string): void {
    const thread = this.threadOf(message);
    if (this.oldest.at(thread) !== message) return;
    const bytes = Buffer.from(subject, "utf8");
    this.starts.set(thread, this.bytes.length);
    this.lengths.set(thread, bytes.length);
    this.bytes.write(this.bytes.length, bytes);
  }

  of(thread: ThreadOrdinal): string {
    const start = this.starts.at(thread);
    return Buffer.from(this.bytes.slice(start, start + this.lengths.at(thread))).toString("utf8");
  }

  /** Frees the memory. No subject may be read after this. */
  clear(): void {
    for (const part of [this.oldest, this.starts, this.lengths, this.bytes]) part.clear();
  }
}

/** By thread: its oldest message; the first if several have the same date. */
function oldestMessages(
  { ordinalOf, last }: NumberedThreads,
  { sentAt, messageCount }: Ledger,
  memory: PagedMemory,
): PagedInt32Column {
  const oldest = new PagedInt32Column(memory);
  oldest.extend(last + 1, NONE);
  for (let message = FIRST_MESSAGE; message < messageCount; message++) {
    const thread = ordinalOf(message);
    const known = oldest.at(thread);
    if (known === NONE || isOlder(sentAt.at(message), sentAt.at(known))) oldest.set(thread, message);
  }
  return oldest;
}
