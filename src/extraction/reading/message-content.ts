import { MAX_EVENTS, readCalendar } from "../../calendar/read-calendar.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { AttachmentPart, Finding, Message } from "../../mail/records/message.ts";
import type { MessageKind } from "../../mail/records/message-kind.ts";
import { isListFooter, openWrappers } from "../../mapi/tnef/opened-wrappers.ts";
import { ITEM_FILES } from "../../sources/pst/attached-item.ts";
import { isHtmlDocument } from "../../text/html/html-document.ts";
import { htmlToText, type PageText, readPage } from "../../text/html/html-to-text.ts";
import { exceedsAnalyzedLines, MAX_ANALYZED_LINES } from "../../text/quoting/body-lines.ts";
import { withoutPgpArmor } from "../../text/quoting/pgp-armor.ts";
import { isPlaceholder, mayBePlaceholder } from "../../text/tokens/placeholder-text.ts";

/** Readable content of a message, and its attachments. */
interface MessageContent {
  readonly body: string;
  /** True if the text is the plain text of the message, not converted from HTML. */
  readonly isPlainText: boolean;
  /** The HTML of the message as sent, or null. */
  readonly html: string | null;
  readonly attachments: readonly AttachmentPart[];
  readonly calendar: readonly CalendarEntry[];
  /** Message kind from a wrapper; null if none is more specific than mail. */
  readonly wrappedKind: MessageKind | null;
  readonly findings: readonly Finding[];
}

/**
 * Maximum UTF-16 units of text per message. Longer mail is a log file or an attack; the rest is truncated with a
 * finding.
 */
const MAX_BODY_LENGTH = 32 << 20;

/**
 * Chooses the text of a message and opens its wrappers: HTML becomes text, `winmail.dat` and what
 * was signed in one piece their contents, calendar parts entries, and signed text loses its armor.
 */
export function composeContent(message: Message): MessageContent {
  const findings: Finding[] = [...message.findings];
  const calendar: CalendarEntry[] = [];
  const inside = documentAsHtml(message);
  const bodyText = readableText(inside.textBody, inside.htmlBody);
  const own = bodyText.text;
  const hasText = own !== null && /\S/.test(own) && !isListFooter(own);
  const unwrapped = openWrappers(message.attachments, own, { sender: message.envelope.from, files: ITEM_FILES });
  for (const part of [...message.calendarParts, ...unwrapped.calendarParts]) {
    const read = readCalendar(part, MAX_EVENTS - calendar.length);
    for (const entry of read.entries) calendar.push(entry);
    for (const finding of read.findings) findings.push(finding);
  }
  // The iCalendar text of the same meeting is the original.
  if (calendar.length === 0) calendar.push(...unwrapped.calendar.slice(0, MAX_EVENTS));
  const { text: readable, hidesText } = hasText
    ? bodyText
    : textOrElse(readableText(unwrapped.textBody, unwrapped.htmlBody), bodyText);
  let body = readable ?? "";
  if (hidesText) findings.push(HIDDEN_TEXT);
  if (body.length > MAX_BODY_LENGTH) {
    findings.push({ code: "body-cut", message: `text truncated to ${MAX_BODY_LENGTH} characters` });
    body = body.slice(0, MAX_BODY_LENGTH).toWellFormed();
  }
  if (exceedsAnalyzedLines(body)) {
    const message = `more than ${MAX_ANALYZED_LINES} lines: the rest is treated as new text`;
    findings.push({ code: "lines-not-told-apart", message });
  } else body = withoutPgpArmor(body);
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

/** Moves an HTML document that was sent as plain text to the HTML body, unless it is empty. */
function documentAsHtml({ textBody, htmlBody }: Message): Pick<Message, "textBody" | "htmlBody"> {
  if (textBody === null || !isHtmlDocument(textBody)) return { textBody, htmlBody };
  const saying = [htmlBody, textBody].find((html) => html !== null && /\S/.test(htmlToText(html)));
  return saying === undefined ? { textBody, htmlBody } : { textBody: null, htmlBody: saying };
}

const HIDDEN_TEXT: Finding = { code: "hidden-text", message: "text hidden by the HTML was omitted" };

/** Readable text of a message, or null. */
type ReadableText = { readonly text: string | null; readonly hidesText: false } | PageText;

function textOrElse(text: ReadableText, other: ReadableText): ReadableText {
  return text.text === null ? other : text;
}

/**
 * Returns the plain text unless it is empty or meaningless, else the HTML as text; null if neither has text. If the
 * plain text is only a substitute, content found only in the HTML follows it.
 */
function readableText(textBody: string | null, htmlBody: string | null): ReadableText {
  const hasPlainText = textBody !== null && /\S/.test(textBody);
  const plain = { text: textBody, hidesText: false } as const;
  if (htmlBody === null || (hasPlainText && !mayBePlaceholder(textBody))) return plain;
  const page = readPage(htmlBody);
  if (!hasPlainText) return /\S/.test(page.text) ? page : plain;
  return isPlaceholder(textBody, page.text) ? { ...page, text: `${textBody.trimEnd()}\n\n${page.text}` } : plain;
}
