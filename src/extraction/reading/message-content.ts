import { MAX_EVENTS, readCalendar } from "../../calendar/read-calendar.ts";
import type { CalendarEntry } from "../../mail/calendar-event.ts";
import type { AttachmentPart, Finding, Message } from "../../mail/message.ts";
import type { MessageKind } from "../../mail/message-kind.ts";
import { openWrappers } from "../../mapi/opened-wrappers.ts";
import { ITEM_FILES } from "../../sources/attached-item.ts";
import { exceedsAnalysedLines, MAX_ANALYSED_LINES } from "../../text/body-lines.ts";
import { isHtmlDocument } from "../../text/html-document.ts";
import { htmlToText } from "../../text/html-to-text.ts";
import { withoutPgpArmour } from "../../text/pgp-armour.ts";
import { isPlaceholder, mayBePlaceholder } from "../../text/placeholder-text.ts";

/** What a person reads of a message, and what hangs on it. */
export interface MessageContent {
  readonly body: string;
  /** True when the text is plain text of the message, and was not made of its HTML. */
  readonly isPlainText: boolean;
  /** The HTML of the message as it was sent; null when there is none. */
  readonly html: string | null;
  readonly attachments: readonly AttachmentPart[];
  readonly calendar: readonly CalendarEntry[];
  /** What a wrapper says that the message is; null when none says more than mail. */
  readonly wrappedKind: MessageKind | null;
  readonly findings: readonly Finding[];
}

/**
 * UTF-16 units of text kept of one message. A mail of more text is a log file or an attack; the rest is cut with a
 * finding.
 */
const MAX_BODY_LENGTH = 32 << 20;

/**
 * Chooses the text of a message and opens its wrappers: HTML becomes text, `winmail.dat` and what
 * was signed in one piece their contents, calendar parts entries, and signed text loses its armour.
 */
export function composeContent(message: Message): MessageContent {
  const findings: Finding[] = [...message.findings];
  const calendar: CalendarEntry[] = [];
  const inside = documentAsHtml(message);
  const own = readableText(inside.textBody, inside.htmlBody);
  const hasText = own !== null && /\S/.test(own);
  const unwrapped = openWrappers(message.attachments, own, { sender: message.envelope.from, files: ITEM_FILES });
  for (const part of [...message.calendarParts, ...unwrapped.calendarParts]) {
    const read = readCalendar(part, MAX_EVENTS - calendar.length);
    for (const entry of read.entries) calendar.push(entry);
    for (const finding of read.findings) findings.push(finding);
  }
  // The iCalendar text of the same meeting says it as it was sent.
  if (calendar.length === 0) calendar.push(...unwrapped.calendar.slice(0, MAX_EVENTS));
  const readable = hasText ? own : (readableText(unwrapped.textBody, unwrapped.htmlBody) ?? own);
  let body = readable ?? "";
  if (body.length > MAX_BODY_LENGTH) {
    findings.push({ code: "body-cut", message: `text of more than ${MAX_BODY_LENGTH} characters cut there` });
    body = body.slice(0, MAX_BODY_LENGTH).toWellFormed();
  }
  if (exceedsAnalysedLines(body)) {
    const message = `more than ${MAX_ANALYSED_LINES} lines: what comes behind them is taken for the writer's own text`;
    findings.push({ code: "lines-not-told-apart", message });
  } else body = withoutPgpArmour(body);
  const isPlainText = readable === inside.textBody || readable === unwrapped.textBody;
  return {
    body,
    isPlainText,
    html: inside.htmlBody ?? unwrapped.htmlBody,
    attachments: unwrapped.attachments,
    calendar,
    wrappedKind: unwrapped.messageKind,
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

/**
 * The plain text when it says anything, else the HTML as text; null when neither says anything. What only the HTML says
 * comes behind a plain text that stands in for it.
 */
function readableText(textBody: string | null, htmlBody: string | null): string | null {
  const hasPlainText = textBody !== null && /\S/.test(textBody);
  if (htmlBody === null || (hasPlainText && !mayBePlaceholder(textBody))) return textBody;
  const text = htmlToText(htmlBody);
  if (!hasPlainText) return /\S/.test(text) ? text : textBody;
  return isPlaceholder(textBody, text) ? `${textBody.trimEnd()}\n\n${text}` : textBody;
}
