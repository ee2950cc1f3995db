import { headerDate } from "./dates.ts";
import type { Charset, Draft, ExampleAttachment, Identity } from "./draft.ts";
import { base64Lines, encodeHeaderText, encodeText, isAscii, quotedPrintable } from "./encodings.ts";
import { MAIL_PROGRAMS, type MailProgram } from "./mail-programs.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** A message as a mail program wrote it, and what replies to it need. */
export interface WrittenMessage {
  readonly draft: Draft;
  readonly messageId: string;
  readonly references: readonly string[];
  /** Thread-Index bytes of Exchange ([MS-OXOMSG] 2.2.1.3), passed on by programs that know it. */
  readonly threadIndex: Buffer | null;
  readonly subject: string;
  /** Whole text with quoted parts, LF line ends. */
  readonly text: string;
  readonly raw: Buffer;
}

/** Columns at which plain-text programs break lines. */
const WRAP_COLUMNS = 74;

/** Lines of quoted text a program keeps; people cut long trails. */
const QUOTED_LINES_MAX = 60;

/** Writes a draft as its program would, byte for byte the same for the same random state. */
export function writeMessage(draft: Draft, parent: WrittenMessage | null, random: SeededRandom): WrittenMessage {
  const program = MAIL_PROGRAMS[draft.program];
  const messageId = `${random.hex(12)}.${random.hex(8)}@${draft.from.email.includes("@") ? draft.from.email.split("@")[1] : "halvorsen-pike.example"}`;
  const references =
    parent === null || draft.relation?.kind === "forward" ? [] : [...parent.references, parent.messageId];
  const threadIndex = threadIndexOf(program, parent, random, draft);
  const subject = subjectOf(draft, program, parent);
  const own = draft.paragraphs
    .map((paragraph) => (program.isFlowed || program.isHtml ? paragraph : wrap(paragraph)))
    .join("\n\n");
  const quoted = quotedText(draft, program, parent);
  const text = composeText(own, quoted, program.answersAbove || draft.relation?.kind === "forward");
  const fields: [string, string][] = [
    ["From", address(draft.from, draft.charset)],
    ["To", addressList(draft.to, draft.charset)],
    ...(draft.cc.length > 0 ? [["Cc", addressList(draft.cc, draft.charset)] as [string, string]] : []),
    ["Subject", encodeHeaderText(subject, draft.charset)],
    ["Date", headerDate(draft.sentAt, draft.zoneHours)],
    ["Message-ID", `<${messageId}>`],
    ...threadFields(program, references, threadIndex),
    [program.agent[0], program.agent[1]],
    ...draft.fields.map(([name, value]): [string, string] => [name, value]),
    ["MIME-Version", "1.0"],
  ];
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const raw = Buffer.concat([Buffer.from(head, "latin1"), bodyOf(draft, { text, quoted, program }, random)]);
  return { draft, messageId, references, threadIndex, subject, text, raw };
}

function subjectOf(draft: Draft, program: MailProgram, parent: WrittenMessage | null): string {
  if (parent === null || draft.relation === null) return draft.subject;
  const base = parent.subject.replace(/^((re|fw|fwd|aw): )+/i, "");
  return `${draft.relation.kind === "reply" ? program.replyPrefix : program.forwardPrefix}${base}`;
}

function quotedText(draft: Draft, program: MailProgram, parent: WrittenMessage | null): string {
  if (parent === null || draft.relation === null) return "";
  const lines = parent.text.trimEnd().split("\n");
  const text = lines.slice(0, QUOTED_LINES_MAX).join("\n");
  const { from, to, cc, sentAt } = parent.draft;
  const message = { by: draft.from, from, to, cc, subject: parent.subject, sentAt, text };
  return draft.relation.kind === "reply"
    ? program.quote(message, draft.zoneHours)
    : program.forward(message, draft.zoneHours);
}

function composeText(own: string, quoted: string, isAbove: boolean): string {
  if (quoted === "") return `${own}\n`;
  return isAbove ? `${own}\n\n${quoted}\n` : `${quoted}\n\n${own}\n`;
}

/** 22 bytes of root, then 5 more for every reply ([MS-OXOMSG] 2.2.1.3). Other programs drop it. */
function threadIndexOf(
  program: MailProgram,
  parent: WrittenMessage | null,
  random: SeededRandom,
  draft: Draft,
): Buffer | null {
  const fresh = Buffer.from(
    `01${(BigInt(draft.sentAt) * 10_000n + 116_444_736_000_000_000n).toString(16).padStart(16, "0").slice(0, 10)}${random.hex(32)}`,
    "hex",
  );
  const child = Buffer.from(random.hex(10), "hex");
  if (!program.hasThreadIndex) return null;
  return parent?.threadIndex ? Buffer.concat([parent.threadIndex, child]) : fresh;
}

function threadFields(
  program: MailProgram,
  references: readonly string[],
  threadIndex: Buffer | null,
): [string, string][] {
  const fields: [string, string][] = [];
  const parent = references.at(-1);
  if (parent !== undefined && program.threading !== "none") fields.push(["In-Reply-To", `<${parent}>`]);
  if (parent !== undefined && program.threading === "references")
    fields.push(["References", references.map((id) => `<${id}>`).join("\r\n ")]);
  if (threadIndex !== null)
    fields.push([
      "Thread-Index",
      threadIndex
        .toString("base64")
        .replace(/(.{60})/g, "$1\r\n ")
        .trimEnd(),
    ]);
  return fields;
}

function addressList(identities: readonly Identity[], charset: Charset): string {
  return identities.map((identity) => address(identity, charset)).join(",\r\n ");
}

export function address({ name, email }: Identity, charset: Charset): string {
  if (name === "") return email;
  const written = !isAscii(name)
    ? encodeHeaderText(name, charset)
    : /^[A-Za-z0-9 ]+$/.test(name)
      ? name
      : `"${name.replace(/["\\]/g, "\\$&")}"`;
  return `${written} <${email}>`;
}

/** Breaks a paragraph at blanks. */
function wrap(paragraph: string): string {
  const lines: string[] = [];
  for (const line of paragraph.split("\n")) {
    let current = "";
    for (const word of line.split(" ")) {
      if (current !== "" && current.length + word.length >= WRAP_COLUMNS) {
        lines.push(current);
        current = word;
      } else current = current === "" ? word : `${current} ${word}`;
    }
    lines.push(current);
  }
  return lines.join("\n");
}

interface Composed {
  readonly text: string;
  readonly quoted: string;
  readonly program: MailProgram;
}

/** Content-Type field and everything after it. */
function bodyOf(draft: Draft, composed: Composed, random: SeededRandom): Buffer {
  let body = textPart(composed.text, draft.charset, composed.program.isFlowed);
  if (composed.program.isHtml) {
    const html = textPart(htmlOf(draft.paragraphs, composed.quoted), draft.charset, false, "text/html");
    body = multipart("alternative", [body, html, ...calendarParts(draft)], random);
  } else if (draft.calendar !== null) body = multipart("alternative", [body, ...calendarParts(draft)], random);
  if (draft.attachments.length > 0)
    body = multipart("mixed", [body, ...draft.attachments.map((file) => attachmentPart(file))], random);
  return body;
}

function calendarParts({ calendar }: Draft): Buffer[] {
  if (calendar === null) return [];
  const head = `Content-Type: text/calendar; charset="utf-8"; method=${calendar.method}\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
  return [Buffer.from(head + base64Lines(Buffer.from(calendar.text)))];
}

/**
 * A text part in the charset's usual transfer encoding: 7bit, quoted-printable for Latin scripts, base64 for the
 * others.
 */
function textPart(text: string, charset: Charset, isFlowed: boolean, mediaType = "text/plain"): Buffer {
  const crlf = (isFlowed ? flow(text) : text).replaceAll("\n", "\r\n");
  const format = isFlowed ? "; format=flowed" : "";
  if (isAscii(crlf) && crlf.split("\r\n").every((line) => line.length < 990)) {
    return Buffer.from(
      `Content-Type: ${mediaType}; charset=us-ascii${format}\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${crlf}`,
    );
  }
  const bytes = encodeText(crlf, charset);
  const encoding =
    charset === "iso-2022-jp" ? "7bit" : charset === "koi8-r" || charset === "gb18030" ? "base64" : "quoted-printable";
  const head = Buffer.from(
    `Content-Type: ${mediaType}; charset="${charset}"${format}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
  );
  if (encoding === "7bit") return Buffer.concat([head, bytes]);
  return Buffer.concat([head, Buffer.from(encoding === "base64" ? base64Lines(bytes) : quotedPrintable(bytes))]);
}

/**
 * Soft line breaks of RFC 3676: a blank at the end of a line says that the paragraph goes on. Quoted lines are left
 * alone.
 */
function flow(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.startsWith(">") || line.length < WRAP_COLUMNS ? line : wrap(line).replaceAll("\n", " \n")))
    .join("\n");
}

function attachmentPart(file: ExampleAttachment): Buffer {
  const name = isAscii(file.filename)
    ? `filename="${file.filename}"`
    : `filename*=utf-8''${encodeURIComponent(file.filename)}`;
  const head = `Content-Type: ${file.mediaType}\r\nContent-Disposition: attachment; ${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
  return Buffer.from(head + base64Lines(file.bytes));
}

function multipart(subtype: string, parts: readonly Buffer[], random: SeededRandom): Buffer {
  const boundary = `----=_Part_${random.hex(16)}`;
  const head = Buffer.from(
    `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\nThis is a message in MIME format.\r\n`,
  );
  const pieces = parts.flatMap((part) => [Buffer.from(`\r\n--${boundary}\r\n`), part]);
  return Buffer.concat([head, ...pieces, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

function htmlOf(paragraphs: readonly string[], quoted: string): string {
  const own = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join("\n");
  const trail = quoted === "" ? "" : `\n<div class="gmail_quote"><blockquote>${escapeHtml(quoted)}</blockquote></div>`;
  return `<html><head><style>p { margin: 0 0 1em }</style></head>\n<body>\n${own}${trail}\n</body></html>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", "<br>\n");
}
