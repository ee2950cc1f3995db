import { closeSync, openSync, rmSync } from "node:fs";
import { Float64Column } from "../../columns/column.ts";
import { PagedFloat64Column, PagedUint8Column, PagedUint32Column } from "../../columns/paged-column.ts";
import { PagedMemory } from "../../columns/paged-memory.ts";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { readFully } from "../../files/read-fully.ts";
import { PagesOnDisk } from "../../files/spill-file.ts";
import type { EncodedMessage } from "../../mail/archive.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import { TextFile } from "../text-file.ts";
import type { EarlierBodies } from "./earlier-bodies.ts";
import { writeMessageBlock } from "./message-block.ts";
import { type SpecialMailbox, specialMailbox } from "./special-mailbox.ts";
import type { Vault } from "./vault.ts";

/** Bytes of block positions in memory: enough for a few hundred thousand messages. */
const PLACES_BYTES = 4 << 20;

const KINDS = { other: 0, inbox: 1, sent: 2 } as const satisfies Record<SpecialMailbox, number>;
/** By the bits of KINDS. */
const SPECIAL_OF_KINDS = [[], ["inbox"], ["sent"], ["inbox", "sent"]] as const;

/**
 * The Markdown block of every message, in a temporary file next to the vault. A message appears on up to three pages in
 * different orders: it is rendered once, in the order of the store, and then copied. Uses 4 bytes of memory per
 * message, and 8 until all are rendered.
 */
export class MessageBlocks {
  private readonly path: string;
  private readonly vault: Vault;
  private readonly file: TextFile;
  private descriptor = -1;
  /** By ordinal: start of its block, which is the end of the previous one. */
  private readonly starts: PagedFloat64Column;
  /** In store order. */
  private readonly ordinals: PagedUint32Column;
  private readonly sortedAt = new Float64Column();
  /** Bits of KINDS. */
  private readonly kinds: PagedUint8Column;
  private readonly pages: PagesOnDisk;
  private readonly memory: PagedMemory;
  /** The mailbox of the last message, usually the same as before, and its kind. */
  private mailbox: string | null = null;
  private kind = 0;
  /** Indexes into the columns above, newest first, undated last, ties in store order. */
  private newest = new Uint32Array();

  private readonly earlier: EarlierBodies;

  /** @param earlier texts of an earlier run; its creator closes it */
  constructor(path: string, vault: Vault, earlier: EarlierBodies) {
    this.path = path;
    this.earlier = earlier;
    this.vault = vault;
    this.file = new TextFile(path);
    this.pages = new PagesOnDisk(`${path}-pages`);
    this.memory = new PagedMemory(this.pages, PLACES_BYTES);
    this.starts = new PagedFloat64Column(this.memory);
    this.ordinals = new PagedUint32Column(this.memory);
    this.kinds = new PagedUint8Column(this.memory);
  }

  /** Call in ordinal order. */
  add(message: EncodedMessage): void {
    const ordinal = ordinalOf("msg", message.id)!;
    while (this.starts.length <= ordinal) this.starts.push(this.file.position);
    this.ordinals.push(ordinal);
    this.sortedAt.push(message.sortedAt ?? Number.NEGATIVE_INFINITY);
    let kinds = 0;
    for (const { mailbox } of message.occurrences) kinds |= this.kindOf(mailbox);
    this.kinds.push(kinds);
    writeMessageBlock(message, { vault: this.vault, body: this.earlier.of(ordinal) }, this.file);
  }

  private kindOf(mailbox: string): number {
    if (mailbox !== this.mailbox) {
      this.mailbox = mailbox;
      this.kind = KINDS[specialMailbox(mailbox)];
    }
    return this.kind;
  }

  /** Ends the rendering; from now on blocks are copied. */
  seal(): void {
    this.starts.push(this.file.position);
    this.file.close();
    this.descriptor = openSync(this.path, "r");
    const sortedAt = this.sortedAt.view();
    this.newest = Uint32Array.from(sortedAt, (_, index) => index);
    this.newest.sort((a, b) => {
      const one = sortedAt[a]!;
      const other = sortedAt[b]!;
      return one === other ? a - b : one > other ? -1 : 1;
    });
    this.sortedAt.clear();
  }

  /** All messages with the kinds of their mailboxes, newest first. */
  *newestFirst(): Generator<{ readonly ordinal: number; readonly mailboxes: readonly ("inbox" | "sent")[] }> {
    for (const index of this.newest)
      yield { ordinal: this.ordinals.at(index), mailboxes: SPECIAL_OF_KINDS[this.kinds.at(index)]! };
  }

  /** Bytes of the block of a message. */
  sizeOf(ordinal: number): number {
    return this.starts.at(ordinal + 1) - this.starts.at(ordinal);
  }

  /** Writes the block of a message; returns it, valid until the next write. */
  copy(ordinal: number, out: Utf8Buffer): Buffer {
    const size = this.sizeOf(ordinal);
    out.reserve(size);
    const first = out.length;
    out.length += readFully(this.descriptor, out.bytes.subarray(first, first + size), this.starts.at(ordinal));
    if (out.length < first + size) throw new Error(`${this.path} ends early`);
    return out.bytes.subarray(first, out.length);
  }

  remove(): void {
    closeSync(this.descriptor);
    rmSync(this.path);
    this.memory.clear();
    this.pages.remove();
  }
}
