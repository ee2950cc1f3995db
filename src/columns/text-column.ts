import { Uint32Column } from "./column.ts";
import { GrowableBuffer } from "./growable-buffer.ts";

const FIRST_BYTES = 1 << 12;
/** Capacity of texts doubles up to steps of this size. */
const STEP_BYTES = 1 << 18;
/** UTF-8 of one UTF-16 unit is at most this long. */
const BYTES_PER_UNIT = 3;

/**
 * A growable list of texts as UTF-8, in the memory of a column: a text costs its bytes plus four, while a string costs
 * 16 more and slows down every garbage collection.
 */
export class TextColumn {
  private readonly memory = new GrowableBuffer(FIRST_BYTES);
  private bytes = Buffer.from(this.memory.buffer, 0, FIRST_BYTES);
  private used = 0;
  private readonly ends = new Uint32Column();

  get length(): number {
    return this.ends.length;
  }

  /** @param text well-formed; unpaired surrogates become U+FFFD */
  push(text: string): void {
    const most = this.used + text.length * BYTES_PER_UNIT;
    if (most > this.bytes.length) this.grow(most);
    this.used += this.bytes.write(text, this.used);
    this.ends.push(this.used);
  }

  /** The text at an index below `length`. */
  at(index: number): string {
    return this.bytes.toString("utf8", index === 0 ? 0 : this.ends.at(index - 1), this.ends.at(index));
  }

  /** Empties the list and frees its memory at once. */
  clear(): void {
    this.ends.clear();
    this.used = 0;
    this.resize(0);
  }

  private grow(least: number): void {
    const { byteLength } = this.memory.buffer;
    this.resize(Math.max(least, byteLength + Math.min(byteLength, STEP_BYTES)));
  }

  private resize(byteLength: number): void {
    this.memory.resize(byteLength);
    // A fixed-length view, as for columns, which avoids a length lookup at every access.
    this.bytes = Buffer.from(this.memory.buffer, 0, byteLength);
  }
}
