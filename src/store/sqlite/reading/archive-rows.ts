import type { ContactOrdinal } from "../../../mail/records/ordinal.ts";
import { comparedAddress } from "../../contract/compared-address.ts";
import type { ArchiveList, ArchiveRows } from "../../lists/archive-rows.ts";
import type { AddressOwner } from "../../reading/hit-mapper.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { metaTable } from "../database/meta-table.ts";
import type { SqliteDatabase, SqliteStatement } from "../driver/sqlite-database.ts";

/** Table, index and order of each list. */
const LISTS: Readonly<Record<ArchiveList, string>> = {
  "contacts.frequency": "contacts INDEXED BY contacts_by_count ORDER BY message_count DESC, id",
  "contacts.name": "contacts INDEXED BY contacts_by_name ORDER BY name_key, id",
  "contacts.last_seen": "contacts INDEXED BY contacts_by_last_seen ORDER BY last_seen DESC, id",
  "threads.last": "threads INDEXED BY threads_by_last ORDER BY last_at DESC, id",
};

/** Rows of an open archive file. Each distinct statement is prepared once; there are a few dozen. */
export function archiveRows(database: SqliteDatabase): ArchiveRows {
  const statements = new Map<string, SqliteStatement>();
  const prepared = (sql: string): SqliteStatement => {
    const statement = statements.get(sql) ?? database.prepare(sql).raw();
    statements.set(sql, statement);
    return statement;
  };
  const read = (sql: string, values: readonly SqlValue[]): SqlValue[][] => prepared(sql).all(...values) as SqlValue[][];
  return {
    valid: () => "TRUE",
    indexedBy: (index) => `INDEXED BY ${index}`,
    rows: async (sql, ...values) => read(sql, values),
    rowsOnCall:
      async (sql, ...values) =>
      () =>
        read(sql, values),
    async byOrdinal(table, { sql }, ordinals) {
      const one = prepared(`SELECT ${sql} FROM ${table} WHERE id = ?`);
      return ordinals.map((ordinal) => one.get(ordinal) as SqlValue[] | undefined);
    },
    page: async (list, { limit, offset }) =>
      read(`SELECT id FROM ${LISTS[list]} LIMIT ? OFFSET ?`, [limit, offset]).map(([id]) => id as number),
    owners: async () => ownerOfAddress(database),
    metaBytes: async (key) => metaTable(database).get(key) as Uint8Array | null,
  };
}

/** The contact of an address, in any case. */
export function ownerOfAddress(database: SqliteDatabase): (address: string) => AddressOwner | null {
  const contact = database.prepare("SELECT min(contact_id) FROM addresses WHERE address_key = ?").pluck();
  const name = database.prepare("SELECT name FROM contacts WHERE id = ?").pluck();
  return (address) => {
    const owner = contact.get(comparedAddress(address)) as ContactOrdinal | null;
    return owner === null ? null : { contact: owner, name: name.get(owner) as string };
  };
}
