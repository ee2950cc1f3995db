import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { ArchivedMessage } from "../../mail/archive.ts";
import { type Address, addressText } from "../../mail/records/address.ts";
import { CONTENT_KEY_BYTES, contentKeyOfBytes } from "../../mail/records/content-key.ts";
import { INTERNAL_DEFAULTS } from "../../mail/records/message.ts";
import type { ContactOrdinal, MessageOrdinal, ThreadOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import { authorText } from "../../text/quoting/split-body.ts";
import { textKey } from "../../text/tokens/text-key.ts";
import { baseSubject } from "../../threading/base-subject.ts";
import { comparedAddress } from "../contract/compared-address.ts";
import type { MessageRow, RecipientKind, RecipientRow } from "../contract/rows.ts";

/**
 * Converts a message of a document to a row. Contacts are looked up by address; data missing in the document is
 * empty.
 */
export function importedMessageRow(
  message: ArchivedMessage,
  ordinals: { readonly message: MessageOrdinal; readonly thread: ThreadOrdinal; readonly topic: TopicOrdinal },
  known: {
    readonly contactOf: ReadonlyMap<string, ContactOrdinal>;
    readonly usedKeys: Set<string>;
    readonly letters: Utf8Buffer;
  },
): MessageRow {
  const { contactOf } = known;
  const body = Buffer.from(message.body);
  const { id: _, threadId: __, topicId: ___, from, to, cc, bcc, ...same } = message;
  const recipients = (kind: RecipientKind, addresses: readonly Address[]): readonly RecipientRow[] =>
    addresses.flatMap(({ email }) => {
      const contact = contactOf.get(comparedAddress(email));
      return contact === undefined ? [] : [{ contact, kind }];
    });
  return {
    ...INTERNAL_DEFAULTS,
    ...same,
    from,
    to,
    cc,
    bcc,
    ordinal: ordinals.message,
    thread: ordinals.thread,
    topic: ordinals.topic,
    contentKey: unusedKey(keyOf(message), ordinals.message, known.usedKeys),
    fromContact: from === null ? null : (contactOf.get(comparedAddress(from.email)) ?? null),
    recipients: [...recipients("to", to), ...recipients("cc", cc), ...recipients("bcc", bcc)],
    textKey: textKey(
      {
        body,
        written: authorText(message.body),
        baseSubject: baseSubject(message.subject).key,
        author: from === null ? "" : addressText(from),
      },
      known.letters,
    ),
    body,
    fileTexts: [],
    mentions: [],
  };
}

/** Original key of the message, by which later runs recognize it; a generated one if the document has none. */
function keyOf({ contentKey, sha256 }: ArchivedMessage): Uint8Array {
  return contentKey === null ? contentKeyOfBytes(sha256) : Buffer.from(contentKey, "hex");
}

/** These are different messages according to the document: if a key is taken, generates another one. */
function unusedKey(key: Uint8Array, ordinal: number, used: Set<string>): Uint8Array {
  const text = Buffer.from(key).toString("latin1");
  if (!used.has(text)) {
    used.add(text);
    return key;
  }
  const other = Buffer.from(key);
  other.writeUInt32LE(ordinal, CONTENT_KEY_BYTES - 4);
  return other;
}
