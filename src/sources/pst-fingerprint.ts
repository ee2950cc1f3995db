import { createHash, type Hash } from "node:crypto";
import type { AttachmentObject } from "../pst/attachment-object.ts";
import { type MessageObject, readEmbeddedMessage } from "../pst/message-object.ts";
import { PID } from "../pst/property-ids.ts";
import type { Store } from "../pst/store.ts";

/**
 * What makes an item the same item, in the order it is hashed. Left out is what a store changes on its own when an item is
 * copied or shown (search keys, change times, sizes, flags): two copies of one mail have one fingerprint.
 */
const CONTENT: readonly number[] = [
  PID.messageClass,
  PID.subject,
  PID.clientSubmitTime,
  PID.deliveryTime,
  PID.transportHeaders,
  PID.internetMessageId,
  PID.sentRepresentingName,
  PID.sentRepresentingEmail,
  PID.senderName,
  PID.senderEmail,
  PID.displayTo,
  PID.displayCc,
  PID.displayBcc,
  PID.conversationIndex,
  PID.body,
  PID.html,
  PID.rtfCompressed,
  PID.reportText,
];
/** For items that are no mail: names, phones and dates of contacts and tasks (the 0x3A.. range of [MS-OXPROPS]). */
const DETAIL_RANGE = { first: 0x3a00, last: 0x3aff } as const;
const ATTACHMENT_CONTENT: readonly number[] = [PID.attachMethod, PID.attachLongFilename, PID.attachFilename, PID.attachLongPathname];

export interface Fingerprint {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Bytes of values that went into it. */
  readonly sizeBytes: number;
}

/** Hashes the content of an item: its properties, recipients, attachments and the messages attached to it. */
export function fingerprintOf(store: Store, item: MessageObject): Fingerprint {
  const tally = new Tally();
  const waiting: MessageObject[] = [item];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { properties, recipients, attachments, depth } = next;
    for (const id of CONTENT) tally.add(id, properties.source.bytesOf(id));
    for (const id of [...properties.source.ids()].sort((a, b) => a - b)) {
      if (id >= DETAIL_RANGE.first && id <= DETAIL_RANGE.last) tally.add(id, properties.source.bytesOf(id));
    }
    for (const { role, mailbox } of recipients) tally.addText(`${role}\0${mailbox.name ?? ""}\0${mailbox.email ?? ""}`);
    for (const attachment of attachments) {
      addAttachment(tally, attachment);
      const message = readEmbeddedMessage(store, attachment, depth);
      if (message !== null) waiting.push(message);
    }
  }
  return tally.result();
}

function addAttachment(tally: Tally, attachment: AttachmentObject): void {
  for (const id of ATTACHMENT_CONTENT) tally.add(id, attachment.properties.source.bytesOf(id));
  tally.add(PID.attachData, attachment.bytes());
}

/** Values with their id and length in front, so that no two lists of values hash alike. */
class Tally {
  private readonly hash: Hash = createHash("sha256");
  private readonly head = Buffer.alloc(8);
  private sizeBytes = 0;

  add(id: number, bytes: Buffer | null): void {
    if (bytes === null) return;
    this.head.writeUInt32LE(id, 0);
    this.head.writeUInt32LE(bytes.length, 4);
    this.hash.update(this.head).update(bytes);
    this.sizeBytes += bytes.length;
  }

  addText(text: string): void {
    this.add(0, Buffer.from(text, "utf8"));
  }

  result(): Fingerprint {
    return { sha256: this.hash.digest("hex"), sizeBytes: this.sizeBytes };
  }
}
