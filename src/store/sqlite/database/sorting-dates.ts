import { CONTRADICTION, type PlausibleDateRange } from "../../../mail/dates/plausible-dates.ts";
import { WRITTEN_DATES } from "../../tables/message-tables.ts";
import { createMissingSql } from "../../tables/table.ts";
import type { SqliteDatabase } from "./database.ts";

/**
 * `messages.sent_at` of a finished archive is the sorting date, used by every list, range and filter. If the written
 * date differs, it is in `written_dates`.
 */
export function createWrittenDates(database: SqliteDatabase): void {
  database.exec(createMissingSql(WRITTEN_DATES));
}

/**
 * Replaces implausible and missing dates with the sorting date (mail/dates/plausible-dates.ts). Call once, after all
 * messages are stored.
 */
export function settleDates(database: SqliteDatabase, { earliest, latest }: PlausibleDateRange): void {
  createWrittenDates(database);
  database
    .prepare(
      `INSERT INTO written_dates SELECT messages.id, sent_at FROM messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id
       WHERE sent_at NOT BETWEEN @earliest AND @latest OR (received_at BETWEEN @earliest AND @latest AND (
       sent_at IS NULL OR sent_at - received_at > @late OR received_at - sent_at > @early))`,
    )
    .run({ earliest, latest, ...CONTRADICTION });
  database
    .prepare(
      `UPDATE messages SET sent_at = (SELECT iif(received_at BETWEEN @earliest AND @latest, received_at, NULL) FROM envelopes WHERE id = messages.id)
       WHERE id IN (SELECT id FROM written_dates)`,
    )
    .run({ earliest, latest });
}

/** Restores all dates as written: with further mail, others may be plausible. */
export function restoreWrittenDates(database: SqliteDatabase): void {
  createWrittenDates(database);
  database.exec(`UPDATE messages SET sent_at = (SELECT sent_at FROM written_dates WHERE id = messages.id) WHERE id IN (SELECT id FROM written_dates);
    DELETE FROM written_dates`);
}

/** SQL for the written date of a row of `messages`. */
export function originalDateSql(database: SqliteDatabase): string {
  if (database.prepare("SELECT 1 FROM written_dates LIMIT 1").get() === undefined) return "messages.sent_at";
  return `CASE WHEN messages.id IN (SELECT id FROM written_dates) THEN (SELECT written_dates.sent_at FROM written_dates WHERE written_dates.id = messages.id)
    ELSE messages.sent_at END`;
}
