import { Float64Column, Uint8Column, Uint32Column } from "../../columns/column.ts";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { EncodedMessage, MessageHeading } from "../../mail/archive.ts";
import type { Address } from "../../mail/records/address.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import { type Attachment, otherSender } from "../../mail/records/message.ts";
import { kindText } from "../../mail/records/message-kind.ts";
import { wordSet } from "../../mail/words/word-table.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { TextFile } from "../text-file.ts";
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
export const BLOCK_END = "\n\n";

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

/** Bits of the mailboxes of a message. */
const KINDS = { other: 0, inbox: 1, sent: 2 } as const satisfies Record<SpecialMailbox, number>;
/** By the bits of KINDS. */
export const SPECIAL_OF_KINDS = [[], ["inbox"], ["sent"], ["inbox", "sent"]] as const;

/** Blocks of consecutive messages, one after the other in a file. Plain data that crosses threads. */
export interface RenderedBlocks {
  readonly path: string;
  readonly ordinals: Uint32Array;
  /** Bytes in the file; 0 for a block that is copied from elsewhere. */
  readonly sizes: Uint32Array;
  /** -Infinity if a message has no date. */
  readonly sortedAt: Float64Array;
  /** Index of the mailboxes in SPECIAL_OF_KINDS. */
  readonly kinds: Uint8Array;
}

/** Renders the Markdown block of each message to a new file. */
export class BlockWriter {
  private readonly file: TextFile;
  private readonly ordinals = new Uint32Column();
  private readonly sizes = new Uint32Column();
  private readonly sortedAt = new Float64Column();
  private readonly kinds = new Uint8Column();
  /** The mailbox of the last message, usually the same as before, and its kind. */
  private mailbox: string | null = null;
  private kind = 0;

  /** @param hasText returns true for the ordinal of a message whose text is copied from elsewhere */
  constructor(
    private readonly path: string,
    private readonly vault: Vault,
    private readonly hasText: (ordinal: number) => boolean,
  ) {
    this.file = new TextFile(path);
  }

  /** Number of messages so far. */
  get length(): number {
    return this.ordinals.length;
  }

  /** Call in ordinal order. */
  add(message: EncodedMessage): void {
    const start = this.file.position;
    const ordinal = this.enter(message);
    writeMessageHead(message, this.vault, this.file);
    if (!this.hasText(ordinal)) {
      writeBody(message.body, this.vault.links, this.file);
      this.file.text(BLOCK_END);
    }
    this.sizes.push(this.file.position - start);
  }

  /** The same for a message whose block is copied from elsewhere. */
  addCopied(message: MessageHeading): void {
    this.enter(message);
    this.sizes.push(0);
  }

  private enter({ id, sortedAt, occurrences }: MessageHeading): number {
    const ordinal = ordinalOf("msg", id)!;
    this.ordinals.push(ordinal);
    this.sortedAt.push(sortedAt ?? Number.NEGATIVE_INFINITY);
    let kinds = 0;
    for (const { mailbox } of occurrences) kinds |= this.kindOf(mailbox);
    this.kinds.push(kinds);
    return ordinal;
  }

  finish(): RenderedBlocks {
    const { path, ordinals, sizes, sortedAt, kinds } = this;
    this.file.close();
    return {
      path,
      ordinals: ordinals.slice(),
      sizes: sizes.slice(),
      sortedAt: sortedAt.slice(),
      kinds: kinds.slice(),
    };
  }

  private kindOf(mailbox: string): number {
    if (mailbox !== this.mailbox) {
      this.mailbox = mailbox;
      this.kind = KINDS[specialMailbox(mailbox)];
    }
    return this.kind;
  }
}
