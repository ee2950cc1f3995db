import {
  ACCESS_STATE,
  AUDIT,
  CORRECTIONS,
  GRANTS,
  SESSIONS,
  TOKENS,
  UPLOAD_EVENTS,
  UPLOADS,
} from "../../tables/service-tables.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { openSealed } from "./checksummed-file.ts";
import { type DatabaseKind, openServiceDatabase } from "./service-database.ts";

/**
 * The second version had one token for everyone, the third no audit. The database also rejects changes of the audit by
 * other programs.
 */
const CATALOG: DatabaseKind = {
  name: "catalog of uploads",
  // `ARCU`
  applicationId: 0x41524355,
  version: 8,
  tables: [UPLOADS, UPLOAD_EVENTS, TOKENS, SESSIONS, GRANTS, ACCESS_STATE, CORRECTIONS, AUDIT],
  beside: `
    CREATE INDEX IF NOT EXISTS uploads_by_status ON uploads(status, ordinal);
    CREATE INDEX IF NOT EXISTS events_by_upload ON events(upload_id, event, sequence);
    CREATE INDEX IF NOT EXISTS access_audit_by_time ON access_audit(at);
    INSERT INTO access_state(event_key) SELECT lower(hex(randomblob(32))) WHERE NOT EXISTS (SELECT 1 FROM access_state);
    CREATE TRIGGER IF NOT EXISTS access_audit_unchanged BEFORE UPDATE ON access_audit
      BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
    CREATE TRIGGER IF NOT EXISTS access_audit_kept BEFORE DELETE ON access_audit
      WHEN old.at >= (CAST(strftime('%s', 'now') AS INTEGER) - (SELECT audit_days FROM access_state) * 86400) * 1000
      BEGIN SELECT RAISE(ABORT, 'the audit is kept'); END;`,
  hint: "start the service with that version, or with a new directory (--data)",
};

/**
 * Opens or creates a catalog; `closeSealed` closes it. It contains names of files, words to redact, and passwords until
 * their jobs have ended. Throws ARCHIVE_DAMAGED.
 */
export function openCatalogDatabase(path: string): SqliteDatabase {
  return openSealed(path, () => {
    const database = openServiceDatabase(path, CATALOG);
    database.pragma("journal_mode = WAL");
    // Overwritten and deleted content is zeroed, including erased passwords.
    database.pragma("secure_delete = ON");
    return database;
  });
}
