import type { MessageEnvelope } from "../../mail/records/message.ts";
import type { MessageKind } from "../../mail/records/message-kind.ts";
import { decodeBytes } from "../body/body-content.ts";
import type { MimeEntity } from "../body/structure.ts";
import { firstField, parseHeaderBlock } from "../syntax/header-block.ts";
import { readMessageId } from "../syntax/message-ids.ts";

const REPORTS: ReadonlySet<MessageKind> = new Set(["delivery_report", "non_delivery_report", "read_receipt"]);
/** Maximum parts of a report that are checked; RFC 6522 has three. */
const MAX_REPORT_PARTS = 20;
/** Bytes of a part, and characters of a text, searched for the id of the reported message. */
const MAX_REPORT_BYTES = 64 << 10;
/** The header of the message as Exim and qmail copy it into the text. */
const COPIED_ID = /^message-id:[ \t]{0,9}(<[^<>\s]{1,900}>)/im;

/**
 * Makes a bounce or receipt a reply to the reported message if its header lacks In-Reply-To, as usual. Other
 * envelopes are unchanged.
 */
export function withReportedMessage(
  envelope: MessageEnvelope,
  root: MimeEntity,
  textBody: string | null,
): MessageEnvelope {
  if (!REPORTS.has(envelope.messageKind ?? "mail")) return envelope;
  if (envelope.inReplyTo.length > 0 || envelope.references.length > 0) return envelope;
  const id = reportedId(root) ?? readMessageId(COPIED_ID.exec((textBody ?? "").slice(0, MAX_REPORT_BYTES))?.[1] ?? "");
  return id === null || id === envelope.messageId ? envelope : { ...envelope, inReplyTo: [id] };
}

function reportedId(root: MimeEntity): string | null {
  for (const part of root.children.slice(0, MAX_REPORT_PARTS)) {
    const id = idOfPart(part);
    if (id !== null) return id;
  }
  return null;
}

/** Uses of the parts of a report. Those that begin with `message/global` report on mail with UTF-8 addresses. */
const REPORT_PARTS = {
  "message/delivery-status": "status",
  "message/global-delivery-status": "status",
  "message/disposition-notification": "disposition",
  "message/global-disposition-notification": "disposition",
  "message/rfc822": "message",
  "message/rfc822-headers": "message",
  "message/global": "message",
  "message/global-headers": "message",
  "text/rfc822-headers": "message",
} as const;

/** The use of a part of a report by its type; null for other types. */
export function reportPart(mediaType: string): "status" | "disposition" | "message" | null {
  return Object.hasOwn(REPORT_PARTS, mediaType) ? REPORT_PARTS[mediaType as keyof typeof REPORT_PARTS] : null;
}

function idOfPart(part: MimeEntity): string | null {
  const use = reportPart(part.mediaType);
  if (use === "disposition") return idIn(part, "original-message-id");
  if (use !== "message") return null;
  return part.children[0] === undefined
    ? idIn(part, "message-id")
    : readMessageId(firstField(part.children[0].headers, "message-id"));
}

/** The id in a field of a part that is a header block. */
function idIn(part: MimeEntity, name: string): string | null {
  return readMessageId(firstField(parseHeaderBlock(decodeBytes(part).subarray(0, MAX_REPORT_BYTES)), name));
}
