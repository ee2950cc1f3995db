import { decodeCharset } from "../charset/decode-charset.ts";
import { readMapiMessage } from "../mapi/message/mapi-message.ts";
import { NO_DIRECTORY } from "../mapi/objects/mapi-address.ts";
import { readRtf } from "../mapi/rtf/rtf-text.ts";
import { messageText } from "../mapi/tnef/attached-messages.ts";
import { openMsg } from "../mapi/tnef/msg-object.ts";
import { parseMessage } from "../mime/parse-message.ts";
import { isHtmlDocument } from "../text/html/html-document.ts";
import { htmlToText } from "../text/html/html-to-text.ts";
import { bufferOver, type FileKind, fileKind } from "./file-kind.ts";
import { type FileText, FileTextWriter, type MailedFile, UnreadFile } from "./file-text.ts";
import { officeText } from "./office-text.ts";
import { type ExtractionQuota, ZipParts } from "./zip-parts.ts";

/** Maximum depth of nested zip files: one inside another. */
const MAX_ZIP_DEPTH = 2;

/**
 * Reads the text of a file; null if its kind is not supported. Never rejects. Use `FileTextReader`, which survives
 * hostile files. @param room bytes that its parts may unpack to; reduced on return
 */
export function readFileText(file: MailedFile, room: ExtractionQuota): Promise<FileText | null> {
  return readAt(file, room, 0);
}

/** @param depth number of zip files that contain the file */
async function readAt(file: MailedFile, room: ExtractionQuota, depth: number): Promise<FileText | null> {
  const kind = fileKind(file);
  try {
    return kind === null ? null : await READERS[kind](bufferOver(file.bytes), room, depth);
  } catch (error) {
    return { state: "unread", reason: error instanceof UnreadFile ? error.message : "it is damaged" };
  }
}

/** Null if it is of another kind. */
type ReadKind = (bytes: Buffer, room: ExtractionQuota, depth: number) => FileText | null | Promise<FileText | null>;

const READERS: Readonly<Record<FileKind, ReadKind>> = {
  zip: (bytes, room, depth) => partsText(new ZipParts(bytes, room), room, depth),
  rtf: rtfText,
  // 1.5 MB of code that few processes need.
  pdf: async (bytes) => (await import("./pdf-text.ts")).pdfText(bytes),
  outlook: outlookText,
  message: (bytes) => finished(messageText(parseMessage(bytes))),
  html: htmlText,
  text: plainText,
};

/** An office document, or a zip file with its members. */
function partsText(parts: ZipParts, room: ExtractionQuota, depth: number): FileText | null | Promise<FileText> {
  const office = officeText(parts);
  if (office !== null) return office.finish();
  if (depth === MAX_ZIP_DEPTH) return null;
  return zipText(parts, depth === 0, (member) => readAt(member, room, depth + 1));
}

function finished(text: string): FileText {
  const out = new FileTextWriter();
  out.write(text);
  return out.finish();
}

function plainText(bytes: Buffer): FileText {
  const text = decodeCharset(bytes, null);
  if (isHtmlDocument(text)) return finished(htmlToText(text));
  return finished(CONTENT_LINES.test(text) ? unescapedLines(text) : text);
}

/** Calendars and cards (RFC 5545 and RFC 6350): lines that are folded and have escapes. */
const CONTENT_LINES = /^\ufeff?\s*BEGIN:V(?:CALENDAR|CARD)\b/i;

/** Raw lines, so that words and numbers are never split or joined to an escape. */
function unescapedLines(text: string): string {
  return text
    .replace(/\r?\n[ \t]/g, "")
    .replace(/\\([nN,;:\\])/g, (_, escaped: string) => (escaped.toLowerCase() === "n" ? "\n" : escaped));
}

/** Plain text labeled as HTML keeps its lines. */
function htmlText(bytes: Buffer): FileText {
  const text = decodeCharset(bytes, null);
  return finished(/<[a-z!/]/i.test(text) ? htmlToText(text) : text);
}

function rtfText(bytes: Buffer): FileText {
  const { kind, content } = readRtf(bytes);
  return finished(kind === "html" ? htmlToText(content) : content);
}

/** A message that Outlook saved. Null for old documents of Word and Excel, which are compound files as well. */
function outlookText(bytes: Buffer): FileText | null {
  const file = openMsg(bytes);
  return file === null ? null : finished(messageText(readMapiMessage(file.object, NO_DIRECTORY)));
}

/** Maximum members of a zip file that are read; larger ones are programs or backups. */
const MAX_MEMBERS = 1_000;

/** Reads a member; null where files of its kind are not read. */
type ReadMember = (member: MailedFile) => Promise<FileText | null>;

/**
 * The names of the members of a zip file, each followed by its text. In a nested zip file only the text of members is
 * read: the names of the outer file describe what was sent.
 */
async function zipText(parts: ZipParts, isNamed: boolean, readMember: ReadMember): Promise<FileText> {
  const out = new FileTextWriter();
  const names = parts.names.filter((name) => !name.endsWith("/"));
  let gap: string | null = null;
  let isCut = names.length > MAX_MEMBERS;
  for (const name of names.slice(0, MAX_MEMBERS)) {
    if (out.isCut) break;
    if (isNamed) out.write(`${name}\n`);
    const read = await memberText(parts, name, readMember);
    if (read?.state === "unread") gap ??= `${name}: ${read.reason}`;
    if (read?.state !== "read") continue;
    gap ??= read.gap;
    isCut ||= read.isCut;
    if (read.text !== "") out.write(`${read.text}\n\n`);
  }
  const text = out.finish();
  return text.state === "read" ? { ...text, isCut: isCut || text.isCut, gap } : text;
}

async function memberText(parts: ZipParts, name: string, readMember: ReadMember): Promise<FileText | null> {
  try {
    return await readMember({ filename: name, mediaType: "", bytes: parts.part(name)! });
  } catch (error) {
    return { state: "unread", reason: error instanceof UnreadFile ? error.message : "it is damaged" };
  }
}
