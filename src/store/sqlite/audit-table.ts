import type { AuditEntry, AuditedAct, AuditFilter } from "../../mail/access.ts";
import { AUDIT_CUT_EVERY, AUDIT_DAYS, type AuditTrail } from "../access-register.ts";
import type { SqliteDatabase } from "./database.ts";

const DAY_MS = 86_400_000;

/** AUTOINCREMENT: no sequence is given twice. What SQL of others does to the table is refused as well. */
export const AUDIT_TABLES = `
CREATE TABLE access_audit(sequence INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, name TEXT NOT NULL, action TEXT NOT NULL,
  upload_id TEXT, detail TEXT);
CREATE INDEX access_audit_by_time ON access_audit(at);
ALTER TABLE access_state ADD COLUMN audit_days INTEGER NOT NULL DEFAULT ${AUDIT_DAYS};
CREATE TRIGGER access_audit_unchanged BEFORE UPDATE ON access_audit BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
CREATE TRIGGER access_audit_kept BEFORE DELETE ON access_audit
  WHEN old.at >= (CAST(strftime('%s', 'now') AS INTEGER) - (SELECT audit_days FROM access_state) * 86400) * 1000
  BEGIN SELECT RAISE(ABORT, 'the audit is kept'); END;
`;

/** How a catalogue file is written to. */
export interface CatalogueWrites {
  /** A transaction that is on disk when it returns. */
  write<T>(run: () => T): T;
  /** One that is when the next of those is. */
  writeSoon<T>(run: () => T): T;
}

/** The audit, and what a change writes into it within its own transaction. */
export interface AuditTable extends AuditTrail {
  append(act: AuditedAct): void;
}

/** The audit in a catalogue file. */
export function auditTable(database: SqliteDatabase, { write, writeSoon }: CatalogueWrites): AuditTable {
  const insert = database.prepare(
    "INSERT INTO access_audit(at, name, action, upload_id, detail) VALUES (?, ?, ?, ?, ?)",
  );
  const days = database.prepare("SELECT audit_days FROM access_state").pluck();
  const setDays = database.prepare("UPDATE access_state SET audit_days = ?");
  // A second behind the trigger, which counts whole seconds.
  const cut = database.prepare("DELETE FROM access_audit WHERE at < ? - 1000");
  const select = database.prepare(
    `SELECT sequence, at, name, action, upload_id AS uploadId, detail FROM access_audit
     WHERE sequence > ? AND (? IS NULL OR name = ?) AND (? IS NULL OR upload_id = ?) AND at >= ? ORDER BY sequence LIMIT ?`,
  );
  const auditDays = (): number => days.get() as number;
  const append = ({ at, name, action, uploadId, detail }: AuditedAct): void => {
    const { lastInsertRowid } = insert.run(at, name, action, uploadId, detail);
    if (Number(lastInsertRowid) % AUDIT_CUT_EVERY === 0) cut.run(at - auditDays() * DAY_MS);
  };
  return {
    append,
    record: (act) => writeSoon(() => append(act)),
    audited: ({ name, uploadId, since }: AuditFilter, sequence, limit) =>
      select.all(sequence, name, name, uploadId, uploadId, since ?? 0, limit) as AuditEntry[],
    auditDays,
    keepAudit: (kept, by) =>
      write(() => {
        setDays.run(kept);
        append({ ...by, action: "retention set", uploadId: null, detail: `${kept} days` });
        cut.run(by.at - kept * DAY_MS);
      }),
  };
}
