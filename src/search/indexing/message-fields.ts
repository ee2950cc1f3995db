import { type Address, addressText } from "../../mail/records/address.ts";
import type { MessageEnvelope } from "../../mail/records/message.ts";
import { kindTokens } from "../../mail/records/message-kind.ts";
import type { FieldText } from "./index-builder.ts";

/** Fields that are indexed in addition to subject and body. */
export type IndexedEnvelope = Pick<MessageEnvelope, "from" | "to" | "cc" | "bcc" | "messageKind">;

/**
 * The indexed text of each field other than subject and body; empty fields are omitted. Used for mail and imported
 * documents, so that both are found by the same words.
 */
export function fieldTexts(
  { from, to, cc, bcc, messageKind }: IndexedEnvelope,
  filenames: readonly string[],
): readonly (readonly [field: FieldText["field"], text: string])[] {
  const fields: (readonly [FieldText["field"], string])[] = [];
  if (from !== null) fields.push(["from", addressLines([from])]);
  if (to.length > 0) fields.push(["to", addressLines(to)]);
  if (cc.length + bcc.length > 0) fields.push(["cc", addressLines([...cc, ...bcc])]);
  if (filenames.length > 0) fields.push(["filename", filenames.join("\n")], ["has", "attachment"]);
  if (messageKind !== null) fields.push(["kind", kindTokens(messageKind).join("\n")]);
  return fields;
}

function addressLines(addresses: readonly Address[]): string {
  let text = "";
  for (const address of addresses) text += `${text === "" ? "" : "\n"}${addressText(address)}`;
  return text;
}
