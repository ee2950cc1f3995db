import type { SqliteDatabase } from "../driver/sqlite-database.ts";

/** Number of records counted as kept: for events, those that show a calendar item, whatever their other occurrences. */
const KEPT_RECORDS = `
  SELECT source, count(*) FROM (
    SELECT source FROM messages
    UNION ALL SELECT json_extract(record, '$.source') AS source FROM items
    UNION ALL SELECT json_extract(record, '$.item.source') AS source FROM events WHERE json_type(record, '$.item') = 'object'
  ) GROUP BY source`;

/** Records of each source, by its number, that are counted as kept. */
export function countKeptRecords(database: SqliteDatabase): ReadonlyMap<number, number> {
  return new Map(database.prepare(KEPT_RECORDS).raw().all() as [number, number][]);
}
