import type { Instant } from "../mail/dates/instant.ts";
import { titleInName } from "../mail/records/attachment-types.ts";
import type { AttachmentPart, CalendarPart, Finding, Message } from "../mail/records/message.ts";
import { wellFormed } from "../mail/words/unicode.ts";
import { decodeBytes, decodeText, decodeTextBytes, MAX_BODY_BYTES } from "./body/body-content.ts";
import { selectParts } from "./body/body-selection.ts";
import { type EmbeddedFile, mayEmbedFiles, separateEmbeddedFiles } from "./body/embedded-files.ts";
import { enrichedToText } from "./body/enriched-text.ts";
import { convertedFiles, readEudoraBody } from "./body/eudora-text.ts";
import { journaledMessage, withJournaledRecipients } from "./body/journal-report.ts";
import { linkTarget } from "./body/link-target.ts";
import { fragmentOf, readableEntity, withMessageOfFragment } from "./body/partial-message.ts";
import { type MimeEntity, readStructure } from "./body/structure.ts";
import { decodeTransfer } from "./body/transfer-encoding.ts";
import { readEnvelope } from "./envelope/envelope.ts";
import { fieldCharset } from "./envelope/field-charset.ts";
import { readListMail } from "./envelope/list-author.ts";
import { kindOfMessage } from "./envelope/message-kind.ts";
import { withProtectedSubject } from "./envelope/protected-subject.ts";
import { withReportedMessage } from "./envelope/reported-message.ts";
import { decodeRawText } from "./syntax/encoded-words.ts";
import { readExportedNames } from "./syntax/exported-names.ts";
import { type MimeFindingCode, mimeFinding } from "./syntax/findings.ts";
import { decodedField, firstField } from "./syntax/header-block.ts";
import { readLabels, readMarks } from "./syntax/labels.ts";

/**
 * Parses one RFC 5322 message. Never throws: broken parts are read as far as possible and reported in `findings`.
 * Attachments are decoded on access and share memory with `bytes`: copy what must outlive the buffer.
 * @param unnamedCharset charset of unlabeled text that is not UTF-8; null if unknown.
 * @param storedAt when the message was stored; null if unknown.
 */
export function parseMessage(
  bytes: Buffer,
  unnamedCharset: string | null = null,
  storedAt: Instant | null = null,
): Message {
  const whole = readStructure(bytes, unnamedCharset);
  const journal = journaledMessage(whole);
  const root = journal?.message ?? whole;
  const content = readableEntity(root);
  const parts = selectParts(content);
  const findings: MimeFindingCode[] = [];
  const files: EmbeddedFile[] = [];
  const written = joinedText(parts.text, files, findings);
  const markup = joinedHtml(parts.html, written === null ? files : [], findings);
  const eudora = readEudoraBody(written ?? markup ?? "");
  const textBody = eudora === null ? written : eudora.text;
  const htmlBody = eudora === null ? markup : eudora.html;
  const attachments = parts.attachments.map(attachmentOf);
  for (const file of files) attachments.push(embeddedAttachment(file));
  for (const path of convertedFiles(written ?? "")) attachments.push(convertedAttachment(path));
  const ofGmail = readLabels(firstField(root.headers, "x-gmail-labels"));
  const ofHeader = readMarks(root.headers);
  if (ofGmail.areCut || ofHeader.areCut) findings.push("labels-cut");
  const charset = fieldCharset(root);
  const read = withJournaledRecipients(readEnvelope(root.headers, charset, storedAt), journal);
  const { envelope, listAddress, findings: ofList } = readListMail(root.headers, read);
  const messageKind = kindOfMessage(envelope.messageKind ?? "mail", root, textBody);
  if (envelope.sentAt === null && firstField(root.headers, "date") !== "") findings.push("date-unreadable");
  const fragment = fragmentOf(root);
  const ofKind = messageKind === envelope.messageKind ? envelope : { ...envelope, messageKind };
  const ofMessage = fragment === null ? ofList : [fragment.finding, ...ofList];
  return {
    envelope: withProtectedSubject(withMessageOfFragment(withReportedMessage(ofKind, root, textBody), fragment), root),
    textBody,
    htmlBody,
    attachments,
    calendarParts: parts.calendars.map((part) => calendarOf(part, findings)),
    labels: ofGmail.labels,
    marks: ofHeader.marks,
    listAddress,
    exportedNames: readExportedNames(root.headers, read, charset),
    findings: findingsOf(content, findings, ofMessage),
  };
}

/**
 * The text parts in order. Null if there are none, or if there is HTML among them: then the HTML body contains them
 * all.
 */
function joinedText(parts: readonly MimeEntity[], files: EmbeddedFile[], findings: MimeFindingCode[]): string | null {
  if (parts.length === 0 || parts.some(isHtml)) return null;
  return joined(parts.map((part) => plainText(part, files, findings)));
}

function plainText(part: MimeEntity, files: EmbeddedFile[], findings: MimeFindingCode[]): string {
  const bytes = decodeTextBytes(part, findings);
  const whole = bytes.length > MAX_BODY_BYTES ? null : decodeText(part, bytes, findings);
  const text =
    whole === null || mayEmbedFiles(whole) ? textAroundFiles(part, { bytes, whole }, files, findings) : whole;
  const kind = ENRICHED_KINDS[part.mediaType];
  return kind === undefined ? text : enrichedToText(text, kind);
}

/** @param body also decoded as a whole, unless it is too long */
function textAroundFiles(
  part: MimeEntity,
  { bytes, whole }: { readonly bytes: Buffer; readonly whole: string | null },
  files: EmbeddedFile[],
  findings: MimeFindingCode[],
): string {
  const separated = separateEmbeddedFiles(bytes);
  if (whole !== null && separated.files.length === 0) return whole;
  for (const file of separated.files) {
    files.push(file);
    if (!file.isClosed) findings.push("embedded-file-not-closed");
  }
  return decodeText(part, separated.text, findings);
}

const ENRICHED_KINDS: Readonly<Record<string, "enriched" | "richtext" | undefined>> = {
  "text/enriched": "enriched",
  "text/richtext": "richtext",
};

/** HTML parts in order, plain ones between them as preformatted text. Null when none of them is HTML. */
function joinedHtml(parts: readonly MimeEntity[], files: EmbeddedFile[], findings: MimeFindingCode[]): string | null {
  if (!parts.some(isHtml)) return null;
  return joined(
    parts.map((part) => {
      const isMarkup = isHtml(part);
      return isMarkup
        ? decodeText(part, decodeTextBytes(part, findings), findings)
        : preformatted(plainText(part, files, []));
    }),
  );
}

function isHtml(part: MimeEntity): boolean {
  return part.mediaType === "text/html" || part.mediaType === "application/xhtml+xml";
}

function joined(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!;
  return texts
    .filter((text) => text !== "")
    .map((text, at, all) => (at + 1 < all.length && !text.endsWith("\n") ? `${text}\n` : text))
    .join("");
}

function preformatted(text: string): string {
  return text.trim() === "" ? "" : `<pre>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`;
}

function attachmentOf(part: MimeEntity): AttachmentPart {
  return {
    filename: wellFormed(part.filename === "" ? nestedMessageName(part) : part.filename),
    mediaType: part.mediaType,
    disposition:
      part.disposition ?? (part.contentId === null || part.mediaType.startsWith("message/") ? "attachment" : "inline"),
    contentId: part.contentId,
    linkTarget: linkTarget(part),
    bytes: () => decodeBytes(part),
  };
}

/** An unnamed message in a message is named by its subject, as mail clients save it. */
function nestedMessageName(part: MimeEntity): string {
  if (part.mediaType !== "message/rfc822") return "";
  const nested = part.children[0] ?? encodedMessage(part);
  if (nested === undefined) return "";
  const subject = decodedField(nested.headers, "subject", fieldCharset(nested)).trim();
  return `${subject === "" ? "message" : titleInName(subject)}.eml`;
}

/** Encoded bytes read for the header of a message. */
const ENCODED_HEAD_BYTES = 64 * 1024;

/** The header of a message that was encoded as a whole, which RFC 2046 5.2.1 forbids. */
function encodedMessage({ source, bodyStart, end, encoding }: MimeEntity): MimeEntity | undefined {
  if (encoding === "identity") return undefined;
  const head = source.subarray(bodyStart, Math.min(end, bodyStart + ENCODED_HEAD_BYTES));
  return readStructure(decodeTransfer(head, encoding));
}

function embeddedAttachment(file: EmbeddedFile): AttachmentPart {
  const filename = wellFormed(decodeRawText(file.filename));
  return {
    filename,
    mediaType: "application/octet-stream",
    disposition: "attachment",
    contentId: null,
    linkTarget: null,
    bytes: () => file.bytes(),
  };
}

/** A file that a mail program removed from the message and stored separately. */
function convertedAttachment(path: string): AttachmentPart {
  return {
    filename: wellFormed(
      path.slice(Math.max(path.lastIndexOf("\\"), path.lastIndexOf("/"), path.lastIndexOf(":")) + 1),
    ),
    mediaType: "application/octet-stream",
    disposition: "attachment",
    contentId: null,
    linkTarget: wellFormed(path),
    bytes: () => Buffer.alloc(0),
  };
}

function calendarOf(part: MimeEntity, findings: MimeFindingCode[]): CalendarPart {
  const method = part.parameters.get("method");
  return {
    text: decodeText(part, decodeTextBytes(part, findings), findings),
    method: method === undefined ? null : method.toUpperCase(),
  };
}

/** Distinct findings: of the parts in order, of decoding, then of the whole message. */
function findingsOf(
  root: MimeEntity,
  decoding: readonly MimeFindingCode[],
  ofMessage: readonly Finding[],
): readonly Finding[] {
  const codes = new Set<MimeFindingCode>();
  const stack = [root];
  for (let entity = stack.pop(); entity !== undefined; entity = stack.pop()) {
    for (const code of entity.findings) codes.add(code);
    for (let at = entity.children.length - 1; at >= 0; at--) stack.push(entity.children[at]!);
  }
  for (const code of decoding) codes.add(code);
  if (codes.size === 0) return ofMessage.length === 0 ? NO_FINDINGS : ofMessage;
  return [...Array.from(codes, mimeFinding), ...ofMessage];
}

const NO_FINDINGS: readonly Finding[] = [];
