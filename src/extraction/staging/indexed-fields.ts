import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { Address } from "../../mail/address.ts";
import type { Attachment, MessageEnvelope } from "../../mail/message.ts";
import { kindTokens } from "../../mail/message-kind.ts";
import type { FieldText, IndexedDocument } from "../../search/index-builder.ts";

/**
 * What the index takes of a message beside its body, as bytes between the passes: the second pass need not read the
 * record of a message for it. Each field is its number in FIELDS, the length of its text (four bytes, little-endian)
 * and its text.
 */
const FIELDS = ["subject", "from", "to", "cc", "filename", "has", "kind"] as const;
const HEAD_BYTES = 5;

/** What `encodeFields` reads of the header. */
type FieldSource = Pick<MessageEnvelope, "subject" | "from" | "to" | "cc" | "bcc" | "messageKind">;

/** Replaces what `out` holds by the fields of a message; the subject comes first. */
export function encodeFields(
  { subject, from, to, cc, bcc, messageKind }: FieldSource,
  attachments: readonly Pick<Attachment, "filename">[],
  out: Utf8Buffer,
): void {
  out.clear();
  addField("subject", subject, out);
  if (from !== null) addField("from", addressText([from]), out);
  if (to.length > 0) addField("to", addressText(to), out);
  if (cc.length + bcc.length > 0) addField("cc", addressText([...cc, ...bcc]), out);
  if (attachments.length > 0) {
    addField("filename", attachments.map(({ filename }) => filename).join("\n"), out);
    addField("has", "attachment", out);
  }
  if (messageKind !== null) addField("kind", kindTokens(messageKind).join("\n"), out);
}

function addField(field: (typeof FIELDS)[number], text: string, out: Utf8Buffer): void {
  out.reserve(HEAD_BYTES);
  const start = out.length;
  out.length += HEAD_BYTES;
  out.text(text);
  out.bytes.writeUInt8(FIELDS.indexOf(field), start);
  out.bytes.writeUInt32LE(out.length - start - HEAD_BYTES, start + 1);
}

function addressText(addresses: readonly Address[]): string {
  let text = "";
  for (const { name, email } of addresses) text += `${text === "" ? "" : "\n"}${name} <${email}>`;
  return text;
}

/** Views of what `encodeFields` wrote. */
export function decodeFields(bytes: Buffer): { readonly subject: Buffer; readonly fields: IndexedDocument["fields"] } {
  let subject = bytes.subarray(0, 0);
  const fields: FieldText[] = [];
  for (let at = 0; at < bytes.length; ) {
    const field = FIELDS[bytes.readUInt8(at)]!;
    const start = at + HEAD_BYTES;
    const end = start + bytes.readUInt32LE(at + 1);
    const text = bytes.subarray(start, end);
    if (field === "subject") subject = text;
    else fields.push({ field, text });
    at = end;
  }
  return { subject, fields };
}
