import { createHash, type Hash, hash } from "node:crypto";
import { type ByteRange, bufferOf, fullRange } from "../../properties/byte-range.ts";
import { PID } from "../../properties/property-ids.ts";
import type { AttachmentObject, MessageObject } from "./message-object.ts";

/**
 * Properties that identify an item, in hashing order. Excludes what a store changes when an item is copied or shown
 * (search keys, change times, sizes, flags), so that copies have the same fingerprint.
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
/** For items other than mail: names, phones and dates of contacts and tasks (the 0x3A.. range of [MS-OXPROPS]). */
const DETAIL_RANGE = { first: 0x3a00, last: 0x3aff } as const;
const ATTACHMENT_CONTENT: readonly number[] = [
  PID.attachMethod,
  PID.attachLongFilename,
  PID.attachFilename,
  PID.attachLongPathname,
];

export interface Fingerprint {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Number of hashed value bytes. */
  readonly sizeBytes: number;
}

/**
 * Hashes the content of an item: its properties, recipients, attachments and the messages attached to it.
 *
 * @param scratch memory for the duration of the call.
 */
export function fingerprintOf(item: MessageObject, scratch: ByteRange): Fingerprint {
  const tally = new Tally(scratch);
  const waiting: MessageObject[] = [item];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { properties, recipients, attachments } = next;
    for (const id of CONTENT) tally.add(id, properties.source.rangeOf(id));
    for (const id of detailIds(properties.source.ids())) tally.add(id, properties.source.rangeOf(id));
    for (const { role, mailbox } of recipients) tally.addText(`${role}\0${mailbox.name ?? ""}\0${mailbox.email ?? ""}`);
    for (const attachment of attachments) {
      addAttachment(tally, attachment);
      const message = attachment.message();
      if (message !== null) waiting.push(message);
    }
  }
  return tally.result();
}

function detailIds(ids: Iterable<number>): readonly number[] {
  const details: number[] = [];
  for (const id of ids) if (id >= DETAIL_RANGE.first && id <= DETAIL_RANGE.last) details.push(id);
  return details.sort((a, b) => a - b);
}

function addAttachment(tally: Tally, attachment: AttachmentObject): void {
  for (const id of ATTACHMENT_CONTENT) tally.add(id, attachment.properties.source.rangeOf(id));
  tally.add(PID.attachData, fullRange(attachment.bytes()));
}

/** Values of at least this size are hashed in place. */
const LARGE_VALUE = 16 << 10;
const HEAD_BYTES = 8;

/** Values preceded by their id and length, so that different lists of values never hash alike. */
class Tally {
  /**
   * Small values are gathered before hashing: a call for each costs more than the hash. Most items are gathered
   * completely.
   */
  private readonly gathered: Buffer;
  private readonly numbers: DataView;
  /** Null until an item exceeds the buffer: hashing in one call costs half as much as an incremental hash. */
  private hash: Hash | null = null;
  private used = 0;
  private sizeBytes = 0;

  constructor(scratch: ByteRange) {
    this.gathered = scratch.bytes;
    this.numbers = scratch.data;
  }

  add(id: number, value: ByteRange | null): void {
    if (value === null) return;
    const length = value.end - value.start;
    const isLarge = length > LARGE_VALUE;
    if (this.used + HEAD_BYTES + (isLarge ? 0 : length) > this.gathered.length) this.flush();
    this.addHead(id, length);
    if (isLarge) this.flush().update(bufferOf(value));
    else {
      this.gathered.set(bufferOf(value), this.used);
      this.used += length;
    }
  }

  /** A text as its UTF-8 bytes, under the id 0. */
  addText(text: string): void {
    // A UTF-16 unit has at most three bytes of UTF-8; texts that may not fit are encoded elsewhere.
    if (text.length * 3 > LARGE_VALUE) {
      this.add(0, fullRange(Buffer.from(text, "utf8")));
      return;
    }
    if (this.used + HEAD_BYTES + text.length * 3 > this.gathered.length) this.flush();
    const length = this.gathered.write(text, this.used + HEAD_BYTES, "utf8");
    this.addHead(0, length);
    this.used += length;
  }

  result(): Fingerprint {
    const { sizeBytes } = this;
    if (this.hash === null) return { sha256: hash("sha256", this.gathered.subarray(0, this.used)), sizeBytes };
    return { sha256: this.flush().digest("hex"), sizeBytes };
  }

  private addHead(id: number, length: number): void {
    this.numbers.setUint32(this.used, id, true);
    this.numbers.setUint32(this.used + 4, length, true);
    this.used += HEAD_BYTES;
    this.sizeBytes += length;
  }

  private flush(): Hash {
    this.hash ??= createHash("sha256");
    if (this.used > 0) this.hash.update(this.gathered.subarray(0, this.used));
    this.used = 0;
    return this.hash;
  }
}
