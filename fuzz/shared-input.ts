/** Words of the head: inputs tried, length of the present one, and the second it began in (0: between two). */
const TRIED = 0;
const LENGTH = 1;
const BEGAN = 2;
const HEAD_WORDS = 4;

/**
 * What an attacked thread is doing, in memory that outlives it: an input that kills or hangs the thread can still be
 * read.
 */
export class SharedInput {
  private readonly head: Int32Array;
  private readonly bytes: Uint8Array;

  constructor(readonly memory: SharedArrayBuffer) {
    this.head = new Int32Array(memory, 0, HEAD_WORDS);
    this.bytes = new Uint8Array(memory, HEAD_WORDS * Int32Array.BYTES_PER_ELEMENT);
  }

  static of(bytesMax: number): SharedInput {
    return new SharedInput(new SharedArrayBuffer(HEAD_WORDS * Int32Array.BYTES_PER_ELEMENT + bytesMax));
  }

  begin(input: Uint8Array): void {
    this.bytes.set(input);
    this.head[LENGTH] = input.length;
    Atomics.add(this.head, TRIED, 1);
    Atomics.store(this.head, BEGAN, Math.max(1, secondsNow()));
  }

  finish(): void {
    Atomics.store(this.head, BEGAN, 0);
  }

  get tried(): number {
    return Atomics.load(this.head, TRIED);
  }

  /** The input that is being read, or was when the thread died; null between two. */
  get current(): Buffer | null {
    if (Atomics.load(this.head, BEGAN) === 0) return null;
    return Buffer.from(this.bytes.slice(0, this.head[LENGTH]));
  }

  /** Seconds since the present input was begun; 0 between two. */
  get secondsAtIt(): number {
    const began = Atomics.load(this.head, BEGAN);
    return began === 0 ? 0 : secondsNow() - began;
  }
}

/** Seconds of the system's clock, within 31 bits; the same in every thread. */
function secondsNow(): number {
  return Math.floor(Date.now() / 1000) % 2 ** 31;
}
