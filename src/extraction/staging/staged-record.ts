import { closeSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import { readFully, writeFully } from "../../files/read-fully.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { OutlookItem } from "../../mail/records/item.ts";
import {
  type EnvelopeExtras,
  type PackedMessage,
  packMessage,
  type StagedEnvelope,
  unpackMessage,
} from "./packed-message.ts";
import type { StagedAttachment, StagedMessage } from "./staged-message.ts";

export interface StagedAppointment {
  readonly kind: "appointment";
  readonly entry: CalendarEntry;
  /** True for a changed occurrence of the series before it: it is not counted. */
  readonly isPart: boolean;
  readonly mailbox: string;
  readonly location: string;
  /** Fingerprint, lower-case hex. */
  readonly sha256: string;
  readonly attachments: readonly StagedAttachment[];
}

export interface StagedItem {
  readonly kind: "item";
  readonly item: OutlookItem;
  readonly mailbox: string;
  readonly location: string;
  /** Fingerprint, lower-case hex. */
  readonly sha256: string;
  readonly attachments: readonly StagedAttachment[];
}

export type StagedRecord = StagedMessage | StagedAppointment | StagedItem;

/**
 * Bytes buffered before writing, to make system calls negligible. V8 counts buffers as heap growth: with 1 MiB per
 * unit, it marked the whole heap every few units.
 */
const WRITE_BUFFER_BYTES = 256 * 1024;
/** Kind and three lengths of four bytes each: of the JSON, of the indexed fields and of the body. */
const HEADER_BYTES = 16;
const KINDS = ["message", "appointment", "item"] as const;
/** Size of the read windows for segments, limited for the same reason; a larger record gets its own window. */
const READ_WINDOW_BYTES = 256 * 1024;

/** Bytes staged next to the record, without passing through JSON. */
interface StagedBytes {
  /** Header fields to index (indexed-fields.ts). */
  readonly fields: Uint8Array;
  /** UTF-8. */
  readonly body: Uint8Array;
}

const NO_BYTES: StagedBytes = { fields: new Uint8Array(0), body: new Uint8Array(0) };

/** Writes records to a private file, each as header, JSON, indexed fields, body. */
export class SegmentWriter {
  private readonly descriptor: number;
  private readonly buffer = Buffer.allocUnsafe(WRITE_BUFFER_BYTES);
  private used = 0;

  /** @param end where to continue the segment, in bytes: the rest is truncated. Null to create a new file. */
  constructor(path: string, end: number | null = null) {
    this.descriptor = openSync(path, end === null ? "wx" : "a", 0o600);
    if (end !== null) ftruncateSync(this.descriptor, end);
  }

  append(record: StagedRecord, bytes: StagedBytes = NO_BYTES): void {
    if (record.kind === "message") this.appendMessage(record, record, bytes);
    else this.write(record.kind, JSON.stringify(record), bytes);
  }

  /** A newly read message, in its two parts. */
  appendMessage(envelope: StagedEnvelope, beside: EnvelopeExtras, bytes: StagedBytes): void {
    this.write("message", JSON.stringify(packMessage(envelope, beside)), bytes);
  }

  private write(kind: StagedRecord["kind"], meta: string, { fields, body }: StagedBytes): void {
    const metaBytes = Buffer.byteLength(meta);
    const total = HEADER_BYTES + metaBytes + fields.length + body.length;
    if (total > this.buffer.length - this.used) this.flush();
    this.writeHeader(KINDS.indexOf(kind), [metaBytes, fields.length, body.length]);
    if (total > this.buffer.length) {
      this.flush();
      for (const part of [Buffer.from(meta), fields, body]) writeFully(this.descriptor, part);
      return;
    }
    this.used += this.buffer.write(meta, this.used, "utf8");
    this.buffer.set(fields, this.used);
    this.used += fields.length;
    this.buffer.set(body, this.used);
    this.used += body.length;
  }

  private writeHeader(kind: number, lengths: readonly number[]): void {
    this.used = this.buffer.writeUInt32LE(kind, this.used);
    for (const length of lengths) this.used = this.buffer.writeUInt32LE(length, this.used);
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

/** A record in a segment; valid until the next one is read. */
export interface StagedEntry {
  readonly kind: StagedRecord["kind"];
  /** The record, decoded on demand. */
  readonly json: Buffer;
  readonly fields: Buffer;
  readonly body: Buffer;
}

export function recordOf(entry: StagedEntry): StagedRecord {
  const record: unknown = JSON.parse(entry.json.toString("utf8"));
  return entry.kind === "message" ? unpackMessage(record as PackedMessage) : (record as StagedRecord);
}

/** Entries of a segment in order. */
export function* readSegment(path: string): Generator<StagedEntry> {
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
      const read = readFully(descriptor, window.subarray(filled), position);
      filled += read;
      position += read;
      if (filled < bytes) throw new Error(`staged segment ends early: ${path}`);
    };
    let consumed = 0;
    while (consumed < size) {
      need(HEADER_BYTES);
      const kind = KINDS[window.readUInt32LE(start)]!;
      const jsonBytes = window.readUInt32LE(start + 4);
      const fieldsBytes = window.readUInt32LE(start + 8);
      const total = HEADER_BYTES + jsonBytes + fieldsBytes + window.readUInt32LE(start + 12);
      need(total);
      const json = start + HEADER_BYTES;
      const fields = json + jsonBytes;
      const body = fields + fieldsBytes;
      yield {
        kind,
        json: window.subarray(json, fields),
        fields: window.subarray(fields, body),
        body: window.subarray(body, start + total),
      };
      start += total;
      consumed += total;
    }
  } finally {
    closeSync(descriptor);
  }
}
