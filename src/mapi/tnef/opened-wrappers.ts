import { hash } from "node:crypto";
import type { Address } from "../../mail/records/address.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { AttachmentPart, CalendarPart } from "../../mail/records/message.ts";
import type { MessageKind } from "../../mail/records/message-kind.ts";
import { signedContent } from "../../mime/body/cms-content.ts";
import { isSmime } from "../../mime/envelope/message-kind.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { PID } from "../../properties/property-ids.ts";
import { htmlToText } from "../../text/html/html-to-text.ts";
import { readAppointment } from "../appointments/appointment.ts";
import { type ItemFiles, NO_ITEM_FILES } from "../message/attachment-parts.ts";
import { senderAddress } from "../message/mapi-message.ts";
import { NO_DIRECTORY } from "../objects/mapi-address.ts";
import { treatmentOf } from "../objects/message-class.ts";
import { kindOfObject } from "../objects/message-kind.ts";
import type { MessageObject } from "../objects/message-object.ts";
import { readableBody, richBodies } from "../rtf/rich-body.ts";
import { readTnef } from "./tnef.ts";

/** Attachments of a message after its wrappers are opened, and the text inside them. */
interface OpenedWrappers {
  readonly attachments: readonly AttachmentPart[];
  readonly textBody: string | null;
  readonly htmlBody: string | null;
  readonly calendarParts: readonly CalendarPart[];
  /** Text of the meeting that Outlook's wrapper is about. */
  readonly calendar: readonly CalendarEntry[];
  /** Message kind from the wrapper; null if it is only mail. */
  readonly messageKind: MessageKind | null;
}

/** Content of a wrapper. */
type Wrapped = Omit<OpenedWrappers, "calendar"> & Partial<Pick<OpenedWrappers, "calendar">>;

/** Context for opening wrappers. */
interface WrapperContext {
  /** Sender of the outer message, since the wrapper of an invitation may lack it. */
  readonly sender: Address | null;
  /** Writes attached items that are not messages. */
  readonly files: ItemFiles;
}

const NO_CONTEXT: WrapperContext = { sender: null, files: NO_ITEM_FILES };

/**
 * Media types of Outlook's `winmail.dat` ([MS-OXTNEF]); servers strip or invent the parameters, so the bare type
 * decides.
 */
const TNEF_TYPES: ReadonlySet<string> = new Set(["application/ms-tnef", "application/vnd.ms-tnef"]);
/** Name of the file if its type is missing. */
const TNEF_NAME = /^win(?:mail)?\d{0,3}\.dat$/i;
/** Names that mail programs give to a file of unknown type; its first bytes decide. */
const UNKNOWN_NAME = /^(?:att\d{1,9}|attachment|noname|unnamed)?(?:\.(?:dat|bin))?$/i;
const UNKNOWN_TYPE = "application/octet-stream";
/**
 * Outlook stores a signed message as its only attachment: `multipart/signed` together with a text, otherwise S/MIME.
 */
const CLEAR_SIGNED = "multipart/signed";
/** Maximum wrappers opened per message: mail that is signed, encrypted and signed again has three. */
const MAX_WRAPPERS = 8;
/** Header of a MIME entity, which may begin with protected fields; other signed files are documents such as invoices. */
const MIME_HEADER = /^(?:content-[a-z-]{1,40}|mime-version)[ \t]*:/im;
const FIRST_FIELD = /^\s{0,20}[\w-]{1,60}[ \t]{0,9}:/;
const HEADER_END = /\r?\n\r?\n/;
/** Number of checked bytes. */
const HEADER_SAMPLE_BYTES = 4096;

/**
 * Opens `winmail.dat` and messages signed in one piece, with their texts and attachments. S/MIME attached to a message
 * with a text of its own is an ordinary file. Outlook's `multipart/signed` is the message itself, which may also have a
 * text. Signatures are not verified. Whatever cannot be opened, or differs from the message, stays an attachment.
 * @param ownText text of the message without the wrappers; null or blank if it has none.
 */
export function openWrappers(
  parts: readonly AttachmentPart[],
  ownText: string | null,
  context: WrapperContext = NO_CONTEXT,
): OpenedWrappers {
  if (!parts.some(isWrapper)) return { ...NOTHING_OPENED, attachments: parts };
  const attachments: AttachmentPart[] = [];
  const opened: Wrapped[] = [];
  const own = isListFooter(ownText) ? "" : lettersOf(ownText);
  const waiting = [...parts].reverse();
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const isRead = own !== "" || opened.some(({ textBody, htmlBody }) => textBody !== null || htmlBody !== null);
    const wrapped = opened.length < MAX_WRAPPERS ? openWrapper(part, isRead, context) : null;
    if (wrapped === null) {
      attachments.push(part);
      continue;
    }
    opened.push(wrapped);
    if (own !== "" && part.mediaType === CLEAR_SIGNED && !own.includes(lettersOf(textOf(wrapped))))
      attachments.push(part);
    for (let at = wrapped.attachments.length - 1; at >= 0; at--) waiting.push(wrapped.attachments[at]!);
  }
  return { ...contentOf(opened), attachments };
}

/** What Mailman adds as a part of its own to a message that is signed in one piece. */
const LIST_FOOTER = /^\s{0,20}_{20,100}\r?\n/;

/** True for a text that only a mailing list wrote. */
export function isListFooter(text: string | null): boolean {
  return text !== null && LIST_FOOTER.test(text);
}

/** The first text and all calendars of several wrappers. */
function contentOf(opened: readonly Wrapped[]): Omit<OpenedWrappers, "attachments"> {
  return {
    textBody: opened.find(({ textBody }) => textBody !== null)?.textBody ?? null,
    htmlBody: opened.find(({ htmlBody }) => htmlBody !== null)?.htmlBody ?? null,
    calendarParts: opened.flatMap(({ calendarParts }) => calendarParts),
    calendar: opened.flatMap(({ calendar }) => calendar ?? []),
    messageKind: opened.find(({ messageKind }) => messageKind !== null)?.messageKind ?? null,
  };
}

const NOTHING_OPENED: Omit<OpenedWrappers, "attachments"> = {
  textBody: null,
  htmlBody: null,
  calendarParts: [],
  calendar: [],
  messageKind: null,
};

function isWrapper(part: AttachmentPart): boolean {
  return isTnef(part) || part.mediaType === CLEAR_SIGNED || isSmime(part);
}

function isTnef({ mediaType, filename }: AttachmentPart): boolean {
  if (TNEF_TYPES.has(mediaType) || TNEF_NAME.test(filename)) return true;
  return mediaType === UNKNOWN_TYPE && UNKNOWN_NAME.test(filename);
}

function openWrapper(part: AttachmentPart, hasText: boolean, context: WrapperContext): Wrapped | null {
  if (isTnef(part)) {
    const bytes = part.bytes();
    const tnef = readTnef(bytes, context.files);
    if (tnef === null) return null;
    const kind = kindOfObject(tnef.object, "mail", tnef.textBody);
    const calendar = meetingIn(tnef.object, { bytes, sender: context.sender });
    return { ...tnef, calendarParts: [], calendar, messageKind: kind === "mail" ? null : kind };
  }
  const isOpened = part.mediaType === CLEAR_SIGNED || (isSmime(part) && !hasText);
  return isOpened ? openSigned(part) : null;
}

/** The meeting or appointment that a message in TNEF is about. */
function meetingIn(
  object: MessageObject,
  around: { readonly bytes: Uint8Array; readonly sender: Address | null },
): readonly CalendarEntry[] {
  const treatment = treatmentOf(object);
  if (treatment !== "meeting" && treatment !== "appointment") return [];
  const { properties } = object;
  const own = senderAddress(object, NO_DIRECTORY);
  const entries = readAppointment(object, {
    messageClass: properties.text(PID.messageClass) ?? "",
    sender: own.sender ?? around.sender,
    directory: own.directory,
    description: readableBody(richBodies(properties)),
    createdAt: properties.time(PID.creationTime),
    updatedAt: properties.time(PID.lastModificationTime),
    fallbackUid: `sha256:${hash("sha256", around.bytes)}`,
  });
  return entries.map(({ entry }) => entry);
}

function textOf({ textBody, htmlBody }: Wrapped): string | null {
  return textBody ?? (htmlBody === null ? null : htmlToText(htmlBody));
}

/** Normalizes a text independent of line breaks. */
function lettersOf(text: string | null): string {
  return text?.replace(/[^\p{L}\p{N}]+/gu, "") ?? "";
}

/** Returns the inner message: the signed content of S/MIME, or the entity itself for Outlook's attachment. */
function openSigned(part: AttachmentPart): Wrapped | null {
  const bytes = part.bytes();
  const entity = signedContent(bytes) ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sample = entity.toString("latin1", 0, HEADER_SAMPLE_BYTES);
  if (!FIRST_FIELD.test(sample) || !MIME_HEADER.test(sample.trimStart().split(HEADER_END, 1)[0]!)) return null;
  return { ...parseMessage(entity), messageKind: null };
}
