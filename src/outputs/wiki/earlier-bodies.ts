import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { Float64Column, Uint32Column } from "../../columns/column.ts";
import { ReusableFileReader, readFully } from "../../files/read-fully.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import type { EarlierOutput } from "../earlier-output.ts";
import type { PageLinks } from "./page-links.ts";

/** The pages that show every message in full. */
const PAGE = /^emails\/all(?:-\d+)?\.md$/;
/** Maximum open pages: a system allows a program about a thousand files. */
const MAX_OPEN_PAGES = 64;
/** Upper limit of offsets in a page. */
const PAGE_SPACE = 2 ** 32;

const HEADING = "\n## ";
const FENCE = "\n```";
const BLANK_LINE = "\n\n";
/** Precedes the id in the heading of a block; mail text has escaped signs. */
const ID_BEGIN = " · `";
const ID = / · `(msg-\d+)`\n/;
/** A date that does not depend on other messages, as bytes. */
const PLAIN_DATE = /^\n## (?:\d{4}-\d\d-\d\d \d\d:\d\d|undated) \u00c2\u00b7 /;

/**
 * Blocks of messages from the pages of an earlier run. The texts depend only on the immutable stored text. 16 bytes per
 * message.
 */
export class EarlierBodies {
  private readonly paths: readonly string[];
  private readonly open = new Map<number, number>();
  /** By ordinal: page number and offset of the text. */
  private readonly places = new Float64Column();
  /** 0 if the text of a message was not found. */
  private readonly sizes = new Uint32Column();
  /** Bytes before the text; 0 if its date may be another one now. */
  private readonly headSizes = new Uint32Column();

  /** @param links of the pages: an earlier output in another style cannot be used */
  constructor(earlier: EarlierOutput | null, links: PageLinks) {
    const files = [...(earlier?.files ?? [])].filter((path) => PAGE.test(path)).sort();
    this.paths = files.map((path) => join(earlier!.directory, path));
    const reader = new ReusableFileReader();
    for (const [number, path] of this.paths.entries()) {
      const { buffer, byteOffset, byteLength } = reader.read(path);
      this.find(Buffer.from(buffer, byteOffset, byteLength), number, links);
    }
  }

  /** Bytes of the text of a message; 0 if it must be created. */
  sizeOf(ordinal: number): number {
    return ordinal < this.sizes.length ? this.sizes.at(ordinal) : 0;
  }

  /** Bytes of what precedes the text; 0 if it must be created. */
  headSizeOf(ordinal: number): number {
    return ordinal < this.headSizes.length ? this.headSizes.at(ordinal) : 0;
  }

  /**
   * Reads the text of a message, and the head if the buffer has room for both. Returns the number of bytes read.
   */
  read(ordinal: number, into: Uint8Array): number {
    const place = this.places.at(ordinal) - (into.length - this.sizes.at(ordinal));
    return readFully(this.page(Math.floor(place / PAGE_SPACE)), into, place % PAGE_SPACE);
  }

  close(): void {
    for (const descriptor of this.open.values()) closeSync(descriptor);
    this.open.clear();
    for (const column of [this.places, this.sizes, this.headSizes]) column.clear();
  }

  private find(page: Buffer, number: number, links: PageLinks): void {
    if (!page.includes(`\n${links.page("index", "Home", false)}`)) return;
    for (const { id, headSize, start, end } of bodiesOf(page)) {
      const ordinal = ordinalOf("msg", id)!;
      for (const column of [this.places, this.sizes, this.headSizes]) column.extend(ordinal + 1);
      this.headSizes.set(ordinal, headSize);
      this.places.set(ordinal, number * PAGE_SPACE + start);
      this.sizes.set(ordinal, end - start);
    }
  }

  private page(number: number): number {
    const known = this.open.get(number);
    if (known !== undefined) return known;
    if (this.open.size === MAX_OPEN_PAGES) {
      const [first, descriptor] = this.open.entries().next().value!;
      closeSync(descriptor);
      this.open.delete(first);
    }
    const descriptor = openSync(this.paths[number]!, "r");
    this.open.set(number, descriptor);
    return descriptor;
  }
}

/** More bytes than a plain date and its separators. */
const DATE_BYTES = 32;

interface FoundBody {
  readonly id: string;
  readonly headSize: number;
  readonly start: number;
  readonly end: number;
}

/** The bodies on a page except the last, which is followed by links to other pages. */
export function* bodiesOf(page: Buffer): Generator<FoundBody> {
  const headings = headingsOf(page);
  let heading = headings.next();
  while (heading.done !== true) {
    const at = heading.value;
    heading = headings.next();
    if (heading.done === true) return;
    const start = headEnd(page, at);
    const id = ID.exec(page.toString("utf8", page.indexOf(ID_BEGIN, at), start))?.[1];
    const headSize = PLAIN_DATE.test(page.toString("latin1", at, at + DATE_BYTES)) ? start - at - 1 : 0;
    // A blank line ends each block.
    const end = heading.value - BLANK_LINE.length + 1;
    if (id !== undefined && start < end) yield { id, headSize, start, end };
  }
}

/** A heading, a blank line, a list, a blank line. */
function headEnd(page: Buffer, heading: number): number {
  const list = page.indexOf(BLANK_LINE, heading + 1) + BLANK_LINE.length;
  return page.indexOf(BLANK_LINE, list) + BLANK_LINE.length;
}

/** Positions of the blocks: in text, heading signs are escaped, except between fences. */
function* headingsOf(page: Buffer): Generator<number> {
  let fence = page.indexOf(FENCE);
  for (let at = page.indexOf(HEADING); at >= 0; at = page.indexOf(HEADING, at + 1)) {
    while (fence >= 0 && fence < at) {
      const end = fenceEnd(page, fence);
      if (end < 0) return;
      if (at < end) at = page.indexOf(HEADING, end);
      if (at < 0) return;
      fence = page.indexOf(FENCE, end);
    }
    yield at;
  }
}

const BACKTICK = 0x60;

/** Position after the closing fence; a body between fences has no run of backticks as long. -1 if there is none. */
function fenceEnd(page: Buffer, fence: number): number {
  let runEnd = fence + 1;
  while (page[runEnd] === BACKTICK) runEnd++;
  const close = page.indexOf(page.subarray(fence, runEnd), runEnd);
  return close < 0 ? -1 : close + (runEnd - fence);
}
