import type { ArchivedMessage } from "../../mail/archive.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import { formatAddress } from "../../mail/records/address.ts";
import { type Attachment, flagsOfAll } from "../../mail/records/message.ts";
import { escapeMarkup } from "../../text/html/escape-markup.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { inline, paragraphs } from "../wiki/markdown.ts";

/** Policy of the page: mail in it can neither load nor run anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const STYLE = [
  ":root{color-scheme:light dark}",
  "body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:48rem;padding:1rem}",
  "article{border-top:1px solid;padding:1rem 0;break-inside:auto}",
  "h2{font-size:1.15rem;margin:0 0 .5rem}",
  "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .75rem;margin:0 0 1rem;font-size:.9rem}",
  "dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}",
  "pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}",
  ".proof{font:.75rem/1.4 ui-monospace,monospace;margin:1rem 0 0;overflow-wrap:anywhere}",
  "@media print{body{max-width:none;padding:0;font-size:11pt}h2,dl{break-after:avoid}.proof{break-before:avoid}@page{margin:18mm}}",
].join("");

/**
 * Maximum characters of a line for per-paragraph text direction: Chromium takes quadratic time for such a line, and
 * did not finish 3,000,000 in a minute.
 */
const MAX_TURNED_LINE = 100_000;

/** Title data of a page. */
interface PageTitle {
  readonly title: string;
  readonly messages: number;
  readonly exportedAt: string;
}

export function htmlHead({ title, messages, exportedAt }: PageTitle): string {
  const name = escapeMarkup(title);
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="viewport" content="width=device-width">`,
    `<title>${name}</title><style>${STYLE}</style>`,
    `<h1>${name}</h1><p>${formatCount(messages)} messages, exported ${exportedAt}. Times are UTC.</p>`,
    "",
  ].join("\n");
}

export function htmlMessage(message: ArchivedMessage, number: number): string {
  const rows = facts(message).map(([name, value]) => `<dt>${name}</dt><dd>${escapeMarkup(value)}</dd>`);
  const proof = `${message.messageId} · SHA-256 ${message.sha256}`;
  return [
    `<article id="${message.id}"><h2>${number}. ${escapeMarkup(message.subject.trim() || "(no subject)")}</h2>`,
    `<dl>${rows.join("")}</dl>`,
    `<pre${hasShortLines(message.body) ? ' dir="auto"' : ""}${message.language === null ? "" : ` lang="${escapeMarkup(message.language)}"`}>${escapeMarkup(message.body)}</pre>`,
    `<p class="proof">${escapeMarkup(proof)}</p></article>`,
    "",
  ].join("\n");
}

/** True unless a line is longer than `MAX_TURNED_LINE`. */
export function hasShortLines(text: string): boolean {
  for (let at = 0; text.length - at > MAX_TURNED_LINE; ) {
    const end = text.indexOf("\n", at);
    if (end < 0 || end - at > MAX_TURNED_LINE) return false;
    at = end + 1;
  }
  return true;
}

export const HTML_TAIL = "</html>\n";

export function markdownHead({ title, messages, exportedAt }: PageTitle): string {
  return `# ${inline(title)}\n\n${formatCount(messages)} messages, exported ${exportedAt}. Times are UTC.\n\n`;
}

export function markdownMessage(message: ArchivedMessage, number: number): string {
  const rows = facts(message).map(([name, value]) => `- **${name}** ${inline(value)}\n`);
  const head = `## ${number}. ${inline(message.subject.trim()) || "(no subject)"}\n\n${rows.join("")}`;
  return `${head}- **Message-ID** ${inline(message.messageId)}\n- **SHA-256** ${message.sha256}\n\n${paragraphs(message.body)}\n\n`;
}

/** Fields above the text of a message; absent fields are omitted. */
export function facts(message: ArchivedMessage): readonly (readonly [name: string, value: string])[] {
  const { from, to, cc, bcc, sentAt, receivedAt, mailbox, attachments, occurrences } = message;
  const mailboxes = [...new Set([mailbox, ...occurrences.map((place) => place.mailbox)])];
  const rows: readonly (readonly [string, string])[] = [
    ["Date", formatInstant(sentAt ?? receivedAt) ?? "none"],
    ["From", from === null ? "unknown sender" : formatAddress(from)],
    ["To", to.map(formatAddress).join(", ")],
    ["Cc", cc.map(formatAddress).join(", ")],
    ["Bcc", bcc.map(formatAddress).join(", ")],
    ["Attachments", attachments.map(attachmentText).join(", ")],
    ["Mailbox", mailboxes.join(", ")],
    ["Labels", labelsOf(message).join(", ")],
  ];
  return rows.filter(([, value]) => value !== "");
}

/** Labels of a message, without its state (`seen`, `replied`). */
function labelsOf(message: ArchivedMessage): readonly string[] {
  const flags = flagsOfAll(message, message.occurrences);
  return flags.filter((flag) => flag.startsWith(LABEL_MARK)).map((flag) => flag.slice(LABEL_MARK.length));
}

const LABEL_MARK = "label:";

/** An attachment with its size or link target, and the attached message that contains it. */
export function attachmentText({
  filename,
  sizeBytes,
  linkTarget,
  attachedMessage = null,
}: Pick<Attachment, "filename" | "sizeBytes" | "linkTarget"> & Partial<Pick<Attachment, "attachedMessage">>): string {
  const kept = linkTarget === null ? `${formatCount(sizeBytes)} bytes` : `link to ${linkTarget}`;
  return `${filename} (${kept}${attachedMessage === null ? "" : `, in ${attachedMessage}`})`;
}
