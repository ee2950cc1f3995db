import { closeSync, openSync, readSync, rmSync } from "node:fs";
import type { EncodedMessage } from "../../mail/archive.ts";
import { Float64Column, Uint8Column, Uint32Column } from "../../mail/column.ts";
import { ordinalOf } from "../../mail/ids.ts";
import type { Utf8Buffer } from "../../mail/utf8-buffer.ts";
import { TextFile } from "../text-file.ts";
import { writeMessageBlock } from "./message-block.ts";
import { SPECIAL_MAILBOXES, type SpecialMailbox, specialMailbox } from "./special-mailbox.ts";
import type { Vault } from "./vault.ts";

/**
 * Every message as it stands on a page, in a file beside the vault that is removed in the end. A message stands on up to three pages, which
 * have other orders than the store: it is read and turned into markdown once, in the order of the store, and then copied. 25 bytes a message
 * stay in memory.
 */
export class MessageBlocks {
  private readonly path: string;
  private readonly vault: Vault;
  private readonly file: TextFile;
  private descriptor = -1;
  /** By ordinal: where its block begins, which is where the one before ends. */
  private readonly starts = new Float64Column();
  /** In the order of the store. */
  private readonly ordinals = new Uint32Column();
  private readonly sentAt = new Float64Column();
  private readonly mailboxes = new Uint8Column();
  /** The mailbox of the last message, which most share with the one before; and its kind. */
  private mailbox: string | null = null;
  private kind = 0;

  constructor(path: string, vault: Vault) {
    this.path = path;
    this.vault = vault;
    this.file = new TextFile(path);
  }

  /** Messages come in the order of their ordinals. */
  add(message: EncodedMessage): void {
    const ordinal = ordinalOf("msg", message.id) as number;
    while (this.starts.length <= ordinal) this.starts.push(this.file.position);
    this.ordinals.push(ordinal);
    this.sentAt.push(message.sentAt ?? Number.NEGATIVE_INFINITY);
    if (message.mailbox !== this.mailbox) {
      this.mailbox = message.mailbox;
      this.kind = SPECIAL_MAILBOXES.indexOf(specialMailbox(message.mailbox));
    }
    this.mailboxes.push(this.kind);
    writeMessageBlock(message, this.vault, this.file);
  }

  /** No message comes any more; from here on blocks are copied. */
  seal(): void {
    this.starts.push(this.file.position);
    this.file.close();
    this.descriptor = openSync(this.path, "r");
  }

  /** All messages with their kind of mailbox, newest first, undated last, ties in the order of the store. */
  *newestFirst(): Generator<{ readonly ordinal: number; readonly mailbox: SpecialMailbox }> {
    const sentAt = this.sentAt.view();
    const order = Uint32Array.from(sentAt, (_, index) => index);
    order.sort((a, b) => {
      const one = sentAt[a] as number;
      const other = sentAt[b] as number;
      return one === other ? a - b : one > other ? -1 : 1;
    });
    for (const index of order) {
      yield { ordinal: this.ordinals.at(index), mailbox: SPECIAL_MAILBOXES[this.mailboxes.at(index)] as SpecialMailbox };
    }
  }

  /** Writes the block of a message; returns it, valid until the next write. */
  copy(ordinal: number, out: Utf8Buffer): Buffer {
    const start = this.starts.at(ordinal);
    const end = this.starts.at(ordinal + 1);
    out.reserve(end - start);
    const first = out.length;
    for (let at = start; at < end; ) {
      const read = readSync(this.descriptor, out.bytes, out.length, end - at, at);
      if (read === 0) throw new Error(`${this.path} ends early`);
      out.length += read;
      at += read;
    }
    return out.bytes.subarray(first, out.length);
  }

  remove(): void {
    closeSync(this.descriptor);
    rmSync(this.path);
  }
}
