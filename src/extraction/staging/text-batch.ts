import { Utf8Buffer } from "../../columns/utf8-buffer.ts";

/** Bytes gathered before they are processed: a few hundred messages. */
const BATCH_BYTES = 1 << 20;

/** The indexed fields and bodies of consecutive messages, in one reused block of memory. */
export class TextBatch {
  private readonly bytes = new Utf8Buffer();
  /** For each message: start of its fields, start of its body, and end. */
  private readonly bounds: number[] = [];

  get isFull(): boolean {
    return this.bytes.length >= BATCH_BYTES;
  }

  get count(): number {
    return this.bounds.length / 3;
  }

  add(fields: Uint8Array, body: Uint8Array): void {
    this.bounds.push(this.bytes.length);
    this.bytes.append(fields);
    this.bounds.push(this.bytes.length);
    this.bytes.append(body);
    this.bounds.push(this.bytes.length);
  }

  /** Views, valid until the next message is added. */
  fields(index: number): Buffer {
    return this.bytes.bytes.subarray(this.bounds[index * 3], this.bounds[index * 3 + 1]);
  }

  body(index: number): Buffer {
    return this.bytes.bytes.subarray(this.bounds[index * 3 + 1], this.bounds[index * 3 + 2]);
  }

  clear(): void {
    this.bytes.clear();
    this.bounds.length = 0;
  }
}
