import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { MessageEnvelope } from "../../mail/records/message.ts";
import type { FieldText, IndexedDocument } from "../../search/indexing/index-builder.ts";
import { fieldTexts, type IndexedEnvelope } from "../../search/indexing/message-fields.ts";
import type { StagedAttachment } from "./staged-message.ts";

/**
 * Fields of a message, other than its body, that the index needs, as bytes between the passes, so the second pass need
 * not read the record of the message. Each field is its number in FIELDS, the length of its text (four bytes,
 * little-endian) and its text.
 */
const FIELDS = ["subject", "from", "to", "cc", "filename", "has", "kind", "attachment"] as const;
const HEAD_BYTES = 5;

/** Replaces the content of `out` with the fields of a message, subject first. */
export function encodeFields(
  envelope: IndexedEnvelope & Pick<MessageEnvelope, "subject">,
  attachments: readonly Pick<StagedAttachment, "filename" | "text">[],
  out: Utf8Buffer,
): void {
  out.clear();
  addField("subject", envelope.subject, out);
  const filenames = attachments.map(({ filename }) => filename);
  for (const [field, text] of fieldTexts(envelope, filenames)) addField(field, text, out);
  for (const { text } of attachments) if (text !== "") addField("attachment", text, out);
}

function addField(field: (typeof FIELDS)[number], text: string, out: Utf8Buffer): void {
  out.reserve(HEAD_BYTES);
  const start = out.length;
  out.length += HEAD_BYTES;
  out.text(text);
  out.bytes.writeUInt8(FIELDS.indexOf(field), start);
  out.bytes.writeUInt32LE(out.length - start - HEAD_BYTES, start + 1);
}

/** Views of the output of `encodeFields`. */
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
