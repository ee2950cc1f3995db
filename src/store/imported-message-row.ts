import type { Address } from "../mail/address.ts";
import type { ArchivedMessage } from "../mail/archive.ts";
import { addressKey } from "./contact-writer.ts";
import type { MessageRow, RecipientKind, RecipientRow } from "./rows.ts";

/** A message of a document as a row. Contacts are found again through their addresses; what only the extraction knew is empty. */
export function importedMessageRow(
  message: ArchivedMessage,
  ordinals: { readonly message: number; readonly thread: number; readonly topic: number },
  contactOf: ReadonlyMap<string, number>,
): MessageRow {
  const { id: _, threadId: __, topicId: ___, from, to, cc, bcc, ...same } = message;
  const recipients = (kind: RecipientKind, addresses: readonly Address[]): readonly RecipientRow[] =>
    addresses.flatMap(({ email }) => {
      const contact = contactOf.get(addressKey(email));
      return contact === undefined ? [] : [{ contact, kind }];
    });
  return {
    ...same,
    from,
    to,
    cc,
    bcc,
    ordinal: ordinals.message,
    thread: ordinals.thread,
    topic: ordinals.topic,
    contentKey: contentKey(message.sha256, ordinals.message),
    gmailThreadId: null,
    baseSubjectKey: "",
    isAutomatic: false,
    sender: null,
    fromContact: from === null ? null : (contactOf.get(addressKey(from.email)) ?? null),
    recipients: [...recipients("to", to), ...recipients("cc", cc), ...recipients("bcc", bcc)],
    body: Buffer.from(message.body),
  };
}

/** The document says that these are different messages, so their keys differ even where Message-ID and hash do not. */
function contentKey(sha256: string, ordinal: number): Uint8Array {
  const key = Buffer.from(sha256.slice(0, 32), "hex");
  key.writeUInt32LE(ordinal, 12);
  return key;
}
