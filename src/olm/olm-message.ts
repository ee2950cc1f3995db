import { formatInstant } from "../mail/dates/instant.ts";
import type { Address } from "../mail/records/address.ts";
import { MEDIA_TYPE } from "../mail/records/attachment-types.ts";
import type { AttachmentPart, CalendarPart, Finding, Message, MessageEnvelope } from "../mail/records/message.ts";
import { parseMessage } from "../mime/parse-message.ts";
import { readMessageId, readMessageIds } from "../mime/syntax/message-ids.ts";
import { addressesOf, categoriesOf, instantOf, isSet, numberOf } from "./olm-values.ts";
import { childOf, fieldOf, type XmlElement } from "./xml-element.ts";

/** Maximum attachments read per message. */
const MAX_ATTACHMENTS = 10_000;
/** Bytes of a conversation index that name the conversation ([MS-OXOMSG] 2.2.1.3). */
const CONVERSATION_ROOT_BYTES = 22;
const CALENDAR_START = /^\s{0,100}BEGIN:VCALENDAR/i;
/** End of the header of a message. */
const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/;

/** A file in an archive that a message refers to. */
export interface OlmFile {
  bytes(): Buffer;
}

/** Finds an attachment file by its URL in a message, or returns null. */
export type FindOlmFile = (url: string) => OlmFile | null;

interface OlmMessage {
  readonly message: Message;
  readonly flags: readonly string[];
  /** The original header, if stored. */
  readonly transportHeaders: string | null;
}

/**
 * Converts a message of an archive to the result of the MIME parser. If the mail is stored as sent, its header has more
 * detail than the fields, and its body and files replace missing ones.
 */
export function readOlmMessage(email: XmlElement, findFile: FindOlmFile): OlmMessage {
  const source = childOf(email, "OPFMessageCopySource")?.text.trimStart() ?? "";
  const own = ownMessage(email, findFile);
  const flags = flagsOf(email);
  if (source === "") return { message: own, flags, transportHeaders: null };
  const header = BLANK_LINE.exec(source);
  return {
    message: joinedMessage(parseMessage(Buffer.from(source, "utf8")), own),
    flags,
    transportHeaders: header === null ? source : source.slice(0, header.index),
  };
}

/** Message from the XML fields. */
function ownMessage(email: XmlElement, findFile: FindOlmFile): Message {
  const htmlBody = bodyOf(email, "OPFMessageCopyHTMLBody");
  const { parts, findings } = attachmentsOf(email, htmlBody ?? "", findFile);
  return {
    envelope: ownEnvelope(email),
    textBody: bodyOf(email, "OPFMessageCopyBody"),
    htmlBody,
    attachments: parts,
    calendarParts: meetingOf(email, findFile),
    labels: [],
    marks: [],
    exportedNames: null,
    listAddress: null,
    findings,
  };
}

/** Merges the mail as sent with the stored fields. */
function joinedMessage(sent: Message, own: Message): Message {
  const hasBody = own.textBody !== null || own.htmlBody !== null;
  return {
    ...sent,
    envelope: joinedEnvelope(sent.envelope, own.envelope),
    textBody: hasBody ? own.textBody : sent.textBody,
    htmlBody: hasBody ? own.htmlBody : sent.htmlBody,
    attachments: own.attachments.length > 0 ? own.attachments : sent.attachments,
    calendarParts: own.calendarParts.length > 0 ? own.calendarParts : sent.calendarParts,
    findings: [...sent.findings, ...own.findings],
  };
}

/** Unescaped HTML is parsed as XML elements: use its source text. */
function bodyOf(email: XmlElement, name: string): string | null {
  const element = childOf(email, name);
  if (element === null) return null;
  const body = (element.children.length === 0 ? element.text : element.markup).replace(/\r\n?/g, "\n");
  return body.trim() === "" ? null : body;
}

function ownEnvelope(email: XmlElement): MessageEnvelope {
  const [from = null] = addressesOf(email, "OPFMessageCopyFromAddresses");
  const [sender = null] = addressesOf(email, "OPFMessageCopySenderAddress");
  const index = Buffer.from(fieldOf(email, "OPFMessageCopyThreadIndex"), "base64");
  const isMeeting = isSet(email, "OPFMessageIsMeeting") || isSet(email, "OPFMessageIsCalendarMessage");
  return {
    messageId: readMessageId(fieldOf(email, "OPFMessageCopyMessageID")),
    inReplyTo: readMessageIds(fieldOf(email, "OPFMessageCopyInReplyTo")),
    references: readMessageIds(fieldOf(email, "OPFMessageCopyReferences")),
    conversationIndexRoot:
      index.length < CONVERSATION_ROOT_BYTES ? null : index.toString("hex", 0, CONVERSATION_ROOT_BYTES),
    subject: fieldOf(email, "OPFMessageCopySubject").replace(/\s+/g, " "),
    from: from ?? sender,
    sender,
    replyTo: addressesOf(email, "OPFMessageCopyReplyToAddresses"),
    to: recipientsOf(email),
    cc: addressesOf(email, "OPFMessageCopyCCAddresses"),
    bcc: addressesOf(email, "OPFMessageCopyBCCAddresses"),
    sentAt: instantOf(email, "OPFMessageCopySentTime"),
    receivedAt: instantOf(email, "OPFMessageCopyReceivedTime"),
    gmailThreadId: null,
    isAutomatic: false,
    messageKind: isSet(email, "OPFMessageIsOutgoingMeetingResponse")
      ? "meeting_answer"
      : isMeeting
        ? "meeting_request"
        : "mail",
  };
}

/** Display names if addresses are missing. */
function recipientsOf(email: XmlElement): readonly Address[] {
  const to = addressesOf(email, "OPFMessageCopyToAddresses");
  if (to.length > 0) return to;
  return fieldOf(email, "OPFMessageCopyDisplayTo")
    .split(";")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => ({ name, email: "" }));
}

/** Envelope of the original header, completed by the fields. */
function joinedEnvelope(sent: MessageEnvelope, own: MessageEnvelope): MessageEnvelope {
  const listed = <T>(first: readonly T[], second: readonly T[]): readonly T[] => (first.length > 0 ? first : second);
  return {
    ...sent,
    messageId: sent.messageId ?? own.messageId,
    inReplyTo: listed(sent.inReplyTo, own.inReplyTo),
    references: listed(sent.references, own.references),
    conversationIndexRoot: sent.conversationIndexRoot ?? own.conversationIndexRoot,
    subject: sent.subject === "" ? own.subject : sent.subject,
    from: sent.from ?? own.from,
    sender: sent.from === null ? own.sender : sent.sender,
    replyTo: listed(sent.replyTo, own.replyTo),
    to: listed(sent.to, own.to),
    cc: listed(sent.cc, own.cc),
    // No transmitted header contains them.
    bcc: listed(own.bcc, sent.bcc),
    sentAt: sent.sentAt ?? own.sentAt,
    receivedAt: own.receivedAt ?? sent.receivedAt,
    messageKind: sent.messageKind === "mail" ? own.messageKind : sent.messageKind,
  };
}

/** As in X-Priority: 1 is the highest, 5 the lowest. */
const USUAL_PRIORITY = 3;

/** State of a message as archive flags. */
function flagsOf(email: XmlElement): readonly string[] {
  const flags: string[] = [];
  const completedAt = instantOf(email, "OPFMessageCopyCompletedDateTime");
  const dueAt = instantOf(email, "OPFMessageCopyDueDateTime");
  if (isSet(email, "OPFMessageGetIsRead")) flags.push("seen");
  if (isSet(email, "OPFMessageCopyGetFlagStatus") && completedAt === null) flags.push("flagged");
  const priority = numberOf(email, "OPFMessageGetPriority") ?? USUAL_PRIORITY;
  if (priority >= 1 && priority <= 5 && priority !== USUAL_PRIORITY)
    flags.push(priority < USUAL_PRIORITY ? "importance:high" : "importance:low");
  if (dueAt !== null) flags.push(`due:${formatInstant(dueAt).slice(0, 10)}`);
  if (completedAt !== null) flags.push(`completed:${formatInstant(completedAt).slice(0, 10)}`);
  for (const category of categoriesOf(email, "OPFMessageCopyCategoryList")) flags.push(`label:${category}`);
  return flags;
}

function attachmentsOf(
  email: XmlElement,
  html: string,
  findFile: FindOlmFile,
): { readonly parts: readonly AttachmentPart[]; readonly findings: readonly Finding[] } {
  const listed = childOf(email, "OPFMessageCopyAttachmentList")?.children ?? [];
  const findings: Finding[] = [];
  if (listed.length > MAX_ATTACHMENTS)
    findings.push({ code: "limit-reached", message: `more than ${MAX_ATTACHMENTS} attachments` });
  const parts = listed.slice(0, MAX_ATTACHMENTS).map((element) => {
    const bytes = contentOf(element, findFile);
    const filename = fieldOf(element, "OPFAttachmentName");
    if (bytes === null)
      findings.push({ code: "attachment-missing", message: `an attachment is not in the archive: ${filename}` });
    return { ...partOf(element, html), bytes: bytes ?? (() => Buffer.alloc(0)) };
  });
  return { parts, findings };
}

/** Reads the bytes of an attachment, usually from a separate file; null if they are missing. */
function contentOf(element: XmlElement, findFile: FindOlmFile): (() => Buffer) | null {
  const inside = fieldOf(element, "OPFAttachmentContentData");
  if (inside !== "") return () => Buffer.from(inside, "base64");
  const url = fieldOf(element, "OPFAttachmentURL");
  const file = findFile(url) ?? findFile(fieldOf(element, "OPFAttachmentName"));
  return file === null ? null : () => file.bytes();
}

function partOf(element: XmlElement, html: string): Omit<AttachmentPart, "bytes"> {
  const mediaType = fieldOf(element, "OPFAttachmentContentType").toLowerCase();
  const contentId = fieldOf(element, "OPFAttachmentContentID").replace(/^<|>$/g, "");
  return {
    filename: fieldOf(element, "OPFAttachmentName"),
    mediaType: MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream",
    disposition: contentId !== "" && html.includes(`cid:${contentId}`) ? "inline" : "attachment",
    contentId: contentId === "" ? null : contentId,
    linkTarget: null,
  };
}

/** The invitation in a message: iCalendar, or the name of the file that contains it. */
function meetingOf(email: XmlElement, findFile: FindOlmFile): readonly CalendarPart[] {
  const meeting = fieldOf(email, "OPFMessageCopyMeetingData");
  if (meeting === "") return [];
  const text = CALENDAR_START.test(meeting) ? meeting : (findFile(meeting)?.bytes().toString("utf8") ?? "");
  if (!CALENDAR_START.test(text)) return [];
  return [{ text, method: /^METHOD:[ ]?([A-Z-]{1,20})\s*$/im.exec(text)?.[1]?.toUpperCase() ?? null }];
}
