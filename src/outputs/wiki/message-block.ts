import type { Address } from "../../mail/address.ts";
import type { ArchivedMessage } from "../../mail/archive.ts";
import type { Attachment } from "../../mail/message.ts";
import { inline, paragraphs, wikiLink } from "./markdown.ts";
import { showCount, showInstant, type Vault } from "./vault.ts";

/** Recipients named in a message block; a mail to thousands names the first and counts the rest. */
const MAX_RECIPIENTS = 20;
/** UTF-16 units of text shown of one message on a page; the whole text is in archive.db and extraction.json. */
const MAX_BODY_LENGTH = 100_000;

/** A message in full: heading, people, thread, attachments, text. */
export function messageBlock(message: ArchivedMessage, vault: Vault): string {
  const from = message.from === null ? "unknown sender" : vault.person(message.from, false);
  const lines = [
    `## ${showInstant(message.sentAt)} · ${inline(message.subject) || "(no subject)"}`,
    "",
    `- **From** ${from}`,
    ...recipientLine("To", message.to, vault),
    ...recipientLine("Cc", message.cc, vault),
    ...recipientLine("Bcc", message.bcc, vault),
    `- **Thread** ${vault.thread(message.threadId, message.subject, false)} · **Topic** ${vault.topic(message.topicId, false)} · **Mailbox** ${inline(message.mailbox)} · \`${message.id}\``,
    ...message.attachments.map(attachmentLine),
    "",
    bodyText(message.body),
    "",
    "",
  ];
  return lines.join("\n");
}

function recipientLine(label: string, addresses: readonly Address[], vault: Vault): readonly string[] {
  if (addresses.length === 0) return [];
  const shown = addresses.slice(0, MAX_RECIPIENTS).map((address) => vault.person(address, false));
  const more = addresses.length > MAX_RECIPIENTS ? ` and ${showCount(addresses.length - MAX_RECIPIENTS)} more` : "";
  return [`- **${label}** ${shown.join(", ")}${more}`];
}

function attachmentLine(attachment: Attachment): string {
  const { path, filename } = attachment;
  // A file name may hold signs that would end the link; its path is then shown as text.
  const name = path === null || /[[\]|#^]/.test(path) ? inline(filename) : wikiLink(path, filename);
  return `- **Attachment** ${name} (${inline(attachment.mediaType)}, ${showCount(attachment.sizeBytes)} bytes)`;
}

/** The text of a message as markdown, cut with a note when it is very long. */
export function bodyText(body: string): string {
  if (body.trim() === "") return "*(no text)*";
  if (body.length <= MAX_BODY_LENGTH) return paragraphs(body);
  return `${paragraphs(body.slice(0, MAX_BODY_LENGTH).toWellFormed())}\n\n*(cut: ${showCount(body.length - MAX_BODY_LENGTH)} more characters in the archive)*`;
}
