import { PagedFloat64Column, PagedInt32Column, PagedUint32Column } from "../../../columns/paged-column.ts";
import type { PagedMemory } from "../../../columns/paged-memory.ts";
import { attachmentType } from "../../../mail/records/attachment-types.ts";
import { type CopyDifferences, flagsOfAll } from "../../../mail/records/message.ts";
import { type Trait, traitBit, typeBit } from "../../../search/indexing/message-facts.ts";
import { subjectMark } from "../../../threading/subject-mark.ts";
import type { MessageRow } from "../../contract/rows.ts";
import { ENVELOPES, MESSAGES } from "../../tables/message-tables.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { copiesWithOther, messageRows } from "../reading/skeleton-reader.ts";

/** Prefix of labels among the flags of a message. */
const LABEL_MARK = "label:";
/** Maximum number in a column. */
const MOST = 0xffff_ffff;

const FACTS = ["ordinal", "thread", "from", "subject", "sizeBytes", "language", "flags", "isAutomatic"] as const;
const FURTHER_FACTS = ["inReplyTo", "references", "findings", "messageKind", "textKey"] as const;
const PLACES = ["fromContact", "sentAt", "topic", "mailboxId"] as const;
const FIELDS = [...FACTS, ...FURTHER_FACTS, ...PLACES] as const;
interface FactRow extends Pick<MessageRow, Exclude<(typeof FIELDS)[number], "mailboxId">> {
  readonly mailboxId: number;
  readonly hasMentions: boolean;
}

/** The facts of all messages, mostly in a file. */
interface CollectedFacts {
  /** Number of the language of each text. */
  readonly languages: PagedUint32Column;
  /** Contact of each sender, -1 for none. */
  readonly authors: PagedInt32Column;
  /** Mailbox number of each message. */
  readonly mailboxes: PagedInt32Column;
  /** True if any message has mentions. */
  readonly haveMentions: boolean;
  /** Key of each text, NaN for none. */
  readonly textKeys: Float64Array;
  /** The columns of facts by name, computed one at a time. */
  columns(): Iterable<readonly [name: string, data: Uint8Array]>;
}

/** Reads the facts of all messages from their tables. @param count number of document numbers */
export function collectFacts(database: SqliteDatabase, count: number, memory: PagedMemory): CollectedFacts {
  const [threads, sizes, traits] = [zeros(count, memory), zeros(count, memory), zeros(count, memory)];
  const [languages, domains] = [zeros(count, memory), zeros(count, memory)];
  const [languageNames, domainNames, labelNames] = [new NameNumbers(), new NameNumbers(), new NameNumbers()];
  const authors = filled(new PagedInt32Column(memory), count, -1);
  const topics = filled(new PagedInt32Column(memory), count, -1);
  const mailboxes = filled(new PagedInt32Column(memory), count, 0);
  const sentAt = filled(new PagedFloat64Column(memory), count, Number.NEGATIVE_INFINITY);
  let haveMentions = false;
  const textKeys = new Float64Array(count).fill(Number.NaN);
  const starts = zeros(count + 1, memory);
  const labels = new PagedUint32Column(memory);
  for (const row of unitedRows(database)) {
    const { ordinal, flags } = row;
    threads.set(ordinal, row.thread);
    sizes.set(ordinal, Math.min(row.sizeBytes, MOST));
    traits.set(
      ordinal,
      traitsOf(row).reduce((bits, trait) => bits | traitBit(trait), 0),
    );
    languages.set(ordinal, languageNames.numberOf(row.language ?? ""));
    domains.set(ordinal, domainNames.numberOf(domainOf(row)));
    if (row.fromContact !== null) authors.set(ordinal, row.fromContact);
    if (row.sentAt !== null) sentAt.set(ordinal, row.sentAt);
    topics.set(ordinal, row.topic);
    mailboxes.set(ordinal, row.mailboxId);
    haveMentions ||= row.hasMentions;
    textKeys[ordinal] = row.textKey ?? Number.NaN;
    for (const flag of flags.length < 2 ? flags : new Set(flags)) labels.push(labelNames.numberOf(labelOf(flag)));
    starts.set(ordinal + 1, labels.length);
  }
  // Numbers without a message have no labels either.
  for (let ordinal = 1; ordinal < starts.length; ordinal++)
    starts.set(ordinal, Math.max(starts.at(ordinal), starts.at(ordinal - 1)));
  markAttachments(database, traits);
  for (const id of database
    .prepare("SELECT DISTINCT message_id FROM occurrences")
    .pluck()
    .iterate() as Iterable<number>)
    traits.set(id, traits.at(id) | traitBit("copies"));
  return {
    ...{ languages, authors, mailboxes, haveMentions, textKeys },
    *columns() {
      yield ["sentAt", bytesOf(sentAt)];
      yield ["topics", bytesOf(topics)];
      yield ["threads", bytesOf(threads)];
      yield ["sizes", bytesOf(sizes)];
      yield ["traits", bytesOf(traits)];
      yield ["languages", bytesOf(languages)];
      yield ["languageNames", languageNames.bytes()];
      yield ["domains", bytesOf(domains)];
      yield ["domainNames", domainNames.bytes()];
      yield ["labelStarts", bytesOf(starts)];
      yield ["labels", bytesOf(labels)];
      yield ["labelNames", labelNames.bytes()];
      for (const column of [threads, sizes, traits, languages, domains, starts, labels]) column.clear();
      for (const column of [authors, sentAt, topics, mailboxes]) column.clear();
    },
  };
}

function zeros(count: number, memory: PagedMemory): PagedUint32Column {
  return filled(new PagedUint32Column(memory), count, 0);
}

function filled<T extends Pick<PagedUint32Column, "extend">>(column: T, count: number, value: number): T {
  column.extend(count, value);
  return column;
}

function bytesOf(column: PagedUint32Column | PagedInt32Column | PagedFloat64Column): Uint8Array {
  return new Uint8Array(column.slice().buffer);
}

function* factRows(database: SqliteDatabase): Generator<FactRow> {
  const { sql, at, decode } = selection([MESSAGES, ENVELOPES], FIELDS, {
    sqlOf: { mentions: "envelopes.mentions IS NOT NULL" },
    beside: ["mentions"],
    filledIn: ["hasMentions"],
  });
  const tables = "messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id";
  for (const row of messageRows(database, sql, tables))
    yield Object.assign(decode(row), { hasMentions: row[at.mentions] === 1 });
}

/** Rows of messages with the flags of all duplicates, so that their order does not matter. */
function* unitedRows(database: SqliteDatabase): Generator<FactRow> {
  const copies = copiesWithOther(database, ["flags"]);
  let copy = copies.next();
  for (const row of factRows(database)) {
    const own: CopyDifferences[] = [];
    for (; !copy.done && copy.value.message <= row.ordinal; copy = copies.next()) own.push(copy.value.differs);
    yield own.length === 0 ? row : { ...row, flags: flagsOfAll(row, own) };
  }
}

function traitsOf({ subject, inReplyTo, references, isAutomatic, flags, findings, messageKind }: FactRow): Trait[] {
  const mark = subjectMark(subject);
  const hasTrait: Readonly<Record<Exclude<Trait, "copies">, boolean>> = {
    reply: mark === "reply" || (mark === null && inReplyTo.length + references.length > 0),
    forward: mark === "forward",
    automatic: isAutomatic,
    unread: isUnread(flags),
    flagged: flags.includes("flagged") || flags.includes(`${LABEL_MARK}Starred`),
    calendar: messageKind?.startsWith("meeting") ?? false,
    findings: findings.length > 0,
  };
  return (Object.keys(hasTrait) as (keyof typeof hasTrait)[]).filter((trait) => hasTrait[trait]);
}

/**
 * Gmail exports have a label for unread mail, other sources a flag for seen mail. Outlook categories are labels and
 * indicate neither.
 */
function isUnread(flags: readonly string[]): boolean {
  if (flags.includes("seen")) return false;
  return flags.includes(`${LABEL_MARK}Unread`) || !flags.some((flag) => GMAIL_LABELS.has(flag));
}

/** Gmail's system labels: location or state of a message. */
const GMAIL_LABELS: ReadonlySet<string> = new Set(
  ["Inbox", "Sent", "Draft", "Drafts", "Spam", "Trash", "Chat", "Opened", "Archived"].map(
    (label) => `${LABEL_MARK}${label}`,
  ),
);

function domainOf({ from }: FactRow): string {
  const email = from?.email ?? "";
  return email.includes("@") ? email.slice(email.lastIndexOf("@") + 1).toLowerCase() : "";
}

function labelOf(flag: string): string {
  return flag.startsWith(LABEL_MARK) ? flag.slice(LABEL_MARK.length) : flag;
}

function markAttachments(database: SqliteDatabase, traits: PagedUint32Column): void {
  const rows = database.prepare("SELECT message_id, media_type, filename FROM attachments").raw().iterate();
  for (const [message, mediaType, filename] of rows as Iterable<[number, string, string]>) {
    const type = attachmentType({ mediaType, filename });
    traits.set(message, traits.at(message) | typeBit(type) | (type === "calendar" ? traitBit("calendar") : 0));
  }
}

/** Numbers names in order of first use; "" is 0. */
class NameNumbers {
  private readonly numberByName = new Map<string, number>([["", 0]]);

  numberOf(name: string): number {
    const known = this.numberByName.get(name);
    if (known !== undefined) return known;
    this.numberByName.set(name, this.numberByName.size);
    return this.numberByName.size - 1;
  }

  bytes(): Uint8Array {
    return new TextEncoder().encode(JSON.stringify(Array.from(this.numberByName.keys())));
  }
}
