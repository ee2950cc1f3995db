import type { PagedMemory } from "../../../columns/paged-memory.ts";
import { ArchiveError } from "../../../errors.ts";
import { type FieldText, IndexBuilder } from "../../../search/indexing/index-builder.ts";
import { fieldTexts } from "../../../search/indexing/message-fields.ts";
import { segmentInMemory } from "../../../search/indexing/segment.ts";
import { BODIES, ENVELOPES, MESSAGES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { createSearchTables } from "../database/search-schema.ts";
import { addSearchSegments, rangeMessages, removeFromSearch, writeSearchColumns } from "../search/search-index.ts";

/** Maximum unused ordinals per message in an index. This tool leaves none. */
const MAX_GAP_SHARE = 4;

const STORED = selection(
  [MESSAGES, ENVELOPES, BODIES],
  ["subject", "body", "from", "to", "cc", "bcc", "messageKind", "attachmentCount"],
);
type StoredMessage = ReturnType<(typeof STORED)["decode"]>;

const NOTHING = new Uint8Array(0);

/** Builds the search index of an archive whose messages are stored but not indexed. Throws like `makeSearch`. */
export function indexStoredMessages(database: SqliteDatabase, memory: PagedMemory): void {
  createSearchTables(database);
  const [count, first, last] = database
    .prepare("SELECT count(*), min(id), max(id) FROM messages NOT INDEXED")
    .raw()
    .get() as [number, number, number];
  if (count === 0) return;
  if (last - first > count * (1 + MAX_GAP_SHARE))
    throw new ArchiveError("DOCUMENT_INVALID", `message ids reach to ${last} for ${count} messages`);
  const stored = database
    .prepare(
      `SELECT ${STORED.sql} FROM messages CROSS JOIN envelopes ON envelopes.id = messages.id CROSS JOIN bodies ON bodies.id = messages.id
       WHERE messages.id = ?`,
    )
    .raw();
  const filenames = database.prepare("SELECT filename FROM attachments WHERE message_id = ? ORDER BY position").pluck();
  const builder = new IndexBuilder(first, rangeMessages(database));
  const gaps: number[] = [];
  const takeSegment = (): void => {
    const segment = builder.takeSegment();
    if (segment !== null) addSearchSegments(database, [segmentInMemory(segment)]);
  };
  for (let id = first; id <= last; id++) {
    const row = stored.get(id) as SqlValue[] | undefined;
    if (row === undefined) {
      gaps.push(id);
      builder.add({ subject: NOTHING, body: NOTHING, fields: [] });
    } else {
      const message = STORED.decode(row);
      const names = message.attachmentCount === 0 ? [] : (filenames.all(id) as string[]);
      builder.add({ subject: Buffer.from(message.subject), body: message.body, fields: fieldsOf(message, names) });
    }
    if (builder.isFull) takeSegment();
  }
  takeSegment();
  removeFromSearch(database, gaps);
  writeSearchColumns(database, memory);
}

function fieldsOf(message: StoredMessage, filenames: readonly string[]): readonly FieldText[] {
  return fieldTexts(message, filenames).map(([field, text]) => ({ field, text: Buffer.from(text) }));
}
