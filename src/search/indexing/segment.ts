import { ArchiveError } from "../../errors.ts";
import { VarintReader, type VarintWriter } from "./varint.ts";

/**
 * A segment is the sorted index of one range of messages, as a worker writes it to a private file:
 * magic, varints (first document, count, each length, postings, terms), then for each term in byte order
 * varint(length) spelling varint(document frequency) varint(last document) varint(bytes) postings.
 */
const MAGIC = 0x53;
/** Format number after the magic byte. Segments never outlive the run that wrote them, so there is only one. */
const VERSION = 1;

interface SegmentHead {
  readonly firstDocument: number;
  /** Weighted token count of each message, in order. */
  readonly lengths: ArrayLike<number>;
  readonly postingCount: number;
  readonly termCount: number;
}

/** Random access to the bytes of a segment, in memory or in a file. */
export interface SegmentBytes {
  readonly size: number;
  /** Up to `length` bytes from `at` on. They must stay unchanged until the next call. */
  read(at: number, length: number): Uint8Array;
  /** Releases the read buffers; the source can be read again. */
  close(): void;
}

/** Terms in byte order with their postings. The views are valid until `next` is called again. */
export interface TermCursor {
  readonly term: Uint8Array;
  readonly documentFrequency: number;
  readonly lastDocument: number;
  readonly postings: Uint8Array;
  next(): boolean;
}

export function writeSegmentHead(writer: VarintWriter, head: SegmentHead): void {
  writer.writeVarint(MAGIC);
  writer.writeVarint(VERSION);
  writer.writeVarint(head.firstDocument);
  writer.writeVarint(head.lengths.length);
  for (let i = 0; i < head.lengths.length; i++) writer.writeVarint(head.lengths[i]!);
  writer.writeVarint(head.postingCount);
  writer.writeVarint(head.termCount);
}

/** Bytes read from a segment at a time, if there are few segments. */
const WINDOW_BYTES = 256 * 1024;
/** A page of most file systems: smaller reads save nothing. */
const LEAST_WINDOW_BYTES = 4 * 1024;
/** Total bytes of the windows of a merge, one per segment. */
const WINDOWS_BYTES = 8 << 20;

/** Bytes of the window of each segment, by their number. */
export function windowBytes(segments: number): number {
  return Math.max(LEAST_WINDOW_BYTES, Math.min(WINDOW_BYTES, Math.floor(WINDOWS_BYTES / segments)));
}
/** Upper bound of the varints between two variable parts of a head or entry: four of five bytes. */
const ENTRY_HEAD_BYTES = 20;

/** Reads a segment front to back through a window of bounded size. */
export class SegmentCursor implements TermCursor {
  readonly head: SegmentHead;
  term: Uint8Array = new Uint8Array(0);
  documentFrequency = 0;
  lastDocument = 0;
  postings: Uint8Array = new Uint8Array(0);
  private window = new VarintReader(new Uint8Array(0));
  /** Position of the window in the segment. */
  private windowStart = 0;
  private remaining: number;

  /**
   * @param windowBytes bytes of the segment in memory, unless one entry is larger
   * @throws ArchiveError INTERNAL_ERROR if the bytes are not a segment.
   */
  constructor(
    private readonly source: SegmentBytes,
    private readonly windowBytes: number = WINDOW_BYTES,
  ) {
    this.need(ENTRY_HEAD_BYTES);
    const { firstDocument, documents } = readBeginning(this.window);
    const lengths = new Uint32Array(documents);
    for (let i = 0; i < lengths.length; i++) {
      this.need(ENTRY_HEAD_BYTES);
      lengths[i] = this.window.readVarint();
    }
    this.need(ENTRY_HEAD_BYTES);
    const postingCount = this.window.readVarint();
    this.remaining = this.window.readVarint();
    this.head = { firstDocument, lengths, postingCount, termCount: this.remaining };
  }

  next(): boolean {
    if (this.remaining === 0) return false;
    this.remaining--;
    this.need(ENTRY_HEAD_BYTES);
    const spellingBytes = this.window.readVarint();
    this.need(spellingBytes + ENTRY_HEAD_BYTES);
    const spellingAt = this.windowStart + this.window.at;
    this.window.at += spellingBytes;
    this.documentFrequency = this.window.readVarint();
    this.lastDocument = this.window.readVarint();
    const postingBytes = this.window.readVarint();
    const postingsAt = this.windowStart + this.window.at;
    this.window.at = spellingAt - this.windowStart;
    // Loads the whole entry into one window before returning views of it.
    this.need(postingsAt + postingBytes - spellingAt);
    this.term = this.window.readBytes(spellingBytes);
    this.window.at = postingsAt - this.windowStart;
    this.postings = this.window.readBytes(postingBytes);
    return true;
  }

  /** Advances the window if fewer than `count` bytes are left in it. */
  private need(count: number): void {
    const { window } = this;
    if (window.bytes.length - window.at >= count) return;
    const position = this.windowStart + window.at;
    if (this.windowStart + window.bytes.length >= this.source.size) return;
    this.windowStart = position;
    const { buffer, byteOffset, byteLength } = this.source.read(position, Math.max(count, this.windowBytes));
    // A view of a Buffer would be a Buffer, which V8 creates several times as slowly.
    this.window = new VarintReader(new Uint8Array(buffer, byteOffset, byteLength));
  }
}

/** Number of messages in a closed segment. */
export function segmentDocuments(source: SegmentBytes): number {
  const { documents } = readBeginning(new VarintReader(source.read(0, ENTRY_HEAD_BYTES)));
  source.close();
  return documents;
}

function readBeginning(reader: VarintReader): { readonly firstDocument: number; readonly documents: number } {
  if (reader.readVarint() !== MAGIC || reader.readVarint() !== VERSION)
    throw new ArchiveError("INTERNAL_ERROR", "an index segment is damaged");
  return { firstDocument: reader.readVarint(), documents: reader.readVarint() };
}

/** A segment in memory. */
export function segmentInMemory(bytes: Uint8Array): SegmentBytes {
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length), close: () => undefined };
}
