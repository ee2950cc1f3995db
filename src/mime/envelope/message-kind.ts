import type { MessageKind } from "../../mail/records/message-kind.ts";
import { rowOfWord } from "../../mail/words/word-table.ts";
import { decodeBytes } from "../body/body-content.ts";
import { cmsContent } from "../body/cms-content.ts";
import type { MimeEntity } from "../body/structure.ts";
import { firstField, type HeaderBlock } from "../syntax/header-block.ts";
import { readParameterizedField } from "../syntax/parameters.ts";
import { reportPart } from "./reported-message.ts";

type Kinds = ReadonlyMap<string, MessageKind>;

/** Kinds determined by a media type alone. */
const KIND_OF_TYPE: Kinds = rowOfWord({
  signed: "multipart/signed",
  encrypted: "multipart/encrypted application/pgp-encrypted",
  voicemail: "multipart/voice-message",
  fax: "multipart/fax-message",
  rights_protected: "application/x-microsoft-rpmsg-message",
});
/** `report-type` of multipart/report (RFC 6522): RFC 3464, RFC 8098. */
const KIND_OF_REPORT: Kinds = rowOfWord({
  delivery_report: "delivery-status",
  read_receipt: "disposition-notification",
});
/** `smime-type` (RFC 8551 section 3.2.2). */
const KIND_OF_SMIME: Kinds = rowOfWord({
  signed: "signed-data",
  encrypted: "enveloped-data authenveloped-data",
});
/** iTIP methods (RFC 5546) for requests, replies and cancellations. */
const KIND_OF_METHOD: Kinds = rowOfWord({
  meeting_request: "request add",
  meeting_answer: "reply counter declinecounter",
  meeting_cancellation: "cancel",
});
/** Content-Class fields of Exchange ([MS-OXCMAIL] 2.1.3.2.1), without `urn:content-class:`. */
const KIND_OF_CONTENT_CLASS: Kinds = rowOfWord({
  fax: "fax fax-ca",
  voicemail: "missedcall voice voice-ca voice-uc",
  sharing: "sharing",
  rights_protected: "rpmsg.message",
});
const SMIME_TYPES: ReadonlySet<string> = new Set(["application/pkcs7-mime", "application/x-pkcs7-mime"]);
/** Limit of inspected parts: a part that determines the kind is near the beginning. */
const MAX_PARTS_LOOKED_AT = 100;
/** Bytes of a delivery status searched for its action. */
const MAX_STATUS_BYTES = 64 << 10;
const FAILED = /^action[ \t]*:[ \t]*failed/im;

type Parameters = ReadonlyMap<string, string>;

/** The kind according to a header block; parts may determine it further (`kindOfMessage`). */
export function kindOfHeader(fields: HeaderBlock): MessageKind {
  const contentClass = firstField(fields, "content-class");
  if (contentClass !== "") {
    const named = contentClass.trim().toLowerCase().replace("urn:content-class:", "");
    const kind = KIND_OF_CONTENT_CLASS.get(named);
    if (kind !== undefined) return kind;
  }
  if (firstField(fields, "x-failed-recipients") !== "") return "non_delivery_report";
  const field = firstField(fields, "content-type");
  if (field !== "" && !PLAIN_TYPE.test(field)) {
    const { value, parameters } = readParameterizedField(field);
    const kind = kindOfType(value, parameters);
    if (kind !== null) return kind;
  }
  return LIST_FIELDS.some((name) => firstField(fields, name) !== "") ? "list" : "mail";
}

/** Fields of mail forwarded by a list; the last one is from exports of Google Groups. */
const LIST_FIELDS = ["list-id", "list-post", "x-google-groups"] as const;

/** The most common types, which need no further check. */
const PLAIN_TYPE = /^\s{0,100}(?:text\/(?:plain|html)|multipart\/(?:alternative|mixed|related))\b/i;

function kindOfType(mediaType: string, parameters: Parameters): MessageKind | null {
  if (mediaType === "multipart/report") return pick(KIND_OF_REPORT, parameters.get("report-type")) ?? "delivery_report";
  if (mediaType === "text/calendar") return pick(KIND_OF_METHOD, parameters.get("method"));
  if (SMIME_TYPES.has(mediaType)) return pick(KIND_OF_SMIME, parameters.get("smime-type"));
  return pick(KIND_OF_TYPE, mediaType);
}

function pick(kinds: Kinds, word: string | undefined): MessageKind | null {
  return kinds.get(word?.trim().toLowerCase() ?? "") ?? null;
}

/** Kind of a message by its header, else by the first part with a kind other than mail. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the order of the tests is the rule: header, parts, armor
export function kindOfMessage(header: MessageKind, root: MimeEntity, textBody: string | null): MessageKind {
  if (header !== "mail" && header !== "list" && header !== "delivery_report") return header;
  let kind: MessageKind = header;
  let looked = 0;
  const waiting = [root];
  for (let part = waiting.shift(); part !== undefined && looked < MAX_PARTS_LOOKED_AT; part = waiting.shift()) {
    looked++;
    const partKind = kindOfPart(part);
    if (partKind === "non_delivery_report" || partKind === "read_receipt") return partKind;
    if (partKind !== null && (kind === "mail" || kind === "list")) kind = partKind;
    // A nested message has its own kind.
    if (part.mediaType.startsWith("multipart/")) for (const child of part.children) waiting.push(child);
  }
  if (kind !== "mail" && kind !== "list") return kind;
  return kindOfArmor(textBody) ?? kindOfBounceText(root.headers, textBody) ?? kind;
}

const MAIL_SYSTEM = /\b(?:mailer-daemon|postmaster|mail delivery)\b/i;
/** Characters of a field and of a text searched for the words of a bounce. */
const MAX_BOUNCE_CHARACTERS = 4096;
/** First lines of bounces by qmail (QSBMF), Sendmail and Exim, which lack report parts. */
const BOUNCE_TEXT =
  /^(?:Hi\. This is the |\s{0,9}-{3,9} ?The following addresses had (?:permanent )?(?:fatal|delivery) |\s{0,9}-{3,9} ?Transcript of session follows|This message was created automatically by mail delivery software)/m;

/** Wording of the same programs while they still retry. */
const DELAY_TEXT = /\b(?:warning message only|not yet been delivered|still undelivered|transient non-fatal)\b/i;

function kindOfBounceText(fields: HeaderBlock, textBody: string | null): MessageKind | null {
  if (textBody === null || !MAIL_SYSTEM.test(firstField(fields, "from").slice(0, MAX_BOUNCE_CHARACTERS))) return null;
  const text = textBody.slice(0, MAX_BOUNCE_CHARACTERS);
  if (!BOUNCE_TEXT.test(text)) return null;
  return DELAY_TEXT.test(text) ? "delivery_report" : "non_delivery_report";
}

function kindOfPart(part: MimeEntity): MessageKind | null {
  const { mediaType } = part;
  if (mediaType === "text/plain" || mediaType === "text/html") return null;
  const report = mediaType.startsWith("message/") ? reportPart(mediaType) : null;
  if (report === "status") return kindOfStatus(decodeBytes(part).toString("latin1", 0, MAX_STATUS_BYTES));
  if (report === "disposition") return "read_receipt";
  const partKind = kindOfType(mediaType, part.parameters);
  if (mediaType === "text/calendar" && !part.parameters.has("method")) return kindOfCalendar(part);
  return partKind === null && isSmime(part) ? kindOfSmime(decodeBytes(part)) : partKind;
}

/** Kind by the method in a calendar, whose type should repeat it. */
function kindOfCalendar(part: MimeEntity): MessageKind | null {
  const head = decodeBytes(part).toString("latin1", 0, MAX_CALENDAR_HEAD_BYTES);
  return pick(KIND_OF_METHOD, /^METHOD:([A-Z]{1,20})\s*$/im.exec(head)?.[1]);
}

/** Bytes of a calendar searched for its method: a description of a time zone may precede it. */
const MAX_CALENDAR_HEAD_BYTES = 4096;

/** Gateways replace the type of S/MIME, but keep its name. */
export function isSmime({ mediaType, filename }: Pick<MimeEntity, "mediaType" | "filename">): boolean {
  return SMIME_TYPES.has(mediaType) || (mediaType === "application/octet-stream" && SMIME_NAME.test(filename));
}

const SMIME_NAME = /^smime\.p7m$/i;

/** Kind from a delivery status (RFC 3464 section 2.3.3); null if nothing failed. */
export function kindOfStatus(status: string): MessageKind | null {
  return FAILED.test(status) ? "non_delivery_report" : null;
}

/** Kind of an S/MIME body by its content type; null if it is neither signed nor encrypted. */
export function kindOfSmime(der: Uint8Array): MessageKind | null {
  const content = cmsContent(der);
  if (content === null) return null;
  return content === "signed-data" ? "signed" : "encrypted";
}

const ARMOUR = "-----BEGIN PGP ";
const KIND_OF_ARMOUR: readonly (readonly [string, MessageKind])[] = [
  ["SIGNED MESSAGE-----", "signed"],
  ["MESSAGE-----", "encrypted"],
];

/** Message that begins with OpenPGP armor (RFC 9580 section 6.2). */
export function kindOfArmor(text: string | null): MessageKind | null {
  const start = text === null ? 0 : text.search(/\S/);
  if (text === null || start < 0 || !text.startsWith(ARMOUR, start)) return null;
  return KIND_OF_ARMOUR.find(([words]) => text.startsWith(words, start + ARMOUR.length))?.[1] ?? null;
}
