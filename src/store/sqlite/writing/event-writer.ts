import type { CalendarEvent } from "../../../mail/records/calendar-event.ts";
import { ordinalOf } from "../../../mail/records/ids.ts";
import type { ArchivedItem } from "../../../mail/records/item.ts";
import { EVENTS, ITEMS } from "../../tables/knowledge-tables.ts";
import { rowInsert } from "../database/bulk-insert.ts";
import type { SqliteDatabase } from "../database/database.ts";

/** Adds events by their ids. Returns the highest ordinal, 0 for none. */
export function addEvents(database: SqliteDatabase, events: Iterable<CalendarEvent>): number {
  const insert = rowInsert(database, EVENTS);
  let highest = 0;
  for (const event of events) {
    const ordinal = ordinalOf("event", event.id) ?? 0;
    if (ordinal > highest) highest = ordinal;
    insert.add({ ordinal, uid: event.uid, start: event.start, record: event });
  }
  insert.flush();
  return highest;
}

/** Adds Outlook items by their ids. Returns the highest ordinal, 0 for none. */
export function addItems(database: SqliteDatabase, items: Iterable<ArchivedItem>): number {
  const insert = rowInsert(database, ITEMS);
  let highest = 0;
  for (const item of items) {
    const ordinal = ordinalOf("item", item.id) ?? 0;
    if (ordinal > highest) highest = ordinal;
    insert.add({ ordinal, record: item });
  }
  insert.flush();
  return highest;
}

export function removeItems(database: SqliteDatabase, ordinals: Iterable<number>): void {
  const remove = database.prepare("DELETE FROM items WHERE id = ?");
  for (const ordinal of ordinals) remove.run(ordinal);
}
