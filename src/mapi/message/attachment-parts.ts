import { hash } from "node:crypto";
import { MEDIA_TYPE, titleInName } from "../../mail/records/attachment-types.ts";
import type { AttachmentPart, CalendarPart, Finding } from "../../mail/records/message.ts";
import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { decodedText } from "../objects/encoded-text.ts";
import type { X500Directory } from "../objects/mapi-address.ts";
import { mediaTypeOfName } from "../objects/media-types.ts";
import { type AttachmentObject, linkTarget, type MessageObject } from "../objects/message-object.ts";
import { decoded, ShownParts } from "./shown-parts.ts";

/** `PidTagAttachFlags`: the attachment is shown in the HTML body. */
const SHOWN_IN_HTML = 4;

interface AttachmentParts {
  readonly parts: readonly AttachmentPart[];
  readonly findings: readonly Finding[];
}

/** Context of the parts: the HTML that may show them, and the RFC 5322 conversion of attached messages. */
export interface PartContext {
  readonly htmlBody: string | null;
  render(nested: MessageObject): Buffer;
  readonly files: ItemFiles;
}

/** An attached item that is not a message, as a file. */
export interface ItemFile {
  readonly extension: string;
  readonly mediaType: string;
  bytes(): Buffer;
}

/** Writes items of Outlook in the formats of other programs. */
export interface ItemFiles {
  /** The file for an attached item; null for a message. */
  fileOf(item: MessageObject): ItemFile | null;
  /** The iTIP text of a message about a meeting; null for other mail. */
  invitationOf(item: MessageObject, known: X500Directory): CalendarPart | null;
}

/** Keeps every item as a message. */
export const NO_ITEM_FILES: ItemFiles = { fileOf: () => null, invitationOf: () => null };

/**
 * The attachments of a message as body parts. Bytes are read, and attached messages rendered as message/rfc822, on
 * access, which is possible while the file is open and before its next item begins.
 */
export function attachmentParts(object: MessageObject, context: PartContext): AttachmentParts {
  const parts: AttachmentPart[] = [];
  const findings: Finding[] = [];
  const shown = new ShownParts(context.htmlBody);
  for (const attachment of object.attachments) {
    if (attachment.method === "embedded") {
      const nested = attachment.message();
      if (nested !== null) parts.push(...nestedParts(attachment, { nested, context }));
      else findings.push({ code: "attached-message-lost", message: "a message attached to this one cannot be read" });
      continue;
    }
    if (attachment.method === "reference") {
      const target = linkTarget(attachment);
      findings.push({
        code: "attachment-by-reference",
        message: `an attachment is only a link${target === null ? "" : ` to ${target}`}; its bytes are not in the store`,
      });
    }
    parts.push(dataPart(attachment, shown));
  }
  return { parts, findings };
}

/** An attached message is one part; any other item becomes a file, followed by its attachments. */
function nestedParts(
  attachment: AttachmentObject,
  message: { readonly nested: MessageObject; readonly context: PartContext },
): readonly AttachmentPart[] {
  const { nested, context } = message;
  const file = context.files.fileOf(nested);
  if (file === null) return [messagePart(attachment, message)];
  return [filePart(attachment, { nested, file }), ...itemParts(nested, { ...context, htmlBody: null })];
}

/** Class of a changed occurrence of a series, which Outlook keeps as an attachment of it ([MS-OXOCAL] 2.2.10.1.3). */
const OCCURRENCE_CLASS = "ipm.ole.class.{00061055";

/** Attachments of an item other than a message. Changed occurrences of a series do not count. */
export function itemParts(object: MessageObject, context: PartContext): readonly AttachmentPart[] {
  const listed: MessageObject["attachments"][number][] = object.attachments.filter((attachment) => {
    if (attachment.method !== "embedded") return true;
    const nested = attachment.message();
    return (
      nested === null || nested.properties.text(PID.messageClass)?.toLowerCase().startsWith(OCCURRENCE_CLASS) !== true
    );
  });
  return attachmentParts({ ...object, attachments: listed }, context).parts;
}

/** Attachments as one text: name, media type, size and SHA-256 of each, or the target of a link. */
export function listParts(parts: readonly AttachmentPart[]): string {
  const texts = parts.map((part) => {
    if (part.linkTarget !== null)
      return `${part.filename || "unnamed"} (${part.mediaType}, link to ${part.linkTarget})`;
    const bytes = part.bytes();
    return `${part.filename || "unnamed"} (${part.mediaType}, ${bytes.length} bytes, sha256 ${hash("sha256", bytes)})`;
  });
  return texts.join("; ");
}

function dataPart(attachment: AttachmentObject, shown: ShownParts): AttachmentPart {
  const { properties } = attachment;
  const contentId = properties.text(PID.attachContentId)?.replace(/^<|>$/g, "") ?? null;
  const location = contentId === null ? properties.text(PID.attachContentLocation) : null;
  const flags = properties.integer(PID.attachFlags) ?? 0;
  const isShown =
    (flags & SHOWN_IN_HTML) !== 0 ||
    (contentId !== null && shown.hasId(contentId)) ||
    (location !== null && shown.hasLocation(location));
  const filename = filenameOf(attachment);
  return {
    filename,
    mediaType: mediaTypeOf(attachment, filename),
    disposition: isShown || properties.boolean(PID.attachmentHidden) === true ? "inline" : "attachment",
    contentId,
    linkTarget: linkTarget(attachment),
    bytes: () => attachment.bytes(),
  };
}

/** A name of eight letters with a number instead of its end, as in MS-DOS. */
const SHORT_NAME = /^[^.]{1,6}~\d{1,5}(?:\.[^.]{0,3})?$/;

function filenameOf(attachment: AttachmentObject): string {
  const { properties } = attachment;
  const named =
    nameIn(properties, PID.attachLongFilename) ??
    fullName(nameIn(properties, PID.attachFilename), properties) ??
    nameIn(properties, PID.attachTransportName) ??
    nameOfPath(
      linkTarget(attachment) ?? properties.text(PID.attachLongPathname) ?? properties.text(PID.attachPathname),
    ) ??
    attachment.packedName();
  return named === null || named === "" ? withExtension(shownName(properties), properties) : named;
}

function shownName(properties: Properties): string {
  return properties.text(PID.displayName)?.trim() ?? "";
}

function nameIn(properties: Properties, id: number): string | null {
  const name = properties.text(id)?.trim() ?? "";
  return decodedText(name) || null;
}

/** The displayed name instead of its own short form: `Quarterly Report.docx` for `QUARTE~1.DOC`. */
function fullName(name: string | null, properties: Properties): string | null {
  if (name === null || !SHORT_NAME.test(name)) return name;
  const shown = shownName(properties);
  const [, extension = ""] = name.split(".");
  const ending = shown.slice(shown.lastIndexOf(".") + 1);
  const isFull = extension !== "" && shown.includes(".") && ending.toLowerCase().startsWith(extension.toLowerCase());
  return isFull ? shown : name;
}

/** The last name of a path, or of an address with a query. */
function nameOfPath(path: string | null): string | null {
  if (path === null) return null;
  if (!/^https?:/i.test(path)) return path.replace(/^.*[\\/]/s, "");
  return decoded(path.replace(/[?#].*$/s, "").replace(/^.*\//s, ""));
}

/** A file name extension as in Windows: short, letters and digits only. */
const EXTENSION = /^\.?([\p{L}\p{N}_-]{1,16})$/u;

/** Extension of the name of an unnamed file (`PidTagAttachExtension`). */
function withExtension(shown: string, properties: Properties): string {
  const letters = EXTENSION.exec(properties.text(PID.attachExtension)?.trim() ?? "")?.[1];
  if (letters === undefined || shown.toLowerCase().endsWith(`.${letters.toLowerCase()}`)) return shown;
  return `${shown === "" ? "attachment" : shown}.${letters}`;
}

function mediaTypeOf(attachment: AttachmentObject, filename: string): string {
  const tag = attachment.properties.text(PID.attachMimeTag)?.trim().toLowerCase() ?? "";
  if (MEDIA_TYPE.test(tag)) return tag;
  const isObject = attachment.method === "ole" && attachment.packedName() === null;
  return isObject ? "application/x-ole-storage" : mediaTypeOfName(filename);
}

function filePart(
  attachment: AttachmentObject,
  { nested, file }: { readonly nested: MessageObject; readonly file: ItemFile },
): AttachmentPart {
  const name = attachment.properties.text(PID.displayName) ?? nested.properties.subject() ?? "";
  return {
    filename: `${name === "" ? "item" : titleInName(name)}.${file.extension}`,
    mediaType: file.mediaType,
    disposition: "attachment",
    contentId: null,
    linkTarget: null,
    bytes: () => file.bytes(),
  };
}

function messagePart(
  attachment: AttachmentObject,
  message: { readonly nested: MessageObject; readonly context: PartContext },
): AttachmentPart {
  const { nested, context } = message;
  const name = attachment.properties.text(PID.displayName) ?? nested.properties.subject() ?? "";
  return {
    filename: `${name === "" ? "message" : titleInName(name)}.eml`,
    mediaType: "message/rfc822",
    disposition: "attachment",
    contentId: null,
    linkTarget: null,
    bytes: () => context.render(attachment.message() ?? nested),
  };
}
