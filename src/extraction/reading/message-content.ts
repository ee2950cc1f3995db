import { MAX_EVENTS, readCalendar } from "../../calendar/read-calendar.ts";
import type { CalendarEntry } from "../../mail/calendar-event.ts";
import type { AttachmentPart, Finding, Message } from "../../mail/message.ts";
import { readTnef } from "../../mapi/tnef.ts";
import { exceedsAnalysedLines, MAX_ANALYSED_LINES } from "../../text/body-lines.ts";
import { isHtmlDocument } from "../../text/html-document.ts";
import { htmlToText } from "../../text/html-to-text.ts";

/** What a person reads of a message, and what hangs on it. */
export interface MessageContent {
  readonly body: string;
  /** True when the text is plain text of the message, and was not made of its HTML. */
  readonly isPlainText: boolean;
  /** The HTML of the message as it was sent; null when there is none. */
  readonly html: string | null;
  readonly attachments: readonly AttachmentPart[];
  readonly calendar: readonly CalendarEntry[];
  readonly findings: readonly Finding[];
}

/**
 * Media types of Outlook's `winmail.dat` ([MS-OXTNEF]); servers strip or invent the parameters, so the bare type
 * decides.
 */
const TNEF_TYPES: ReadonlySet<string> = new Set(["application/ms-tnef", "application/vnd.ms-tnef"]);
/**
 * UTF-16 units of text kept of one message. A mail of more text is a log file or an attack; the rest is cut with a
 * finding.
 */
const MAX_BODY_LENGTH = 64 << 20;

/**
 * Chooses the text of a message and opens its wrappers: HTML becomes text, `winmail.dat` its attachments, calendar
 * parts entries.
 */
export function composeContent(message: Message): MessageContent {
  const findings: Finding[] = [...message.findings];
  const calendar: CalendarEntry[] = [];
  for (const part of message.calendarParts) {
    const read = readCalendar(part, MAX_EVENTS - calendar.length);
    for (const entry of read.entries) calendar.push(entry);
    for (const finding of read.findings) findings.push(finding);
  }
  const unwrapped = unwrapTnef(message.attachments);
  const inside = documentAsHtml(message);
  const readable =
    readableText(inside.textBody, inside.htmlBody) ?? readableText(unwrapped.textBody, unwrapped.htmlBody);
  let body = readable ?? "";
  if (body.length > MAX_BODY_LENGTH) {
    findings.push({ code: "body-cut", message: `text of more than ${MAX_BODY_LENGTH} characters cut there` });
    body = body.slice(0, MAX_BODY_LENGTH).toWellFormed();
  }
  if (exceedsAnalysedLines(body)) {
    const message = `more than ${MAX_ANALYSED_LINES} lines: what comes behind them is taken for the writer's own text`;
    findings.push({ code: "lines-not-told-apart", message });
  }
  const isPlainText = readable === inside.textBody || readable === unwrapped.textBody;
  return {
    body,
    isPlainText,
    html: inside.htmlBody ?? unwrapped.htmlBody,
    attachments: unwrapped.attachments,
    calendar,
    findings,
  };
}

/**
 * The texts of a message, an HTML document that was sent as plain text put in its place; one that says nothing stays
 * where it was.
 */
function documentAsHtml({ textBody, htmlBody }: Message): Pick<Message, "textBody" | "htmlBody"> {
  if (textBody === null || !isHtmlDocument(textBody)) return { textBody, htmlBody };
  const saying = [htmlBody, textBody].find((html) => html !== null && /\S/.test(htmlToText(html)));
  return saying === undefined ? { textBody, htmlBody } : { textBody: null, htmlBody: saying };
}

/** The plain text when it says anything, else the HTML as text; null when neither says anything. */
function readableText(textBody: string | null, htmlBody: string | null): string | null {
  if (textBody !== null && /\S/.test(textBody)) return textBody;
  if (htmlBody !== null) {
    const text = htmlToText(htmlBody);
    if (/\S/.test(text)) return text;
  }
  return textBody;
}

interface Unwrapped {
  readonly attachments: readonly AttachmentPart[];
  readonly textBody: string | null;
  readonly htmlBody: string | null;
}

function unwrapTnef(parts: readonly AttachmentPart[]): Unwrapped {
  if (!parts.some((part) => TNEF_TYPES.has(part.mediaType)))
    return { attachments: parts, textBody: null, htmlBody: null };
  const attachments: AttachmentPart[] = [];
  let textBody: string | null = null;
  let htmlBody: string | null = null;
  for (const part of parts) {
    const opened = TNEF_TYPES.has(part.mediaType) ? readTnef(part.bytes()) : null;
    if (opened === null) {
      attachments.push(part);
      continue;
    }
    for (const attachment of opened.attachments) attachments.push(attachment);
    textBody ??= opened.textBody;
    htmlBody ??= opened.htmlBody;
  }
  return { attachments, textBody, htmlBody };
}
