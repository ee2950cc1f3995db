import { attachmentType } from "../../mail/attachment-types.ts";
import { type MessageFacts, type NamedColumn, type Trait, traitBit, typeBit } from "../../search/message-facts.ts";
import { subjectMark } from "../../threading/subject-mark.ts";
import { storedFacts } from "../reading/fact-columns.ts";
import type { MessageRow } from "../rows.ts";
import { ENVELOPES, MESSAGES } from "../tables/message-tables.ts";
import { selection } from "../tables/table.ts";
import type { SqliteDatabase } from "./database.ts";
import type { SqlValue } from "./sqlite-database.ts";

/** What stands before the name of a label among the flags of a message. */
const LABEL_MARK = "label:";
/** Largest number of a column. */
const MOST = 0xffff_ffff;

const FACTS = ["ordinal", "thread", "from", "subject", "sizeBytes", "language", "flags", "isAutomatic"] as const;
const FURTHER_FACTS = ["inReplyTo", "references", "findings", "messageKind"] as const;
const FIELDS = [...FACTS, ...FURTHER_FACTS] as const;
type FactRow = Pick<MessageRow, (typeof FIELDS)[number]>;

/** The facts of all messages, read from their tables. */
export function collectFacts(database: SqliteDatabase): MessageFacts {
  const count = (database.prepare("SELECT coalesce(max(id), 0) FROM messages").pluck().get() as number) + 1;
  const [threads, sizes, traits] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
  const [languages, domains] = [new NameNumbers(count), new NameNumbers(count)];
  const labelNames = new NameNumbers(0);
  const starts = new Uint32Array(count + 1);
  const values: number[] = [];
  for (const row of factRows(database)) {
    const { ordinal, flags } = row;
    threads[ordinal] = row.thread;
    sizes[ordinal] = Math.min(row.sizeBytes, MOST);
    traits[ordinal] = traitsOf(row).reduce((bits, trait) => bits | traitBit(trait), 0);
    languages.set(ordinal, row.language ?? "");
    domains.set(ordinal, domainOf(row));
    for (const flag of new Set(flags)) values.push(labelNames.numberOf(labelOf(flag)));
    starts[ordinal + 1] = values.length;
  }
  // Numbers without a message have no labels either.
  for (let ordinal = 1; ordinal < starts.length; ordinal++)
    starts[ordinal] = Math.max(starts[ordinal]!, starts[ordinal - 1]!);
  markAttachments(database, traits);
  for (const id of database
    .prepare("SELECT DISTINCT message_id FROM occurrences")
    .pluck()
    .iterate() as Iterable<number>)
    traits[id]! |= traitBit("copies");
  const labels = { starts, values: Uint32Array.from(values), names: labelNames.column().names };
  return { threads, sizes, traits, languages: languages.column(), domains: domains.column(), labels };
}

function* factRows(database: SqliteDatabase): Generator<FactRow> {
  const { sql, decode } = selection<FactRow>([MESSAGES, ENVELOPES], FIELDS);
  const rows = database.prepare(
    `SELECT ${sql} FROM messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id ORDER BY messages.id`,
  );
  for (const row of rows.raw().iterate() as Iterable<SqlValue[]>) yield decode(row);
}

function traitsOf({ subject, inReplyTo, references, isAutomatic, flags, findings, messageKind }: FactRow): Trait[] {
  const mark = subjectMark(subject);
  const told: Readonly<Record<Exclude<Trait, "copies">, boolean>> = {
    reply: mark === "reply" || (mark === null && inReplyTo.length + references.length > 0),
    forward: mark === "forward",
    automatic: isAutomatic,
    unread: isUnread(flags),
    flagged: flags.includes("flagged") || flags.includes(`${LABEL_MARK}Starred`),
    calendar: messageKind?.startsWith("meeting") ?? false,
    findings: findings.length > 0,
  };
  return (Object.keys(told) as (keyof typeof told)[]).filter((trait) => told[trait]);
}

/** Exports of Gmail name what is unread, others what was seen. Categories of Outlook are labels, and say neither. */
function isUnread(flags: readonly string[]): boolean {
  if (flags.includes("seen")) return false;
  return flags.includes(`${LABEL_MARK}Unread`) || !flags.some((flag) => GMAIL_LABELS.has(flag));
}

/** Labels of which every message of Gmail has one: where it is, or what was done with it. */
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

function markAttachments(database: SqliteDatabase, traits: Uint32Array): void {
  const rows = database.prepare("SELECT message_id, media_type, filename FROM attachments").raw().iterate();
  for (const [message, mediaType, filename] of rows as Iterable<[number, string, string]>) {
    const type = attachmentType({ mediaType, filename });
    traits[message]! |= typeBit(type) | (type === "calendar" ? traitBit("calendar") : 0);
  }
}

/** Gives every name a number in the order they come; "" has 0. */
class NameNumbers {
  private readonly numbers: Uint32Array;
  private readonly numberByName = new Map<string, number>([["", 0]]);

  constructor(count: number) {
    this.numbers = new Uint32Array(count);
  }

  numberOf(name: string): number {
    const known = this.numberByName.get(name) ?? this.numberByName.size;
    this.numberByName.set(name, known);
    return known;
  }

  set(ordinal: number, name: string): void {
    this.numbers[ordinal] = this.numberOf(name);
  }

  column(): NamedColumn {
    return { numbers: this.numbers, names: Array.from(this.numberByName.keys()) };
  }
}

/** The facts as they were stored; an archive without them is read for them, which takes a second for 40,000 messages. */
export function readFacts(database: SqliteDatabase): MessageFacts {
  const column = database.prepare("SELECT data FROM ix_column WHERE name = ?").pluck();
  return storedFacts((name) => column.get(name) as Uint8Array | undefined) ?? collectFacts(database);
}
