import { closeSync, openSync, rmSync } from "node:fs";
import { Float64Column } from "../../columns/column.ts";
import { PagedFloat64Column, PagedUint8Column, PagedUint32Column } from "../../columns/paged-column.ts";
import { PagedMemory } from "../../columns/paged-memory.ts";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { readFully } from "../../files/read-fully.ts";
import { PagesOnDisk } from "../../files/spill-file.ts";
import type { EncodedMessage } from "../../mail/archive.ts";
import type { Address } from "../../mail/records/address.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import { type Attachment, otherSender } from "../../mail/records/message.ts";
import { kindText } from "../../mail/records/message-kind.ts";
import { wordSet } from "../../mail/words/word-table.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { TextFile } from "../text-file.ts";
import type { EarlierBodies } from "./earlier-bodies.ts";
import { inline } from "./markdown.ts";
import { writeBody } from "./message-body.ts";
import { showSent, type Vault } from "./vault.ts";

/** Maximum recipients in a message block; a message to thousands names the first and counts the rest. */
const MAX_RECIPIENTS = 20;
/** Maximum further mailboxes in a message block. */
const MAX_MAILBOXES = 5;
/** Maximum quoted messages in a message block; a digest quotes dozens. */
const MAX_QUOTES = 10;

/** A blank line ends each block. */
const BLOCK_END = "\n\n";

/** Writes what comes before the text of a message: heading, people, thread, attachments. */
function writeMessageHead(message: EncodedMessage, vault: Vault, out: Utf8Buffer): void {
  const { from, subject, threadId, topicId } = message;
  let head = `## ${showSent(message)} · ${inline(subject) || "(no subject)"}\n\n`;
  head += `- **From** ${from === null ? "unknown sender" : vault.person(from, false)}\n`;
  const sender = otherSender(message);
  if (sender !== null) head += `- **Sent by** ${vault.person(sender, false)}, on behalf of the above\n`;
  head +=
    recipientLine("To", message.to, vault) +
    recipientLine("Cc", message.cc, vault) +
    recipientLine("Bcc", message.bcc, vault);
  const { messageKind } = message;
  if (messageKind !== null && messageKind !== "mail") head += `- **Kind** ${kindText(messageKind)}\n`;
  head += `- **Thread** ${vault.thread(threadId, subject, false)} · **Topic** ${vault.topic(topicId, false)}`;
  head += ` · **Mailbox** ${vault.mailbox(message.mailbox, message.source)} · \`${message.id}\`\n`;
  head += furtherMailboxes(message, vault);
  head += quotesLine(message);
  for (const attachment of message.attachments) head += attachmentLine(attachment, vault);
  out.text(`${head}\n`);
}

/** The other mailboxes that contain a message. */
function furtherMailboxes({ source, mailbox, occurrences }: EncodedMessage, vault: Vault): string {
  if (occurrences.length < 2) return "";
  const names = new Map<string, string>();
  for (const place of occurrences)
    if (place.mailbox !== mailbox || place.source !== source)
      names.set(`${place.source} ${place.mailbox}`, vault.mailbox(place.mailbox, place.source));
  if (names.size === 0) return "";
  const shown = [...names.values()].slice(0, MAX_MAILBOXES).join(", ");
  return `- **Also in** ${shown}${names.size > MAX_MAILBOXES ? ` and ${formatCount(names.size - MAX_MAILBOXES)} more` : ""}\n`;
}

/** Links to quoted messages, which are headings of blocks, usually on the same page. */
function quotesLine({ quotes }: EncodedMessage): string {
  if (quotes.length === 0) return "";
  const more = quotes.length > MAX_QUOTES ? ` and ${formatCount(quotes.length - MAX_QUOTES)} more` : "";
  return `- **Quotes** ${quotes
    .slice(0, MAX_QUOTES)
    .map((id) => `\`${id}\``)
    .join(", ")}${more}\n`;
}

/** Empty if there are no recipients. */
function recipientLine(label: string, addresses: readonly Address[], vault: Vault): string {
  if (addresses.length === 0) return "";
  let names = "";
  for (let index = 0; index < addresses.length && index < MAX_RECIPIENTS; index++) {
    names += (index === 0 ? "" : ", ") + vault.person(addresses[index]!, false);
  }
  const more = addresses.length > MAX_RECIPIENTS ? ` and ${formatCount(addresses.length - MAX_RECIPIENTS)} more` : "";
  return `- **${label}** ${names}${more}\n`;
}

function attachmentLine(attachment: Attachment, vault: Vault): string {
  const { path, filename } = attachment;
  const name = path === null ? inline(filename) : vault.links.file(path, filename, false);
  const { linkTarget, attachedMessage } = attachment;
  const kept = linkTarget === null ? `${formatCount(attachment.sizeBytes)} bytes` : `link to ${inline(linkTarget)}`;
  const within = attachedMessage === null ? "" : `, in ${inline(attachedMessage)}`;
  return `- **Attachment** ${name} (${inline(attachment.mediaType)}, ${kept}${within})
`;
}

/** Mailbox names for received and for sent mail, in the languages of mail programs; in the form of `mailboxWord`. */
const INBOX_WORDS = wordSet(
  "inbox notesinbox posteingang boîtederéception bandejadeentrada postainarrivo postvakin inkorgen innboks indbakke caixadeentrada входящие 收件箱 受信トレイ 받은편지함",
);
const SENT_WORDS = wordSet(
  "sent sentitems sentmail sentmessages outbox gesendet gesendeteobjekte gesendeteelemente élémentsenvoyés messagesenvoyés envoyés enviados elementosenviados " +
    "postainviata inviata verzonden verzondenitems skickat skickadeobjekt sendteelementer sendtpost itensenviados отправленные 已发送邮件 送信済みアイテム 보낸편지함",
);

type SpecialMailbox = "inbox" | "sent" | "other";

/**
 * Distinguishes received from sent mail by the last level of a mailbox path: `lay-k/_sent`, `[Gmail]/Sent Mail`,
 * `INBOX.Sent`.
 */
function specialMailbox(mailbox: string): SpecialMailbox {
  const word = mailboxWord(mailbox);
  if (INBOX_WORDS.has(word)) return "inbox";
  return SENT_WORDS.has(word) ? "sent" : "other";
}

function mailboxWord(mailbox: string): string {
  const last = mailbox.split(/[/.\\]/).findLast((level) => level.trim() !== "") ?? "";
  return last.toLowerCase().replace(/[\s_\-[\]]/gu, "");
}

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

  /** @param earlier texts of an earlier run; its creator closes it after the last block is copied */
  constructor(
    private readonly path: string,
    private readonly vault: Vault,
    /** Their texts are not copied to the file. */
    private readonly earlier: EarlierBodies,
  ) {
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
    writeMessageHead(message, this.vault, this.file);
    if (this.earlier.sizeOf(ordinal) > 0) return;
    writeBody(message.body, this.vault.links, this.file);
    this.file.text(BLOCK_END);
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
    const copied = this.earlier.sizeOf(ordinal);
    return this.writtenBytes(ordinal) + (copied === 0 ? 0 : copied + BLOCK_END.length);
  }

  private writtenBytes(ordinal: number): number {
    return this.starts.at(ordinal + 1) - this.starts.at(ordinal);
  }

  /** Writes the block of a message; returns it, valid until the next write. */
  copy(ordinal: number, out: Utf8Buffer): Buffer {
    const size = this.sizeOf(ordinal);
    out.reserve(size);
    const first = out.length;
    const written = this.writtenBytes(ordinal);
    out.length += readFully(this.descriptor, out.bytes.subarray(first, first + written), this.starts.at(ordinal));
    const copied = this.earlier.sizeOf(ordinal);
    if (copied > 0) {
      out.length += this.earlier.read(ordinal, out.bytes.subarray(out.length, out.length + copied));
      // The space is reserved; `text` would write the beginning of a long block to the file.
      out.length += out.bytes.write(BLOCK_END, out.length);
    }
    if (out.length < first + size) throw new Error(`${this.path} or an earlier page ends early`);
    return out.bytes.subarray(first, out.length);
  }

  remove(): void {
    closeSync(this.descriptor);
    rmSync(this.path);
    this.memory.clear();
    this.pages.remove();
  }
}
