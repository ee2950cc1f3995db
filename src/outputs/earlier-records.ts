import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { readFully } from "../files/read-fully.ts";
import type { MessageId } from "../mail/records/ids.ts";
import { ordinalOf } from "../mail/records/ids.ts";
import { COMMA, CR, LF, QUOTE } from "../mail/words/ascii.ts";
import type { EarlierOutput } from "./earlier-output.ts";

/** Bytes read at a time; the window grows for a longer record. */
const WINDOW_BYTES = 1 << 20;

/** How a file stores one record per message, in ordinal order. */
interface RecordShape {
  readonly file: string;
  /** End of the record at `start`, including its line break; -1 if it is incomplete. */
  endOf(bytes: Buffer, start: number): number;
  /** The generated part of a message's record. */
  contentOf(record: Buffer): Buffer;
  /** Returns null if it is not a message. */
  idOf(record: Buffer): string | null;
}

/** Records of an earlier file, for unchanged messages. */
export interface EarlierRecords {
  /** Call in the order of ids; the result is valid until the next call. Null if the record must be generated. */
  of(id: MessageId): Buffer | null;
  close(): void;
}

const NO_RECORDS: EarlierRecords = { of: () => null, close: () => undefined };

export function earlierRecords(earlier: EarlierOutput | null, shape: RecordShape): EarlierRecords {
  if (!earlier?.files.has(shape.file)) return NO_RECORDS;
  const walk = new RecordWalk(join(earlier.directory, shape.file), shape);
  return {
    of: (id) => {
      const ordinal = ordinalOf("msg", id)!;
      return earlier.isUnchanged(ordinal) ? walk.find(ordinal) : null;
    },
    close: () => walk.close(),
  };
}

class RecordWalk {
  private readonly descriptor: number;
  private window = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  private filled = 0;
  private start = 0;
  private isAtEnd = false;

  constructor(
    path: string,
    private readonly shape: RecordShape,
  ) {
    this.descriptor = openSync(path, "r");
  }

  find(wanted: number): Buffer | null {
    for (let record = this.peek(); record !== null; record = this.peek()) {
      const id = this.shape.idOf(record);
      const ordinal = id === null ? null : ordinalOf("msg", id);
      if (ordinal !== null && ordinal > wanted) return null;
      this.start += record.length;
      if (ordinal === wanted) return this.shape.contentOf(record);
    }
    return null;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private peek(): Buffer | null {
    for (;;) {
      const filled = this.window.subarray(0, this.filled);
      const end = this.start < this.filled ? this.shape.endOf(filled, this.start) : -1;
      if (end >= 0) return filled.subarray(this.start, end);
      if (this.isAtEnd) return null;
      this.readOn();
    }
  }

  private readOn(): void {
    const left = this.filled - this.start;
    const window = left * 2 > this.window.length ? Buffer.allocUnsafeSlow(this.window.length * 2) : this.window;
    this.window.copy(window, 0, this.start, this.filled);
    this.window = window;
    const count = readFully(this.descriptor, window.subarray(left), null);
    this.isAtEnd = count === 0;
    this.filled = left + count;
    this.start = 0;
  }
}

/** Precedes the id of a message in its line: quotes inside a text are preceded by a backslash. */
const JSON_ID = ',"id":"';
const JSON_ID_PART = Buffer.from(`${JSON_ID}msg-`);

/** extraction.json: one element per line. */
export const DOCUMENT_LINES: RecordShape = {
  file: "extraction.json",
  endOf: (bytes, start) => bytes.indexOf(LF, start) + 1 || -1,
  contentOf: (line) => line.subarray(0, line.length - (line.at(-2) === COMMA ? 2 : 1)),
  idOf: (line) => {
    const at = line.indexOf(JSON_ID_PART);
    if (at < 0) return null;
    const start = at + JSON_ID.length;
    return line.toString("latin1", start, line.indexOf(QUOTE, start));
  },
};

/** emails.csv: a row ends at the first line end outside quotes (RFC 4180). */
export const CSV_ROWS: RecordShape = {
  file: "emails.csv",
  endOf: (bytes, start) => {
    let lineEnd = bytes.indexOf(CR, start);
    for (let quote = bytes.indexOf(QUOTE, start); ; quote = bytes.indexOf(QUOTE, quote + 1)) {
      if (lineEnd < 0 || lineEnd + 1 >= bytes.length) return -1;
      if (quote < 0 || lineEnd < quote) return lineEnd + 2;
      quote = bytes.indexOf(QUOTE, quote + 1);
      if (quote < 0) return -1;
      if (lineEnd < quote) lineEnd = bytes.indexOf(CR, quote);
    }
  },
  contentOf: (row) => row,
  idOf: (row) => row.toString("latin1", 0, row.indexOf(",")),
};
