import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { EncodedMessage } from "../../mail/archive.ts";
import type { Address } from "../../mail/records/address.ts";
import { type Attachment, otherSender } from "../../mail/records/message.ts";
import { kindText } from "../../mail/records/message-kind.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { inline } from "./markdown.ts";
import { writeBody } from "./message-body.ts";
import { showSent, type Vault } from "./vault.ts";

/** Maximum recipients in a message block; a message to thousands names the first and counts the rest. */
const MAX_RECIPIENTS = 20;
/** Maximum further mailboxes in a message block. */
const MAX_MAILBOXES = 5;
/** Maximum quoted messages in a message block; a digest quotes dozens. */
const MAX_QUOTES = 10;

/**
 * Writes a message in full: heading, people, thread, attachments, text.
 * @param body the Markdown of its text if it is already known
 */
export function writeMessageBlock(
  message: EncodedMessage,
  { vault, body }: { readonly vault: Vault; readonly body: Uint8Array | null },
  out: Utf8Buffer,
): void {
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
  if (body === null) writeBody(message.body, vault.links, out);
  else out.append(body);
  out.text("\n\n");
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
