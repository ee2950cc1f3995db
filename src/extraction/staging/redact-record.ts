import { createHash } from "node:crypto";
import { readableUid } from "../../calendar/merge-entries.ts";
import { describeRule } from "../../mail/dates/recurrence-text.ts";
import type { Address } from "../../mail/records/address.ts";
import type { Attendee, CalendarEntry, Recurrence } from "../../mail/records/calendar-event.ts";
import type { OutlookItem } from "../../mail/records/item.ts";
import type { KeptMessage, MessageEnvelope } from "../../mail/records/message.ts";
import {
  NO_REDACTIONS,
  REDACTED_TYPES,
  type RedactedType,
  type RedactionCounts,
} from "../../mail/records/provenance.ts";
import { redactText } from "../../redaction/redact-text.ts";
import { KEPT_PLACES } from "../../store/tables/message-tables.ts";
import type { StagedAttachment, StagedMessage } from "./staged-message.ts";
import type { StagedRecord } from "./staged-record.ts";
import type { ParseTask } from "./task.ts";

const WRITTEN = KEPT_PLACES.filter(({ isWritten }) => isWritten);

/** Prefix that replaces a UID with personal data. */
const REDACTED_UID = "redacted:";
/** Hexadecimal digits of its digest: 128 bits, as a UUID has. */
const UID_DIGITS = 32;

/** Running counts. */
export type RedactionTally = Record<RedactedType, number>;

export function addRedactions(sum: RedactionTally, counts: RedactionCounts): void {
  for (const type of REDACTED_TYPES) sum[type] += counts[type];
}

/** Redactor of a task; null without redaction. */
export function redactorOf({ redact, redactWords }: Pick<ParseTask, "redact" | "redactWords">): Redactor | null {
  return redact.length === 0 ? null : new Redactor(redact, redactWords);
}

/**
 * Redacts every text field of records: subject, body, display names, attachment names, calendar text and UIDs, Outlook
 * items, labels, findings. Addresses in address fields stay: they identify contacts. Counts what it replaced.
 */
export class Redactor {
  readonly counts: RedactionTally = { ...NO_REDACTIONS };
  private readonly types: ReadonlySet<RedactedType>;

  /** @param words of a list; the same array for the same list */
  constructor(
    types: readonly RedactedType[],
    private readonly words: readonly string[] = [],
  ) {
    this.types = new Set(types);
  }

  text(text: string): string {
    if (text === "") return text;
    const { text: redacted, counts } = redactText(text, this.types, this.words);
    addRedactions(this.counts, counts);
    return redacted;
  }

  record(record: StagedRecord): StagedRecord {
    switch (record.kind) {
      case "message":
        return this.message(record);
      case "appointment":
        return { ...record, entry: this.entry(record.entry), attachments: this.attachments(record.attachments) };
      case "item":
        return { ...record, item: this.item(record.item), attachments: this.listed(record.attachments) };
    }
  }

  private address(address: Address): Address {
    return address.name === "" ? address : { name: this.text(address.name), email: address.email };
  }

  /** Redacts every field that people wrote, according to the column table. */
  fields<Fields extends Partial<KeptMessage> | MessageEnvelope>(message: Fields): Fields {
    const redacted: Record<string, unknown> = { ...message };
    for (const { field, rewrite } of WRITTEN) {
      if (field in redacted) redacted[field] = rewrite(redacted[field], (text) => this.text(text));
    }
    // It may contain any bytes, and equal values join conversations.
    const root = message.conversationIndexRoot ?? null;
    if (root !== null) redacted["conversationIndexRoot"] = digestOf(root).slice(0, root.length);
    return redacted as Fields;
  }

  private message(message: StagedMessage): StagedMessage {
    return {
      ...this.fields(message),
      attachments: this.attachments(message.attachments),
      calendar: message.calendar.map((entry) => this.entry(entry)),
    };
  }

  protected attachments(attachments: readonly StagedAttachment[]): readonly StagedAttachment[] {
    return attachments.map((attachment) => ({
      ...attachment,
      filename: this.text(attachment.filename),
      linkTarget: attachment.linkTarget === null ? null : this.text(attachment.linkTarget),
      attachedMessage: attachment.attachedMessage === null ? null : this.text(attachment.attachedMessage),
      text: this.text(attachment.text),
    }));
  }

  /** Redacts attachments that are also counted in another field of the item, so redactions are not counted twice. */
  private listed(attachments: readonly StagedAttachment[]): readonly StagedAttachment[] {
    const counts = { ...this.counts };
    const redacted = this.attachments(attachments);
    Object.assign(this.counts, counts);
    return redacted;
  }

  private entry(entry: CalendarEntry): CalendarEntry {
    return {
      ...entry,
      uid: this.uid(entry.uid),
      subject: this.text(entry.subject),
      description: this.text(entry.description),
      location: this.text(entry.location),
      categories: entry.categories.map((category) => this.text(category)),
      organizer: entry.organizer === null ? null : this.address(entry.organizer),
      attendees: entry.attendees.map((attendee) => this.attendee(attendee)),
      recurrence: entry.recurrence === null ? null : this.recurrence(entry.recurrence),
    };
  }

  private attendee({ name, email, role, status }: Attendee): Attendee {
    return { name: this.text(name), email, role: this.text(role), status: this.text(status) };
  }

  /** A rule may contain parts of other programs; null if nothing remains. */
  private recurrence(recurrence: Recurrence): Recurrence | null {
    const rrule = this.text(recurrence.rrule);
    if (rrule === recurrence.rrule) return recurrence;
    return rrule === "" ? null : { ...recurrence, rrule, text: describeRule(rrule) };
  }

  /**
   * Replaces a UID that contains personal data by its digest, which still identifies entries of one event, also in
   * later runs.
   */
  private uid(uid: string): string {
    const plain = readableUid(uid);
    if (this.text(plain) === plain) return uid;
    return REDACTED_UID + digestOf(plain).slice(0, UID_DIGITS);
  }

  item(item: OutlookItem): OutlookItem {
    const fields: Record<string, string> = {};
    for (const [name, value] of Object.entries(item.fields)) fields[name] = this.text(value);
    return { ...item, subject: this.text(item.subject), fields };
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Removes all text of a record that could not be redacted. Addresses, dates, locations and hashes stay. */
export class TextRemover extends Redactor {
  constructor() {
    super([]);
  }

  override text(): string {
    return "";
  }

  protected override attachments(attachments: readonly StagedAttachment[]): readonly StagedAttachment[] {
    return super
      .attachments(attachments)
      .map((attachment, position) => ({ ...attachment, filename: `attachment-${position + 1}` }));
  }
}
