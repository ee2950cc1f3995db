import { GrowableBuffer } from "./growable-buffer.ts";

/** Bytes that are swapped out and in at a time. */
export const PAGE_BYTES = 1 << 14;
/**
 * Bytes of pages in memory: those of some hundred thousand messages, so that most archives need no file, and hundreds
 * of pages for each column of any other.
 */
const HELD_BYTES = 16 << 20;
/**
 * Objects of one kind kept in memory, with their index, before further ones are serialized to pages. V8's garbage grows
 * to three times the live size, so each object costs four times its size.
 */
const HELD_OBJECTS = 4_000;
/** Pages that are allocated at a time. */
const SLAB_PAGES = 64;

/** Stores pages that do not fit into memory, in numbered slots. */
export interface PageFile {
  write(place: number, page: Uint8Array): void;
  /** Fills a page with the content last written there. */
  read(place: number, page: Uint8Array): void;
}

/** Owner of pages in a memory. */
export interface PageOwner {
  /** Takes a page back before its memory is reused: unwritten content is lost. */
  release(page: number, bytes: Uint8Array): void;
}

interface Frame {
  readonly bytes: Uint8Array<ArrayBuffer>;
  owner: PageOwner | null;
  page: number;
}

/**
 * Memory of bounded size shared by columns, with FIFO eviction. Columns are mostly filled and read from start to end,
 * so FIFO works as well as LRU, and a read has no bookkeeping.
 */
export class PagedMemory {
  private readonly mostObjects: number;
  private slabs: GrowableBuffer[] = [];
  private frames: Frame[] = [];
  private readonly mostFrames: number;
  private free: Frame[] = [];
  private turn = 0;
  private readonly freePlaces: number[] = [];
  private places = 0;

  constructor(
    readonly file: PageFile,
    heldBytes = HELD_BYTES,
    heldObjects = HELD_OBJECTS,
  ) {
    this.mostObjects = heldObjects;
    this.mostFrames = Math.max(1, Math.floor(heldBytes / PAGE_BYTES));
  }

  /** Maximum number of objects of one kind that an owner of pages may keep in memory. */
  get heldObjects(): number {
    return this.mostObjects;
  }

  /** Assigns a frame to a page of an owner until its `release` is called. The bytes are not cleared. */
  take(owner: PageOwner, page: number): Uint8Array<ArrayBuffer> {
    if (this.free.length === 0 && this.frames.length < this.mostFrames) this.allocate();
    const frame = this.free.pop() ?? this.oldest();
    frame.owner?.release(frame.page, frame.bytes);
    frame.owner = owner;
    frame.page = page;
    return frame.bytes;
  }

  /** Returns a free offset in the file. */
  takePlace(): number {
    return this.freePlaces.pop() ?? this.places++;
  }

  /** Frees all pages of an owner. */
  forget(owner: PageOwner, places: Iterable<number>): void {
    for (const place of places) this.freePlaces.push(place);
    for (const frame of this.frames) {
      if (frame.owner !== owner) continue;
      frame.owner = null;
      this.free.push(frame);
    }
  }

  /** Frees all memory at once. Columns must not be used after this. */
  clear(): void {
    for (const slab of this.slabs) slab.resize(0);
    this.slabs = [];
    this.frames = [];
    this.free = [];
    this.turn = 0;
  }

  private oldest(): Frame {
    const frame = this.frames[this.turn]!;
    this.turn = (this.turn + 1) % this.frames.length;
    return frame;
  }

  private allocate(): void {
    const pages = Math.min(SLAB_PAGES, this.mostFrames - this.frames.length);
    const slab = new GrowableBuffer(pages * PAGE_BYTES);
    this.slabs.push(slab);
    for (let page = 0; page < pages; page++) {
      const frame = { bytes: new Uint8Array(slab.buffer, page * PAGE_BYTES, PAGE_BYTES), owner: null, page: 0 };
      this.frames.push(frame);
      this.free.push(frame);
    }
  }
}
