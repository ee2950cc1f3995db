import { hash } from "node:crypto";
import type { Attachment, AttachmentPart, Message } from "../../mail/records/message.ts";
import { attachedMessageOf } from "../../mapi/tnef/attached-messages.ts";
import { openWrappers } from "../../mapi/tnef/opened-wrappers.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { ITEM_FILES } from "../../sources/pst/attached-item.ts";
import { htmlToText } from "../../text/html/html-to-text.ts";
import { sanitizeFilename } from "../../text/tokens/attachment-name.ts";

/** Maximum nesting of attached messages that become documents; deeper ones stay in the file of the last. */
const MAX_DEPTH = 8;
/** Maximum documents of one family: a hostile nested message must not fill the disk. */
const MAX_FAMILY = 10_000;

/** A file or message attached to a message, or to a message attached to it. */
export interface FamilyMember {
  /** Index of its parent among the members; null for the message of the archive itself. */
  readonly parent: number | null;
  readonly filename: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Null if the bytes are unavailable. */
  readonly bytes: Buffer | null;
  /** The message, or null for a file. */
  readonly message: Message | null;
  /** Text in the archive; null if it is not listed there. */
  readonly text: string | null;
}

interface Waiting {
  readonly parent: number | null;
  readonly depth: number;
  readonly part: Omit<FamilyMember, "parent" | "message">;
}

/**
 * All attachments of a message in order, each after its parent. Attachments in the archive's list come first; a file
 * whose bytes are not in the message has none here.
 * @param texts of the listed attachments
 */
export function familyOf(
  bytes: Buffer,
  listed: readonly Attachment[],
  texts: readonly string[],
): readonly FamilyMember[] {
  const found = new Map(partsOf(parseMessage(bytes)).map((part) => [part.sha256, part]));
  // Files of attached messages follow these, from the messages themselves.
  const waiting = listed
    .flatMap((attachment, at): Waiting[] => {
      if (attachment.attachedMessage !== null) return [];
      const known = knownPart(attachment, found.get(attachment.sha256) ?? null);
      return [{ parent: null, depth: 1, part: { ...known, text: texts[at] ?? "" } }];
    })
    .reverse();
  const members: FamilyMember[] = [];
  for (let next = waiting.pop(); next !== undefined && members.length < MAX_FAMILY; next = waiting.pop()) {
    const { parent, depth, part } = next;
    const message =
      part.bytes === null ? null : attachedMessageOf({ ...part, linkTarget: null }, part.bytes, ITEM_FILES);
    members.push({ ...part, parent, message });
    if (message === null || depth >= MAX_DEPTH) continue;
    const own = members.length - 1;
    const inner = partsOf(message).map((attached) => ({ parent: own, depth: depth + 1, part: attached }));
    waiting.push(...inner.reverse());
  }
  return members;
}

function knownPart(
  { filename, mediaType, sha256, sizeBytes }: Attachment,
  found: Waiting["part"] | null,
): Omit<Waiting["part"], "text"> {
  return { filename, mediaType, sha256, sizeBytes, bytes: found?.bytes ?? null };
}

/** The attachments of a message, including those inside wrappers such as `winmail.dat`. */
function partsOf({ attachments, textBody }: Message): readonly Waiting["part"][] {
  return openWrappers(attachments, textBody, { sender: null, files: ITEM_FILES }).attachments.map(partOf);
}

function partOf({ filename, mediaType, bytes: read }: AttachmentPart, at: number): Waiting["part"] {
  const bytes = Buffer.from(read());
  const name = sanitizeFilename(filename, `attachment-${at + 1}`);
  return { filename: name, mediaType, sha256: hash("sha256", bytes), sizeBytes: bytes.length, bytes, text: null };
}

/** Text of a member: from the archive, or the body of an attached message. */
export function memberText({ message, text }: FamilyMember): string {
  if (text !== null && text !== "") return text;
  if (message === null) return "";
  return message.textBody ?? htmlToText(message.htmlBody ?? "");
}
