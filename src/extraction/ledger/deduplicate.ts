import { PagedFloat64Column, PagedInt32Column } from "../../columns/paged-column.ts";
import { PagedGroups } from "../../columns/paged-groups.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { AddressBook } from "../../contacts/addresses/address-book.ts";
import { ArchiveError } from "../../errors.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import { indexOf, type MessageIndex, type MessageOrdinal, ordinalAt } from "../../mail/records/ordinal.ts";
import type { MailboxRecord, WarnedOutcome, Warning } from "../../mail/records/provenance.ts";
import type { SourceItem } from "../../sources/reading/source.ts";
import { MAX_MESSAGES } from "../../store/contract/archive-writer.ts";
import type { RecipientKind } from "../../store/contract/rows.ts";
import { findQuoted, type QuotationColumns, type QuotationLinks } from "../../threading/quotations.ts";
import { type LateEvidence, ThreadBuilder } from "../../threading/thread-builder.ts";
import type { MessageHeaderRecord, ParsedRecord, ParsedUnit } from "../staging/message-header-record.ts";
import { type Action, KEPT_ITEM, LEFT_OUT, type PackedActions, packActions } from "../staging/staged-segment.ts";
import { CopyEvidence, type CopySkeleton } from "./copy-evidence.ts";
import { Duplicates } from "./duplicates.ts";
import { ItemAccounting } from "./item-accounting.ts";
import { MailboxCounts, type Tally } from "./mailbox-counts.ts";
import { type NumberedRecipient, RECIPIENT_KINDS, RecipientColumns } from "./recipient-columns.ts";
import { RestoredMessages } from "./restored-messages.ts";
import { type SettledDates, settleDates } from "./settled-dates.ts";

/** Counts for a name from an export, for From or for a recipient. */
const OWN_NAME = { times: 1, own: 1 };
const OTHERS_NAME = { times: 1, own: 0 };

type WarnedRecord = Pick<Warning, "code" | "message" | "location" | "sha256">;

/** False for notes, and for parts of the previous item. */
function isCounted(record: ParsedRecord): boolean {
  return record.kind !== "note" && !("isPart" in record && record.isPart);
}

/**
 * Accounts for every item in source order: number if kept, duplicates, and losses with their cause. Stores the
 * skeletons of all messages as columns, mostly in files. Contains no text.
 */
export class Ledger {
  readonly items = new ItemAccounting();
  readonly threads: ThreadBuilder;
  /** Columns by message. */
  readonly from: PagedInt32Column;
  readonly sentAt: PagedFloat64Column;
  readonly receivedAt: PagedFloat64Column;
  readonly recipients: RecipientColumns;
  /** Authors with their Reply-To addresses. */
  readonly replyAddresses: PagedGroups;
  readonly duplicates: Duplicates;
  readonly copies: CopyEvidence;
  private readonly restored = new RestoredMessages();
  /** By source: messages first found there. */
  private readonly messageCounts: number[] = [];
  private readonly tallies = new MailboxCounts();

  /** @param memory of columns that are mostly read in the order of messages */
  constructor(
    readonly book: AddressBook,
    memory: PagedMemory,
    private readonly onWarning: (warning: Warning) => void,
    private readonly mostMessages: number = MAX_MESSAGES,
  ) {
    this.threads = new ThreadBuilder(memory);
    this.from = new PagedInt32Column(memory);
    this.sentAt = new PagedFloat64Column(memory);
    this.receivedAt = new PagedFloat64Column(memory);
    this.recipients = new RecipientColumns(memory);
    this.replyAddresses = new PagedGroups(memory);
    this.duplicates = new Duplicates(memory);
    this.copies = new CopyEvidence(book);
  }

  get messageCount(): number {
    return this.from.length;
  }

  private get lastMessage(): MessageIndex {
    return (this.messageCount - 1) as MessageIndex;
  }

  /** Restores a message of an earlier run, in ordinal order. */
  restore(message: MessageHeaderRecord, source: number): void {
    if (this.enter(message, source) !== null) return;
    this.restored.push(source);
  }

  /**
   * Restores a duplicate of an earlier run, with its differences. Call after all messages of that run were restored.
   * @param ordinal of the message
   */
  restoreCopy(ordinal: MessageOrdinal, copy: CopySkeleton): void {
    this.enterCopy(ordinal, copy);
  }

  /** Restores the source of the next message of appended columns. */
  restoreSource(source: number): void {
    this.restored.push(source);
    this.countMessage(source);
  }

  /**
   * Applies duplicates and contact items, once, after all mail is read. They name the addresses that mail uses, and the
   * order of mail and items in the sources must not matter, or an incremental run would find other contacts than a full
   * one.
   */
  observeEntries(): void {
    this.duplicates.seal();
    this.copies.settle((message) => this.recipients.bccOf(message));
    // Sorted, so that the result does not depend on the order of sources: if two names of an address are equally
    // frequent, the first counts.
    const entries = [...this.items.entries()].sort((a, b) => compareText(a.name, b.name));
    for (const entry of entries) this.book.observeEntry(entry);
  }

  /** Accounts for one unit of a source. `room` is the remaining number of items (`--max-messages`). */
  addUnit(unit: ParsedUnit, source: number, room: number): { readonly actions: PackedActions; readonly count: number } {
    const actions: Action[] = [];
    let taken = 0;
    let isLeftOut = false;
    for (const record of unit.records) {
      const isStaged = record.kind === "message" || record.kind === "appointment" || record.kind === "item";
      if (isCounted(record)) {
        isLeftOut = taken >= room;
        if (!isLeftOut) taken++;
      }
      if (isLeftOut && record.kind !== "note") {
        if (isStaged) actions.push(LEFT_OUT);
        continue;
      }
      const action = this.addRecord(record, source);
      if (isStaged) actions.push(action);
    }
    return { actions: packActions(actions), count: taken };
  }

  /**
   * Accounts for problems when opening a source: unreadable parts, files other than mail. Returns the number of items
   * among them.
   */
  addNotes(notes: readonly SourceItem[], source: number): number {
    let taken = 0;
    for (const note of notes) {
      if (note.kind !== "note" && note.kind !== "skipped" && note.kind !== "damaged") continue;
      if (note.kind !== "note") taken++;
      this.addRecord(note, source);
    }
    return taken;
  }

  /** Registers a mailbox of a source before its first item. */
  expectMailbox(source: number, mailbox: string): void {
    this.tallies.of(source, mailbox);
  }

  /** Counts an unchanged occurrence of an earlier run, which is not read again. */
  addStored(message: MessageOrdinal, source: number, mailbox: string): void {
    const tally = this.tallies.of(source, mailbox);
    tally.seen++;
    if (this.restored.see(message, source, "stored")) tally.kept++;
    else tally.duplicate++;
  }

  /** Messages of a source that are stored, and were read once more from another file. */
  repeatedIn(source: number): ReadonlySet<MessageOrdinal> {
    return this.restored.repeatedIn(source);
  }

  /** Counts a message of a source as kept in another mailbox than before. */
  moveKept(source: number, from: string, to: string): void {
    const [left, entered] = [this.tallies.of(source, from), this.tallies.of(source, to)];
    left.kept--;
    left.duplicate++;
    entered.kept++;
    entered.duplicate--;
  }

  private addRecord(record: ParsedRecord, source: number): Action {
    if (record.kind === "note") {
      this.warn(record, source, "noted");
      return LEFT_OUT;
    }
    const tally = this.tallies.of(source, record.mailbox);
    const isPart = !isCounted(record);
    if (!isPart) tally.seen++;
    if (record.kind === "message") return this.addMessage(record, source, tally);
    if (record.kind === "skipped" || record.kind === "damaged") {
      const outcome = record.kind === "skipped" ? "skipped" : "failed";
      tally[outcome]++;
      this.warn(record, source, outcome);
      return LEFT_OUT;
    }
    if (!isPart) tally.kept++;
    return record.kind === "item" && !this.items.add(record, source) ? LEFT_OUT : KEPT_ITEM;
  }

  private addMessage(message: MessageHeaderRecord, source: number, tally: Tally): Action {
    const known = this.enter(message, source);
    if (known === null) {
      tally.kept++;
      return { kind: "kept", ordinal: ordinalAt(this.lastMessage) };
    }
    this.enterCopy(known, message);
    if (this.restored.see(known, source, "read")) {
      tally.kept++;
      return LEFT_OUT;
    }
    tally.duplicate++;
    return { kind: "copy", of: known };
  }

  /** A duplicate is not stored as a message, but its evidence on threads and people counts. */
  private enterCopy(ordinal: MessageOrdinal, copy: CopySkeleton): void {
    const message = indexOf(ordinal);
    this.threads.addCopy(message, copy);
    this.copies.add(message, copy);
  }

  /** Adds a new message with the next ordinal, or returns that of its duplicate. Throws ARCHIVE_FULL. */
  private enter(message: MessageHeaderRecord, source: number): MessageOrdinal | null {
    const known = this.duplicates.claim(message.key);
    if (known !== null) return known;
    if (this.messageCount === this.mostMessages)
      throw new ArchiveError("ARCHIVE_FULL", `an archive can contain at most ${this.mostMessages} messages`);
    const at = message.sentAt;
    const names = message.exportedNames ?? [];
    let position = 0;
    const observe = (address: Address, role: "from" | RecipientKind): number => {
      const index = this.book.observe(address, role, at);
      const name = names[position] ?? "";
      position++;
      if (name !== "") this.book.observeExportedName(index, name, role === "from" ? OWN_NAME : OTHERS_NAME);
      return index;
    };
    const from = message.from === null ? -1 : observe(message.from, "from");
    this.from.push(from);
    this.sentAt.push(at ?? Number.NaN);
    this.receivedAt.push(message.receivedAt ?? Number.NaN);
    this.countMessage(source);
    this.recipients.beginMessage();
    for (const [kind, role] of RECIPIENT_KINDS.entries()) {
      for (const address of message[role]) this.recipients.add(observe(address, role), kind);
    }
    if (message.sender !== null) this.book.observe(message.sender, "sender", at);
    for (const address of message.replyTo) {
      const answered = this.book.observe(address, "reply_to", at);
      if (from >= 0 && answered !== from) this.replyAddresses.push(from, answered);
    }
    this.book.observeOwnAddresses(from, message.ownAddresses);
    if (message.listAddress !== null) this.book.observeList(message.listAddress);
    const { messageId, references, conversationIndexRoot, gmailThreadId, subjectKey, isReply, isAutomatic, sentAt } =
      message;
    const participants = this.participants(this.lastMessage);
    // Fields are listed individually: spreading the skeleton costs more than all the threading.
    this.threads.add({
      messageId,
      references,
      conversationIndexRoot,
      gmailThreadId,
      subjectKey,
      isReply,
      isAutomatic,
      sentAt,
      participants,
    });
    return null;
  }

  private countMessage(source: number): void {
    this.messageCounts[source] = this.messagesOf(source) + 1;
  }

  /** Joins messages by references. Call once after all mail is read, before `joinThreads`. */
  joinReferences(): void {
    this.threads.joinReferences();
  }

  /** First message of the thread of a message, after references are joined. */
  threadSoFar(message: MessageIndex): number {
    return this.threads.threadSoFar(message);
  }

  /** Quoted messages. Call after references are joined and before dates are settled. */
  findQuoted(
    quotations: QuotationColumns,
    memory: PagedMemory,
    isAuthor: (address: number, name: number, key: number) => boolean,
  ): QuotationLinks {
    const messages = {
      subjectOf: (message: number) => this.threads.subjectHashOf(message),
      sentAt: (message: number) => this.dateOf(message as MessageIndex),
      isAuthor: (message: number, name: number, key: number) => {
        const from = this.from.at(message);
        return from >= 0 && isAuthor(from, name, key);
      },
    };
    return findQuoted(quotations, messages, memory);
  }

  /** First message of the thread of each message. Call once: it releases the evidence. */
  joinThreads(evidence: LateEvidence): PagedInt32Column {
    return this.threads.finish(evidence);
  }

  /**
   * Sets the sorting dates (mail/dates/plausible-dates.ts). Call once, after all mail is read. Returns the plausible
   * range.
   */
  settleDates(extractedAt: Instant): SettledDates {
    const settled = settleDates(this.sentAt, this.receivedAt, { restored: this.restored.count, extractedAt });
    this.doubtedDates = settled.doubted;
    this.receivedAt.clear();
    return settled;
  }

  /** Messages of this run with an implausible date; known after dates are settled. */
  doubtedDates = 0;

  /** Frees the data of messages. */
  forgetMessages(): void {
    const { from, sentAt, recipients, replyAddresses, duplicates, restored } = this;
    for (const part of [from, sentAt, recipients, replyAddresses, duplicates, restored]) part.clear();
  }

  contentKey(ordinal: MessageOrdinal): Uint8Array {
    return this.duplicates.keyOf(ordinal);
  }

  /** Sent date of a message; its sorting date after dates are settled. */
  dateOf(message: MessageIndex): Instant | null {
    const at = this.sentAt.at(message);
    return Number.isNaN(at) ? null : at;
  }

  /** Address numbers of sender and recipients of a message; those only in duplicates last. */
  participants(message: MessageIndex): readonly number[] {
    const from = this.from.at(message);
    const participants = from < 0 ? [] : [from];
    this.addRecipients(message, participants);
    return participants;
  }

  /** Adds the address numbers of the recipients of a message to a list; those only in duplicates last. */
  addRecipients(message: MessageIndex, addresses: number[]): void {
    this.recipients.addAddresses(message, addresses);
    for (const address of this.copies.hiddenOf(message)) addresses.push(address);
  }

  /** Recipients named only in duplicates come last. */
  recipientsOf(message: MessageIndex): readonly NumberedRecipient[] {
    const recipients = this.recipients.of(message);
    for (const address of this.copies.hiddenOf(message)) recipients.push({ address, kind: "bcc" });
    return recipients;
  }

  /** Total number of recipients only in Bcc of duplicates. */
  get hiddenCount(): number {
    return this.copies.hiddenCount;
  }

  /** True if a message has more recipients than it names itself. */
  hasHidden(message: MessageIndex): boolean {
    return this.copies.hiddenOf(message).length > 0;
  }

  /** Messages that no earlier run had. */
  get addedMessages(): number {
    return this.messageCount - this.restored.count;
  }

  warn(record: WarnedRecord, source: number | null, outcome: WarnedOutcome): void {
    const { code, message, location, sha256 } = record;
    this.onWarning({ code, message, source, location, sha256, outcome });
  }

  /**
   * Counts messages and items of earlier runs that the source no longer contains. Call it after all sources are read.
   */
  goneOf(source: number): number {
    return this.items.goneOf(source) + this.restored.goneOf(source);
  }

  /** Messages first found in a source. */
  messagesOf(source: number): number {
    return this.messageCounts[source] ?? 0;
  }

  /** Counts of a source by mailbox, in order of first appearance. */
  mailboxes(source: number): readonly MailboxRecord[] {
    return this.tallies.records(source);
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
