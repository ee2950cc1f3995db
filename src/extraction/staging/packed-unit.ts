import type { Address } from "../../mail/address.ts";
import type { Instant } from "../../mail/instant.ts";
import type { DuplicateKey } from "../ledger/duplicates.ts";
import type { MessageSkeleton, ParsedRecord, ParsedUnit } from "../reading/parse-unit.ts";

/**
 * A parsed unit as it crosses threads. Neighbours in a mailbox name the same people over and over: each text stands in it once, and the
 * skeletons are numbers of texts. That is a fifth of the same as JSON, which took longer to write, to copy and to read than to think about.
 */
export interface PackedUnit {
  /** JSON of `UnitTexts`. */
  readonly json: string;
  /** What `packSkeleton` writes of each message, and `OTHER_RECORD` for each other record, in the order of the source. */
  readonly numbers: Int32Array;
  /** When each message was sent and when it was received, in turn; NaN where it does not tell. */
  readonly instants: Float64Array;
  readonly bytes: number;
}

interface UnitTexts {
  readonly texts: readonly string[];
  readonly others: readonly Exclude<ParsedRecord, MessageSkeleton>[];
  readonly fileHashes: ParsedUnit["fileHashes"];
}

/** First number of a record: this, or the flags of a message. */
const OTHER_RECORD = -1;
const FLAG = { reply: 1, automatic: 2, exportedNames: 4 } as const;
/** Stands for no text and for no address. */
const NONE = -1;
/** Number of the text that half the names are: addresses without a display name. */
const EMPTY = 0;

export function packUnit(unit: ParsedUnit): PackedUnit {
  const packing = new UnitPacking();
  const others: UnitTexts["others"][number][] = [];
  for (const record of unit.records) {
    if (record.kind === "message") packing.skeleton(record);
    else {
      packing.numbers.push(OTHER_RECORD);
      others.push(record);
    }
  }
  const { texts, numbers, instants } = packing;
  const content: UnitTexts = { texts, others, fileHashes: unit.fileHashes };
  return { json: JSON.stringify(content), numbers: new Int32Array(numbers), instants: new Float64Array(instants), bytes: unit.bytes };
}

class UnitPacking {
  readonly texts: string[] = [""];
  readonly numbers: number[] = [];
  readonly instants: number[] = [];
  private readonly known = new Map<string, number>();

  skeleton(message: MessageSkeleton): void {
    const { numbers } = this;
    const { isReply, isAutomatic, exportedNames, references } = message;
    numbers.push((isReply ? FLAG.reply : 0) | (isAutomatic ? FLAG.automatic : 0) | (exportedNames === null ? 0 : FLAG.exportedNames));
    this.instants.push(message.sentAt ?? Number.NaN, message.receivedAt ?? Number.NaN);
    for (const word of message.key) numbers.push(word | 0);
    this.ownText(message.messageId);
    this.ownText(message.conversationIndexRoot);
    this.ownText(message.gmailThreadId);
    this.ownText(message.subjectKey);
    this.text(message.mailbox);
    numbers.push(references.length);
    for (const reference of references) this.ownText(reference);
    this.address(message.from);
    this.address(message.sender);
    this.addresses(message.replyTo);
    this.addresses(message.to);
    this.addresses(message.cc);
    this.addresses(message.bcc);
    if (exportedNames === null) return;
    numbers.push(exportedNames.length);
    for (const name of exportedNames) this.text(name);
  }

  /** A text that few other messages have: to look for it would cost more than to write it again. */
  private ownText(text: string | null): void {
    this.numbers.push(text === null ? NONE : this.add(text));
  }

  private text(text: string): void {
    this.numbers.push(text === "" ? EMPTY : this.numberOf(text));
  }

  private numberOf(text: string): number {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const number = this.add(text);
    this.known.set(text, number);
    return number;
  }

  private add(text: string): number {
    return this.texts.push(text) - 1;
  }

  private address(address: Address | null): void {
    if (address === null) {
      this.numbers.push(NONE);
      return;
    }
    this.text(address.email);
    this.text(address.name);
  }

  private addresses(addresses: readonly Address[]): void {
    this.numbers.push(addresses.length);
    for (const address of addresses) this.address(address);
  }
}

export function unpackUnit({ json, numbers, instants, bytes }: PackedUnit): ParsedUnit {
  const { texts, others, fileHashes } = JSON.parse(json) as UnitTexts;
  const reading = new UnitReading(texts, numbers);
  const records: ParsedRecord[] = [];
  let messages = 0;
  while (!reading.isAtEnd) {
    const flags = reading.number();
    if (flags === OTHER_RECORD) records.push(others[records.length - messages]!);
    else {
      records.push(reading.skeleton(flags, { sentAt: dated(instants[2 * messages]!), receivedAt: dated(instants[2 * messages + 1]!) }));
      messages += 1;
    }
  }
  return { records, fileHashes, bytes };
}

const dated = (instant: Instant): Instant | null => (Number.isNaN(instant) ? null : instant);

class UnitReading {
  private readonly texts: readonly string[];
  private readonly numbers: Int32Array;
  private at = 0;

  constructor(texts: readonly string[], numbers: Int32Array) {
    this.texts = texts;
    this.numbers = numbers;
  }

  get isAtEnd(): boolean {
    return this.at === this.numbers.length;
  }

  number(): number {
    const number = this.numbers[this.at]!;
    this.at += 1;
    return number;
  }

  skeleton(flags: number, { sentAt, receivedAt }: Pick<MessageSkeleton, "sentAt" | "receivedAt">): MessageSkeleton {
    // Read in the order they were written.
    const key: DuplicateKey = [this.number() >>> 0, this.number() >>> 0, this.number() >>> 0, this.number() >>> 0];
    return {
      kind: "message",
      key,
      messageId: this.text(),
      conversationIndexRoot: this.text(),
      gmailThreadId: this.text(),
      subjectKey: this.text() as string,
      mailbox: this.text() as string,
      references: this.list(),
      from: this.address(),
      sender: this.address(),
      replyTo: this.addresses(),
      to: this.addresses(),
      cc: this.addresses(),
      bcc: this.addresses(),
      exportedNames: (flags & FLAG.exportedNames) === 0 ? null : this.list(),
      sentAt,
      receivedAt,
      isReply: (flags & FLAG.reply) !== 0,
      isAutomatic: (flags & FLAG.automatic) !== 0,
    };
  }

  private text(): string | null {
    const number = this.number();
    return number === NONE ? null : this.texts[number]!;
  }

  private list(): readonly string[] {
    const texts: string[] = [];
    for (let rest = this.number(); rest > 0; rest -= 1) texts.push(this.text() as string);
    return texts;
  }

  private address(): Address | null {
    const email = this.text();
    return email === null ? null : { email, name: this.text() as string };
  }

  private addresses(): readonly Address[] {
    const addresses: Address[] = [];
    for (let rest = this.number(); rest > 0; rest -= 1) addresses.push(this.address() as Address);
    return addresses;
  }
}
