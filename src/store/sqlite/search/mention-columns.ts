import { PagedUint32Column } from "../../../columns/paged-column.ts";
import type { PagedMemory } from "../../../columns/paged-memory.ts";
import { MENTION_KINDS, type MentionKind } from "../../../mail/records/mention.ts";
import type { ContactOrdinal } from "../../../mail/records/ordinal.ts";
import { MARK_OF_KIND, NAME_FORMS } from "../../../mentions/found-mention.ts";
import { type ContactNames, PersonIndex } from "../../../mentions/person-index.ts";
import { MentionResolver } from "../../../mentions/resolve-mentions.ts";
import type { MessageRow } from "../../contract/rows.ts";
import { mentionColumns } from "../../reading/mention-lists.ts";
import { ENVELOPES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import type { SqliteDatabase } from "../database/database.ts";

interface FoundMentions extends Pick<MessageRow, "ordinal" | "mentions" | "fromContact"> {}

/** Columns of mentions by name, from all messages, including earlier runs, and all contacts. */
export function* collectMentions(
  database: SqliteDatabase,
  count: number,
  memory: PagedMemory,
): Generator<readonly [name: string, data: Uint8Array]> {
  const resolver = new MentionResolver(new PersonIndex(namedContacts(database)));
  for (const { mentions } of foundMentions(database, COUNTED)) resolver.count(mentions);
  resolver.finishSketch();
  for (const { mentions } of foundMentions(database, COUNTED)) resolver.count(mentions);
  const lists = new Map(MENTION_KINDS.map((kind) => [kind, new GrowingLists(memory)]));
  for (const { ordinal, mentions, fromContact } of foundMentions(database))
    for (const { kind, value } of resolver.resolve(mentions, fromContact)) lists.get(kind)!.add(ordinal, value);
  for (const [kind, list] of lists) yield* columnsOf(kind, list, resolver, count);
}

function* columnsOf(
  kind: MentionKind,
  list: GrowingLists,
  resolver: MentionResolver,
  count: number,
): Generator<readonly [name: string, data: Uint8Array]> {
  const names = mentionColumns(kind);
  yield [names.starts, list.starts(count)];
  yield [names.values, list.values()];
  yield [names.names, new TextEncoder().encode(JSON.stringify(resolver.valuesOf(kind)))];
  list.clear();
}

/** Lists of values per message, added in message order. */
class GrowingLists {
  private readonly messages: PagedUint32Column;
  private readonly numbers: PagedUint32Column;

  constructor(memory: PagedMemory) {
    this.messages = new PagedUint32Column(memory);
    this.numbers = new PagedUint32Column(memory);
  }

  add(message: number, value: number): void {
    this.messages.push(message);
    this.numbers.push(value);
  }

  /** Start of the values of each message, and the end of the last. */
  starts(count: number): Uint8Array {
    const starts = new Uint32Array(count + 1);
    for (let at = 0; at < this.messages.length; at++) starts[this.messages.at(at) + 1]!++;
    for (let message = 1; message < starts.length; message++) starts[message]! += starts[message - 1]!;
    return new Uint8Array(starts.buffer);
  }

  values(): Uint8Array {
    return new Uint8Array(this.numbers.slice().buffer);
  }

  clear(): void {
    this.messages.clear();
    this.numbers.clear();
  }
}

function* namedContacts(database: SqliteDatabase): Generator<ContactNames> {
  const rows = database.prepare("SELECT id, name, email, message_count FROM contacts ORDER BY id").raw().iterate();
  for (const [ordinal, name, email, messages] of rows as Iterable<[ContactOrdinal, string, string, number]>)
    yield { ordinal, name, email, messages };
}

/**
 * Finds rows with values that are counted (whole names, organizations, references), by the beginning of an entry in the
 * JSON.
 */
const COUNTED = [NAME_FORMS.whole, NAME_FORMS.prefix, MARK_OF_KIND.org, MARK_OF_KIND.reference]
  .map((mark) => `instr(mentions, '"${mark}') > 0`)
  .join(" OR ");

function* foundMentions(database: SqliteDatabase, condition = "mentions IS NOT NULL"): Generator<FoundMentions> {
  const { decode } = ENVELOPES.columns.mentions;
  const rows = database
    .prepare(
      `SELECT envelopes.id, mentions, from_id FROM envelopes JOIN messages ON messages.id = envelopes.id
       WHERE ${condition} ORDER BY envelopes.id`,
    )
    .raw()
    .iterate();
  for (const [ordinal, mentions, fromContact] of rows as Iterable<SqlValue[]>)
    yield { ordinal, mentions: decode!(mentions!), fromContact } as FoundMentions;
}
