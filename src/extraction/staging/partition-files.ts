import { closeSync, openSync, rmSync } from "node:fs";
import { ReusableFileReader, writeFully } from "../../files/read-fully.ts";
import type { Partitions } from "../../topics/partitions.ts";

/** Words buffered for a partition (16 KiB): an archive of ten million messages has about 800 partitions. */
const WAITING_WORDS = 4 << 10;

interface Waiting {
  readonly words: Uint32Array;
  count: number;
}

/** Partitions as files `<base>-<n>`, private to the run. */
export class PartitionFiles implements Partitions {
  private readonly waiting: Waiting[] = [];
  private readonly reader = new ReusableFileReader();

  constructor(private readonly base: string) {}

  append(partition: number, words: Uint32Array): void {
    while (this.waiting.length <= partition) this.waiting.push({ words: new Uint32Array(WAITING_WORDS), count: 0 });
    const waiting = this.waiting[partition]!;
    if (waiting.count + words.length > WAITING_WORDS) this.flush(partition, waiting);
    if (words.length > WAITING_WORDS) {
      this.write(partition, words);
      return;
    }
    waiting.words.set(words, waiting.count);
    waiting.count += words.length;
  }

  read(partition: number): Uint32Array {
    const waiting = this.waiting[partition];
    if (waiting === undefined) return new Uint32Array(0);
    this.flush(partition, waiting);
    const { buffer, byteOffset, byteLength } = this.reader.read(this.pathOf(partition));
    return new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
  }

  /** Deletes the files. */
  remove(): void {
    for (const partition of this.waiting.keys()) rmSync(this.pathOf(partition), { force: true });
  }

  private flush(partition: number, waiting: Waiting): void {
    this.write(partition, waiting.words.subarray(0, waiting.count));
    waiting.count = 0;
  }

  private write(partition: number, words: Uint32Array): void {
    const descriptor = openSync(this.pathOf(partition), "a", 0o600);
    try {
      writeFully(descriptor, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    } finally {
      closeSync(descriptor);
    }
  }

  private pathOf(partition: number): string {
    return `${this.base}-${partition}`;
  }
}
