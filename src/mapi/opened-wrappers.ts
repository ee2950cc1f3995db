import type { AttachmentPart, CalendarPart, Message } from "../mail/message.ts";
import { signedContent } from "../mime/cms-content.ts";
import { parseMessage } from "../mime/parse-message.ts";
import { htmlToText } from "../text/html-to-text.ts";
import { readTnef } from "./tnef.ts";

/** What hangs on a message once attachments that only wrap it are opened, and the text that was inside. */
export interface OpenedWrappers {
  readonly attachments: readonly AttachmentPart[];
  readonly textBody: string | null;
  readonly htmlBody: string | null;
  readonly calendarParts: readonly CalendarPart[];
}

/** What is inside a wrapper. */
type Wrapped = Pick<Message, "attachments" | "textBody" | "htmlBody" | "calendarParts">;

/**
 * Media types of Outlook's `winmail.dat` ([MS-OXTNEF]); servers strip or invent the parameters, so the bare type
 * decides.
 */
const TNEF_TYPES: ReadonlySet<string> = new Set(["application/ms-tnef", "application/vnd.ms-tnef"]);
/** Outlook keeps a message that is signed as its one attachment: `multipart/signed` beside its text, else S/MIME. */
const CLEAR_SIGNED = "multipart/signed";
const SIGNED_TYPES: ReadonlySet<string> = new Set([CLEAR_SIGNED, "application/pkcs7-mime", "application/x-pkcs7-mime"]);
/** Wrappers of one message that are opened: mail that is signed, encrypted and signed again has three. */
const MAX_WRAPPERS = 8;
/** What a MIME entity begins with; other files are signed as well, such as invoices. */
const MIME_HEADER = /^\s{0,20}(?:content-[a-z-]{1,40}|mime-version)[ \t]*:/i;
/** Bytes looked at for it. */
const HEADER_SAMPLE_BYTES = 100;

/**
 * Opens `winmail.dat` and what was signed in one piece with its text and attachments. S/MIME that hangs on a message
 * with a text of its own is a file that was sent; Outlook's `multipart/signed` is the message itself, whose text may
 * stand beside it. Signatures are not verified. What does not open stays an attachment, and so does what says something
 * else than the message.
 *
 * @param ownText what the message says without them; null or blank when it says nothing.
 */
export function openWrappers(parts: readonly AttachmentPart[], ownText: string | null): OpenedWrappers {
  if (!parts.some(isWrapper)) return { attachments: parts, textBody: null, htmlBody: null, calendarParts: [] };
  const attachments: AttachmentPart[] = [];
  const calendarParts: CalendarPart[] = [];
  let textBody: string | null = null;
  let htmlBody: string | null = null;
  let opened = 0;
  const own = lettersOf(ownText);
  const waiting = [...parts].reverse();
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const isRead: boolean = own !== "" || textBody !== null || htmlBody !== null;
    const wrapped: Wrapped | null = opened < MAX_WRAPPERS ? openWrapper(part, isRead) : null;
    if (wrapped === null) {
      attachments.push(part);
      continue;
    }
    opened++;
    if (own !== "" && part.mediaType === CLEAR_SIGNED && !own.includes(lettersOf(textOf(wrapped))))
      attachments.push(part);
    for (let at = wrapped.attachments.length - 1; at >= 0; at--) waiting.push(wrapped.attachments[at]!);
    for (const calendar of wrapped.calendarParts) calendarParts.push(calendar);
    textBody ??= wrapped.textBody;
    htmlBody ??= wrapped.htmlBody;
  }
  return { attachments, textBody, htmlBody, calendarParts };
}

function isWrapper({ mediaType }: AttachmentPart): boolean {
  return TNEF_TYPES.has(mediaType) || SIGNED_TYPES.has(mediaType);
}

function openWrapper(part: AttachmentPart, hasText: boolean): Wrapped | null {
  if (TNEF_TYPES.has(part.mediaType)) {
    const tnef = readTnef(part.bytes());
    return tnef === null ? null : { ...tnef, calendarParts: [] };
  }
  const isOpened = part.mediaType === CLEAR_SIGNED || (SIGNED_TYPES.has(part.mediaType) && !hasText);
  return isOpened ? openSigned(part) : null;
}

function textOf({ textBody, htmlBody }: Wrapped): string | null {
  return textBody ?? (htmlBody === null ? null : htmlToText(htmlBody));
}

/** What a text says, however its lines are broken. */
function lettersOf(text: string | null): string {
  return text?.replace(/[^\p{L}\p{N}]+/gu, "") ?? "";
}

/** The message inside: of S/MIME what was signed, of Outlook's attachment the entity itself. */
function openSigned(part: AttachmentPart): Wrapped | null {
  const bytes = part.bytes();
  const entity = signedContent(bytes) ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return MIME_HEADER.test(entity.toString("latin1", 0, HEADER_SAMPLE_BYTES)) ? parseMessage(entity) : null;
}
