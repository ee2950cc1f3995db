import type { LoggedEvent } from "../../mail/uploads.ts";
import { KEPT_EVENTS } from "../upload-catalogue.ts";
import type { SqliteDatabase } from "./database.ts";

/** The log is cut once in so many events. */
const CUT_EVERY = 250;
/**
 * More than the events that can wait for the disk: a checkpoint writes at the latest after 1,000 pages, and an event
 * changes at least one.
 */
const SKIPPED_SEQUENCES = 1000;

export interface EventTable {
  append(uploadId: string, event: LoggedEvent["event"], data: string): void;
  after(sequence: number, limit: number, uploadId: string | null): readonly LoggedEvent[];
  lastPhase(uploadId: string): LoggedEvent | null;
  /** Sequence of the last change of a status; 0 when none is kept. */
  lastStatus(uploadId: string): number;
  firstSequence(): number;
  lastSequence(): number;
  skipSequences(): void;
}

const COLUMNS = "sequence, upload_id AS uploadId, event, data";

export function eventTable(database: SqliteDatabase): EventTable {
  const insert = database.prepare("INSERT INTO events(upload_id, event, data) VALUES (?, ?, ?)");
  const cut = database.prepare(
    `DELETE FROM events WHERE sequence <= (SELECT sequence FROM events ORDER BY sequence DESC LIMIT 1 OFFSET ${KEPT_EVENTS})`,
  );
  const ofAll = database.prepare(`SELECT ${COLUMNS} FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?`);
  const ofOne = database.prepare(
    `SELECT ${COLUMNS} FROM events WHERE upload_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const phase = database.prepare(
    `SELECT ${COLUMNS} FROM events WHERE upload_id = ? AND event = 'phase' ORDER BY sequence DESC LIMIT 1`,
  );
  const status = database.prepare("SELECT max(sequence) FROM events WHERE upload_id = ? AND event = 'upload'").pluck();
  const first = database.prepare("SELECT min(sequence) FROM events").pluck();
  const last = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
  const skip = database.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'events'");
  const lastSequence = (): number => (last.get() as number | undefined) ?? 0;
  return {
    append(uploadId, event, data) {
      const { lastInsertRowid } = insert.run(uploadId, event, data);
      if (Number(lastInsertRowid) % CUT_EVERY === 0) cut.run();
    },
    after(sequence, limit, uploadId) {
      return (uploadId === null ? ofAll.all(sequence, limit) : ofOne.all(uploadId, sequence, limit)) as LoggedEvent[];
    },
    lastPhase: (uploadId) => (phase.get(uploadId) as LoggedEvent | undefined) ?? null,
    lastStatus: (uploadId) => (status.get(uploadId) as number | null) ?? 0,
    firstSequence: () => (first.get() as number | null) ?? lastSequence() + 1,
    lastSequence,
    skipSequences() {
      skip.run(SKIPPED_SEQUENCES);
    },
  };
}
