import { hasCompoundSignature } from "../../compound/compound-file.ts";
import type { AttachmentPart, Finding, Message } from "../../mail/records/message.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { htmlToText } from "../../text/html/html-to-text.ts";
import { sanitizeFilename } from "../../text/tokens/attachment-name.ts";
import type { ItemFiles } from "../message/attachment-parts.ts";
import { readMapiMessage } from "../message/mapi-message.ts";
import { NO_DIRECTORY } from "../objects/mapi-address.ts";
import { openMsg } from "./msg-object.ts";
import { openWrappers } from "./opened-wrappers.ts";

/** A file of a message, or of a message attached to it. */
interface AttachedFile {
  readonly part: AttachmentPart;
  /**
   * Names of the attached messages that hold it, outermost first, separated by `/`, which no name contains. Null for a
   * file of the message itself.
   */
  readonly attachedMessage: string | null;
  /** Subject and text of an attached message; null for a file that is not read as one. */
  readonly text: string | null;
}

interface AttachedFiles {
  readonly files: readonly AttachedFile[];
  readonly findings: readonly Finding[];
}

/** Maximum nesting of opened messages: forwards of forwards end long before. */
const MAX_ATTACHED_DEPTH = 8;
/** Maximum opened attached messages per message: a digest of a list has about a hundred. */
const MAX_ATTACHED_MESSAGES = 500;
/** Files of one message after which no more attached messages are opened. */
const MAX_FILES = 2_000;
/** Maximum bytes of opened attached messages per message: all of them are in memory at once. */
const MAX_ATTACHED_BYTES = 256 << 20;
/** Maximum UTF-16 units of text kept from the attached messages of one message. */
const MAX_ATTACHED_TEXT = 4_000_000;
/** Bytes searched for zeros, which text messages do not contain. */
const PROBE_BYTES = 4_096;

const MESSAGE_TYPES: ReadonlySet<string> = new Set(["message/rfc822", "message/global", "application/vnd.ms-outlook"]);
const MESSAGE_NAME = /\.(?:eml|msg)$/i;
/** Saved web pages are labeled as messages, but were not sent. */
const PAGE_NAME = /\.mht(?:ml)?$/i;

const LIMIT: Finding = {
  code: "attached-message-not-read",
  message: "some attached messages were not read: too many, too large, or nested too deeply",
};

/**
 * The files of a message and of all messages attached to it, level by level: those of the message itself come first, in
 * their order. Reads without recursion and within limits; what exceeds them stays a file that is not opened.
 *
 * @param items writes attached items that are not messages
 */
export function openAttachedMessages(parts: readonly AttachmentPart[], items: ItemFiles): AttachedFiles {
  const files: AttachedFile[] = parts.map((part) => ({ part, attachedMessage: null, text: null }));
  const depths: number[] = parts.map(() => 1);
  const opener = new MessageOpener(items);
  // The list grows while it is read.
  for (let at = 0; at < files.length; at++) {
    const { part, attachedMessage } = files[at]!;
    const isWithinLimits = depths[at]! <= MAX_ATTACHED_DEPTH && files.length < MAX_FILES;
    const opened = mayBeMessage(part) ? opener.open(part, isWithinLimits) : null;
    if (opened === null) continue;
    const { bytes, text, inner } = opened;
    files[at] = { part: { ...part, bytes: () => bytes }, attachedMessage, text };
    const name = sanitizeFilename(part.filename, `attachment-${at + 1}`);
    const path = attachedMessage === null ? name : `${attachedMessage}/${name}`;
    for (const file of inner) {
      files.push({ part: file, attachedMessage: path, text: null });
      depths.push(depths[at]! + 1);
    }
  }
  return { files, findings: opener.isLimited ? [LIMIT] : [] };
}

interface OpenedPart {
  readonly bytes: Buffer;
  readonly text: string;
  readonly inner: readonly AttachmentPart[];
}

/** Opens the messages attached to one message until its limits are reached. */
class MessageOpener {
  isLimited = false;
  private messages = MAX_ATTACHED_MESSAGES;
  private bytes = MAX_ATTACHED_BYTES;
  private text = MAX_ATTACHED_TEXT;

  constructor(private readonly items: ItemFiles) {}

  /** Returns null for a part that is not a message, cannot be read, or exceeds the limits. */
  open(part: AttachmentPart, isWithinLimits: boolean): OpenedPart | null {
    const content = isWithinLimits && this.messages > 0 ? part.bytes() : null;
    if (content === null || content.length > this.bytes) {
      this.isLimited = true;
      return null;
    }
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const message = readMessage(bytes, this.items);
    if (message === null) return null;
    this.messages--;
    this.bytes -= bytes.length;
    const whole = messageText(message);
    const text = whole.slice(0, this.text).toWellFormed();
    this.text -= text.length;
    this.isLimited ||= text.length < whole.length;
    const bodyText = message.textBody ?? message.htmlBody;
    const context = { sender: message.envelope.from, files: this.items };
    return { bytes, text, inner: openWrappers(message.attachments, bodyText, context).attachments };
  }
}

/** Properties that identify an attached message without its bytes. */
type MessageTraits = Pick<AttachmentPart, "mediaType" | "filename" | "linkTarget">;

/** The message of a part; null for a file, or if it is unreadable. */
export function attachedMessageOf(part: MessageTraits, bytes: Buffer, items: ItemFiles): Message | null {
  return mayBeMessage(part) ? readMessage(bytes, items) : null;
}

function mayBeMessage({ mediaType, filename, linkTarget }: MessageTraits): boolean {
  if (linkTarget !== null || PAGE_NAME.test(filename)) return false;
  return MESSAGE_TYPES.has(mediaType) || MESSAGE_NAME.test(filename);
}

/** Returns null for a part that is not a message, or cannot be read. */
function readMessage(bytes: Buffer, items: ItemFiles): Message | null {
  try {
    if (hasCompoundSignature(bytes)) {
      const file = openMsg(bytes);
      return file === null ? null : readMapiMessage(file.object, NO_DIRECTORY, items);
    }
    return bytes.subarray(0, PROBE_BYTES).includes(0) ? null : parseMessage(bytes);
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw error;
    return null;
  }
}

/** Subject and text of a message inside mail. */
export function messageText({ envelope, textBody, htmlBody }: Message): string {
  const body = textBody !== null && /\S/.test(textBody) ? textBody : htmlToText(htmlBody ?? "");
  return `${envelope.subject}\n\n${body}`;
}
