import { createHash } from "node:crypto";
import type { Address } from "../../mail/records/address.ts";
import type { AttachmentPart, CalendarPart, Message, MessageEnvelope } from "../../mail/records/message.ts";

/** Maximum text bytes of an encoded word, so that it stays within 75 characters (RFC 2047 section 2). */
const WORD_BYTES = 45;
/** Characters of base64 on a line (RFC 2045 section 6.8). */
const LINE_LENGTH = 76;
/** RFC 5322 section 2.1.1 allows lines of 998 characters: a line without a colon within them is not a field. */
const FIELD_NAME = /^[!-9;-~]{1,998}\s{0,998}:/;
/** Transport header fields that describe the original body, which is re-encoded here. */
const BODY_FIELDS = /^(content-[^:]*|mime-version)$/;
const CRLF = "\r\n";

/** Archive flags and their header fields ([MS-OXCMAIL] 2.2.3.2.6, 2.2.3.2.10). */
const FLAG_FIELDS: Readonly<Record<string, readonly (readonly [name: string, value: string])[]>> = {
  "importance:high": [
    ["Importance", "high"],
    ["X-Priority", "1"],
  ],
  "importance:low": [
    ["Importance", "low"],
    ["X-Priority", "5"],
  ],
  "sensitivity:personal": [["Sensitivity", "Personal"]],
  "sensitivity:private": [["Sensitivity", "Private"]],
  "sensitivity:confidential": [["Sensitivity", "Company-Confidential"]],
};
const LABEL = "label:";
/** A keyword that needs neither quotes nor encoded words (RFC 5322 section 3.2.3). */
const PLAIN_KEYWORD = /^[\w!#$%&'*+/=?^`{|}~ -]+$/;

/** Parts of a message other than its text. */
interface RenderedContext {
  /** The transport headers, or null. */
  readonly transportHeaders: string | null;
  /** Flags as words of the archive. */
  readonly flags: readonly string[];
  /** iTIP status words of meeting replies. */
  readonly invitations: readonly CalendarPart[];
}

/**
 * Converts an Outlook message to RFC 5322: its transport headers if present, else fields from properties; current
 * categories, importance and sensitivity; bodies in UTF-8 and attachments in base64. Equal messages give equal bytes,
 * so that their hash is meaningful.
 */
export function renderMessage(message: Message, { transportHeaders, flags, invitations }: RenderedContext): Buffer {
  const marks = markFields(flags);
  const fields =
    transportHeaders === null
      ? fieldsOf(message.envelope)
      : keptFields(transportHeaders, new Set(marks.map(([name]) => name.toLowerCase())));
  const head = [...fields, ...marks.map(([name, value]) => `${name}: ${value}`), "MIME-Version: 1.0"].join(CRLF) + CRLF;
  const seed = createHash("sha256").update(head).digest("hex").slice(0, 24);
  return Buffer.concat([Buffer.from(head, "utf8"), renderBody(message, invitations, seed)]);
}

function markFields(flags: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const labels = flags.filter((flag) => flag.startsWith(LABEL)).map((flag) => flag.slice(LABEL.length));
  const fields = flags.flatMap((flag) => (Object.hasOwn(FLAG_FIELDS, flag) ? FLAG_FIELDS[flag]! : []));
  return labels.length === 0 ? fields : [...fields, ["Keywords", labels.map(keyword).join(`,${CRLF} `)]];
}

function keyword(label: string): string {
  const line = oneLine(label).trim();
  if (PLAIN_KEYWORD.test(line)) return line;
  return /^[\x20-\x7e]*$/.test(line) ? quoted(line) : encodedText(line);
}

function fieldsOf(envelope: MessageEnvelope): string[] {
  const fields: string[] = [];
  const add = (name: string, value: string): void => {
    if (value !== "") fields.push(`${name}: ${value}`);
  };
  add("From", envelope.from === null ? "" : mailbox(envelope.from));
  add("Sender", envelope.sender === null ? "" : mailbox(envelope.sender));
  add("Reply-To", mailboxes(envelope.replyTo));
  add("To", mailboxes(envelope.to));
  add("Cc", mailboxes(envelope.cc));
  add("Bcc", mailboxes(envelope.bcc));
  add("Subject", encodedText(envelope.subject));
  add("Date", envelope.sentAt === null ? "" : new Date(envelope.sentAt).toUTCString().replace("GMT", "+0000"));
  add("Message-ID", envelope.messageId === null ? "" : `<${oneLine(envelope.messageId)}>`);
  add("In-Reply-To", messageIds(envelope.inReplyTo));
  add("References", messageIds(envelope.references));
  add(
    "Thread-Index",
    envelope.conversationIndexRoot === null
      ? ""
      : Buffer.from(envelope.conversationIndexRoot, "hex").toString("base64"),
  );
  return fields;
}

/** Original fields with their folded lines, except those of the body and replaced ones. */
function keptFields(headers: string, replaced: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  let isKept = true;
  for (const line of headers.split(/\r\n|\r|\n/)) {
    if (line === "") continue;
    const isFolded = line.startsWith(" ") || line.startsWith("\t");
    // A line that is neither a field nor a continuation would end the header.
    if (!isFolded) {
      const name = line.slice(0, line.indexOf(":")).trim().toLowerCase();
      isKept = FIELD_NAME.test(line) && !BODY_FIELDS.test(name) && !replaced.has(name);
    }
    if (isKept && (kept.length > 0 || !isFolded)) kept.push(line);
  }
  return kept;
}

function mailbox(address: Address): string {
  const email = oneLine(address.email);
  if (address.name === "") return `<${email}>`;
  const name = /^[\x20-\x7e]*$/.test(address.name) ? quoted(address.name) : encodedText(address.name);
  return `${name} <${email}>`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function mailboxes(addresses: readonly Address[]): string {
  return addresses.map(mailbox).join(`,${CRLF} `);
}

function messageIds(ids: readonly string[]): string {
  return ids.map((id) => `<${oneLine(id)}>`).join(`${CRLF} `);
}

/** A value must not start a new field. */
function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]+/g, " ");
}

/** Unstructured text: unchanged if ASCII, else encoded words of whole characters. */
function encodedText(text: string): string {
  const line = oneLine(text);
  if (/^[\x20-\x7e]*$/.test(line)) return line;
  const words: string[] = [];
  let word: string[] = [];
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > WORD_BYTES) {
      words.push(word.join(""));
      word = [];
      bytes = 0;
    }
    word.push(character);
    bytes += size;
  }
  words.push(word.join(""));
  return words.map((part) => `=?UTF-8?B?${Buffer.from(part, "utf8").toString("base64")}?=`).join(`${CRLF} `);
}

/** The entity after its message fields: Content fields, blank line, content. */
function renderBody(message: Message, invitations: readonly CalendarPart[], seed: string): Buffer {
  const text = message.textBody === null ? null : textEntity("plain", message.textBody);
  const shown = message.attachments.filter((part) => isShownBy(message, part));
  const html = message.htmlBody === null ? null : related(textEntity("html", message.htmlBody), shown, seed);
  const calendars = invitations.map(({ text: itip, method }) =>
    textEntity(`calendar${method === null ? "" : `; method=${method}`}`, itip),
  );
  const texts = [text, html].filter((entity) => entity !== null);
  const bodies = [...(texts.length === 0 ? [textEntity("plain", "")] : texts), ...calendars];
  const main = bodies.length === 1 ? bodies[0]! : multipart("alternative", `a-${seed}`, bodies);
  if (message.attachments.length === shown.length) return main;
  const others = message.attachments.filter((part) => !shown.includes(part));
  return multipart("mixed", `m-${seed}`, [main, ...others.map(attachmentEntity)]);
}

/** True for a picture that the HTML body shows. */
function isShownBy({ htmlBody }: Message, { disposition, contentId }: AttachmentPart): boolean {
  return htmlBody !== null && disposition === "inline" && contentId !== null;
}

/** An HTML body with the parts that it shows (RFC 2387). */
function related(html: Buffer, shown: readonly AttachmentPart[], seed: string): Buffer {
  if (shown.length === 0) return html;
  return multipart('related; type="text/html"', `r-${seed}`, [html, ...shown.map(attachmentEntity)]);
}

function textEntity(subtype: string, text: string): Buffer {
  const head = `Content-Type: text/${subtype}; charset=utf-8${CRLF}Content-Transfer-Encoding: base64${CRLF}${CRLF}`;
  return Buffer.from(head + base64Lines(Buffer.from(text, "utf8")), "latin1");
}

function attachmentEntity(part: AttachmentPart): Buffer {
  if (part.linkTarget !== null) return linkEntity(part, part.linkTarget);
  const filename = part.filename === "" ? "" : `; filename*=UTF-8''${percentEncoded(part.filename)}`;
  const head = [`Content-Type: ${part.mediaType}`, `Content-Disposition: ${part.disposition}${filename}`];
  if (part.contentId !== null) head.push(`Content-ID: <${oneLine(part.contentId)}>`);
  const bytes = Buffer.from(part.bytes());
  // RFC 2046 section 5.2.1: a message inside a message is not encoded.
  if (part.mediaType === "message/rfc822")
    return Buffer.concat([Buffer.from(head.join(CRLF) + CRLF + CRLF, "utf8"), bytes]);
  head.push("Content-Transfer-Encoding: base64", "", "");
  return Buffer.concat([Buffer.from(head.join(CRLF), "utf8"), Buffer.from(base64Lines(bytes), "latin1")]);
}

/** A link is rendered as external body (RFC 2017); only the type of the target is known. */
function linkEntity(part: AttachmentPart, target: string): Buffer {
  const lines = [
    `Content-Type: message/external-body; access-type=URL; url*=UTF-8''${percentEncoded(target)}`,
    `Content-Disposition: ${part.disposition}; filename*=UTF-8''${percentEncoded(part.filename)}`,
    "",
    `Content-Type: ${part.mediaType}`,
    "",
    "",
  ];
  return Buffer.from(lines.join(CRLF), "latin1");
}

/** RFC 8187: attribute characters stay, all other bytes of UTF-8 are escaped. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[*'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function base64Lines(bytes: Buffer): string {
  const encoded = bytes.toString("base64");
  const lines: string[] = [];
  for (let at = 0; at < encoded.length; at += LINE_LENGTH) lines.push(encoded.slice(at, at + LINE_LENGTH));
  return lines.join(CRLF) + CRLF;
}

function multipart(subtype: string, boundary: string, entities: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [
    Buffer.from(`Content-Type: multipart/${subtype}; boundary="${boundary}"${CRLF}${CRLF}`, "latin1"),
  ];
  for (const entity of entities)
    pieces.push(Buffer.from(`--${boundary}${CRLF}`, "latin1"), entity, Buffer.from(CRLF, "latin1"));
  pieces.push(Buffer.from(`--${boundary}--${CRLF}`, "latin1"));
  return Buffer.concat(pieces);
}
