import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import type { CalendarEntry } from "../mail/calendar-event.ts";
import type { OutlookItem } from "../mail/item.ts";
import type { Attachment, Finding, MessageEnvelope } from "../mail/message.ts";

/** An attachment before its message has a number: the id is given later, `staged` names the saved bytes inside the run directory. */
export type StagedAttachment = Omit<Attachment, "id" | "path"> & { readonly staged: string | null };

/** Everything of a message but its body, between the passes. */
export interface StagedMessage {
  readonly kind: "message";
  /** The mail's own Message-ID, or `sha256:<hex>@archivetool` when it has none. */
  readonly key: string;
  readonly envelope: MessageEnvelope;
  readonly mailbox: string;
  readonly location: string;
  readonly flags: readonly string[];
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly attachments: readonly StagedAttachment[];
  readonly calendar: readonly CalendarEntry[];
  readonly gmailThreadId: string | null;
  readonly isAutomatic: boolean;
  readonly findings: readonly Finding[];
  /** Known after the second pass; null and 0 before. */
  readonly language: string | null;
  readonly bodyTokens: number;
}

export interface StagedAppointment {
  readonly kind: "appointment";
  readonly entry: CalendarEntry;
  readonly mailbox: string;
}

export interface StagedItem {
  readonly kind: "item";
  readonly item: OutlookItem;
  readonly mailbox: string;
}

export type StagedRecord = StagedMessage | StagedAppointment | StagedItem;

/** Bytes collected before they are written: large enough that system calls cost nothing. */
const WRITE_BUFFER_BYTES = 1 << 20;
/** Two lengths of four bytes: of the JSON and of the body behind it. */
const HEADER_BYTES = 8;
/** Segments are read in windows of this size; a larger record gets a window of its own. */
const READ_WINDOW_BYTES = 4 << 20;

/** Writes records to a private file: length of JSON, length of body, JSON, body. Bodies never pass through JSON. */
export class SegmentWriter {
  private readonly descriptor: number;
  private readonly buffer = Buffer.allocUnsafe(WRITE_BUFFER_BYTES);
  private used = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, "wx", 0o600);
  }

  append(record: StagedRecord, body: Uint8Array): void {
    const meta = JSON.stringify(record);
    const metaBytes = Buffer.byteLength(meta);
    const total = HEADER_BYTES + metaBytes + body.length;
    if (total > this.buffer.length - this.used) this.flush();
    if (total > this.buffer.length) {
      const header = Buffer.allocUnsafe(HEADER_BYTES);
      header.writeUInt32LE(metaBytes, 0);
      header.writeUInt32LE(body.length, 4);
      for (const part of [header, Buffer.from(meta), body]) writeFully(this.descriptor, part);
      return;
    }
    this.buffer.writeUInt32LE(metaBytes, this.used);
    this.buffer.writeUInt32LE(body.length, this.used + 4);
    this.used += HEADER_BYTES;
    this.used += this.buffer.write(meta, this.used, "utf8");
    this.buffer.set(body, this.used);
    this.used += body.length;
  }

  close(): void {
    this.flush();
    closeSync(this.descriptor);
  }

  private flush(): void {
    writeFully(this.descriptor, this.buffer.subarray(0, this.used));
    this.used = 0;
  }
}

function writeFully(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}

/** Records of a segment in order. `body` is valid until the next record is asked for. */
export function* readSegment(path: string): Generator<{ readonly record: StagedRecord; readonly body: Buffer }> {
  const descriptor = openSync(path, "r");
  try {
    const size = fstatSync(descriptor).size;
    let window = Buffer.allocUnsafe(Math.min(READ_WINDOW_BYTES, Math.max(size, HEADER_BYTES)));
    let start = 0;
    let filled = 0;
    let position = 0;
    const need = (bytes: number): void => {
      if (filled - start >= bytes) return;
      const larger = bytes > window.length ? Buffer.allocUnsafe(bytes) : window;
      window.copy(larger, 0, start, filled);
      filled -= start;
      start = 0;
      window = larger;
      while (filled < bytes) {
        const read = readSync(descriptor, window, filled, window.length - filled, position);
        if (read === 0) throw new Error(`staged segment ends early: ${path}`);
        filled += read;
        position += read;
      }
    };
    let consumed = 0;
    while (consumed < size) {
      need(HEADER_BYTES);
      const metaBytes = window.readUInt32LE(start);
      const bodyBytes = window.readUInt32LE(start + 4);
      const total = HEADER_BYTES + metaBytes + bodyBytes;
      need(total);
      const metaStart = start + HEADER_BYTES;
      const record = JSON.parse(window.toString("utf8", metaStart, metaStart + metaBytes)) as StagedRecord;
      yield { record, body: window.subarray(metaStart + metaBytes, start + total) };
      start += total;
      consumed += total;
    }
  } finally {
    closeSync(descriptor);
  }
}
