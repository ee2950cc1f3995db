import type { MessageKind } from "../../mail/records/message-kind.ts";
import { kindOfArmor, kindOfSmime, kindOfStatus } from "../../mime/envelope/message-kind.ts";
import { PID } from "../../properties/property-ids.ts";
import type { AttachmentObject, MessageObject } from "./message-object.ts";

/** By prefix of the message class (lower case); the first match counts. */
const KINDS: readonly { readonly prefix: string; readonly kind: MessageKind }[] = [
  { prefix: "ipm.schedule.meeting.resp", kind: "meeting_answer" },
  { prefix: "ipm.schedule.meeting.canceled", kind: "meeting_cancellation" },
  { prefix: "ipm.schedule.meeting.notification", kind: "mail" },
  { prefix: "ipm.schedule.meeting", kind: "meeting_request" },
  { prefix: "ipm.taskrequest", kind: "task_request" },
  { prefix: "ipm.recall", kind: "recall" },
  { prefix: "ipm.outlook.recall", kind: "recall" },
  { prefix: "ipm.sharing", kind: "sharing" },
  { prefix: "ipm.post.rss", kind: "rss" },
  { prefix: "ipm.note.microsoft.voicemail", kind: "voicemail" },
  { prefix: "ipm.note.rpmsg.microsoft.voicemail", kind: "voicemail" },
  { prefix: "ipm.note.microsoft.missed", kind: "voicemail" },
  { prefix: "ipm.note.microsoft.fax", kind: "fax" },
  { prefix: "ipm.note.fax", kind: "fax" },
  { prefix: "ipm.note.microsoft.conversation", kind: "chat" },
  { prefix: "ipm.skypeteams.message", kind: "chat" },
  { prefix: "ipm.note.mobile.", kind: "sms" },
  { prefix: "ipm.note.enterprisevault", kind: "vault_stub" },
  { prefix: "ipm.note.smime.multipartsigned", kind: "signed" },
  { prefix: "ipm.note.secure.sign", kind: "signed" },
  { prefix: "ipm.note.secure", kind: "encrypted" },
];
/** Reports contain the reported class, and their type at the end ([MS-OXCMAIL] 2.1.3.2.1). */
const REPORT = "report.";
const REPORT_KINDS: Readonly<Record<string, MessageKind>> = {
  ndr: "non_delivery_report",
  ipnrn: "read_receipt",
  ipnnrn: "read_receipt",
};
/** Signed or encrypted in one piece; the class does not distinguish them. */
const SMIME_CLASS = "ipm.note.smime";
/** Types of the single attachment of S/MIME mail in one piece. */
const SMIME_ATTACHMENT = /^application\/(?:x-)?pkcs7-mime$|^application\/octet-stream$/;
/** The signature of clear-signed mail, a separate part. */
const SIGNATURE_TAG = /^application\/(?:x-)?pkcs7-signature$/;
/** Clear-signed mail with the file name of the other kind: some programs use one name for every S/MIME attachment. */
const SIGNED_ENTITY = /^\s{0,20}(?:mime-version[^\n]{0,80}\n)?content-type[ \t]*:\s{0,20}multipart\/signed\b/i;
const ENTITY_SAMPLE_BYTES = 200;
/** Attachment with the text of a rights-managed message ([MS-OXORMMS] 2.2.3). */
const RIGHTS_ATTACHMENT = "application/x-microsoft-rpmsg-message";
/** Maximum attachments of such a message: the text, and a page that says how to open it with its picture. */
const MAX_RIGHTS_PARTS = 3;

/**
 * The kind of a message: by its class, then its attachments, then its transport headers.
 * @param header the kind according to its transport headers.
 */
export function kindOfObject(object: MessageObject, header: MessageKind, textBody: string | null): MessageKind {
  const messageClass = object.properties.text(PID.messageClass)?.toLowerCase() ?? "";
  const known = kindOfClass(messageClass);
  if (known !== null) return known;
  if (messageClass.startsWith(SMIME_CLASS)) return smimeKind(object) ?? (header === "signed" ? "signed" : "encrypted");
  if (hasRights(object)) return "rights_protected";
  const report = kindOfReport(object, { header, textBody });
  if (report !== null) return report;
  if (header !== "mail" && header !== "list") return header;
  return object.attachments.some(isSignature) ? "signed" : (kindOfArmor(textBody) ?? header);
}

/** Maximum bytes of a delivery status, and attachments that are checked for one. */
const MAX_STATUS_BYTES = 64 << 10;
const MAX_STATUS_PARTS = 8;
const STATUS_TAG = "message/delivery-status";

/**
 * The kind of a report whose class is that of a note: by its attached delivery status, or by its text if the headers
 * announce one. Null if it is not a report.
 */
function kindOfReport(
  { attachments }: MessageObject,
  known: { readonly header: MessageKind; readonly textBody: string | null },
): MessageKind | null {
  const isReport = known.header === "delivery_report";
  if (!isReport && known.header !== "mail" && known.header !== "list") return null;
  if (attachments.length === 0 && !isReport) return null;
  const parts = attachments.filter(({ method, properties }) => {
    const tag = mediaTag(properties.text(PID.attachMimeTag));
    return method === "value" && (tag === STATUS_TAG || (isReport && (tag === "" || tag.startsWith("text/"))));
  });
  if (!isReport && !parts.some(({ properties }) => mediaTag(properties.text(PID.attachMimeTag)) === STATUS_TAG))
    return null;
  const texts = parts.slice(0, MAX_STATUS_PARTS).map((part) => part.bytes().toString("latin1", 0, MAX_STATUS_BYTES));
  const failed = [...texts, known.textBody?.slice(0, MAX_STATUS_BYTES) ?? ""].map(kindOfStatus);
  return failed.find((kind) => kind !== null) ?? "delivery_report";
}

/** The kind determined by a class alone; null if it is inconclusive. */
function kindOfClass(messageClass: string): MessageKind | null {
  // Nearly all mail has one of two uninformative classes.
  if (messageClass === "ipm.note" || messageClass === "ipm") return null;
  if (!messageClass.startsWith(REPORT))
    return KINDS.find(({ prefix }) => messageClass.startsWith(prefix))?.kind ?? null;
  const word = messageClass.slice(messageClass.lastIndexOf(".") + 1);
  return Object.hasOwn(REPORT_KINDS, word) ? REPORT_KINDS[word]! : "delivery_report";
}

/**
 * The mark of signed mail: its only attachment is the signed message, or the signature follows its parts (RFC 8551
 * section 3.5).
 */
function isSignature({ properties }: AttachmentObject, _: number, { length }: readonly AttachmentObject[]): boolean {
  const tag = mediaTag(properties.text(PID.attachMimeTag));
  return SIGNATURE_TAG.test(tag) || (tag === "multipart/signed" && length === 1);
}

function smimeKind({ attachments }: MessageObject): MessageKind | null {
  const [only] = attachments;
  if (only === undefined || attachments.length > 1) return null;
  const tag = mediaTag(only.properties.text(PID.attachMimeTag));
  if (tag === "multipart/signed") return "signed";
  if (tag !== "" && !SMIME_ATTACHMENT.test(tag)) return null;
  const bytes = only.bytes();
  return kindOfSmime(bytes) ?? (SIGNED_ENTITY.test(bytes.toString("latin1", 0, ENTITY_SAMPLE_BYTES)) ? "signed" : null);
}

function hasRights({ attachments }: MessageObject): boolean {
  return attachments.length <= MAX_RIGHTS_PARTS && attachments.some(holdsRights);
}

/** Exchange Online names it `message_v2.rpmsg`, and servers between replace its type. */
function holdsRights({ properties }: AttachmentObject): boolean {
  const tag = mediaTag(properties.text(PID.attachMimeTag));
  if (tag !== "" && tag !== "application/octet-stream") return tag === RIGHTS_ATTACHMENT;
  const name = properties.text(PID.attachLongFilename) ?? properties.text(PID.attachFilename) ?? "";
  return name.toLowerCase().endsWith(".rpmsg");
}

function mediaTag(tag: string | null): string {
  return tag?.trim().toLowerCase() ?? "";
}
