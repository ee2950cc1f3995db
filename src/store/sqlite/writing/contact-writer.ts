import { foldKey } from "../../../mail/words/fold-key.ts";
import { comparedAddress } from "../../contract/compared-address.ts";
import type { ContactRow, EdgeRow } from "../../contract/rows.ts";
import { ADDRESSES, CONTACTS, EDGES } from "../../tables/contact-tables.ts";
import { encodeRow, insertSql } from "../../tables/table.ts";
import { rowInsert } from "../database/bulk-insert.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { emptyTable } from "../database/schema.ts";
import { sortKey } from "./message-writer.ts";

/** Replaces all contacts with their addresses. Returns the highest ordinal, 0 for none. */
export function replaceContacts(database: SqliteDatabase, rows: Iterable<ContactRow>): number {
  emptyTable(database, "contacts");
  emptyTable(database, "addresses");
  const insert = database.prepare(insertSql(CONTACTS));
  const addresses = rowInsert(database, ADDRESSES);
  let highest = 0;
  for (const row of rows) {
    const contact = row.ordinal;
    if (contact > highest) highest = contact;
    const found = contactAddresses(row);
    insert.run(...encodeRow(CONTACTS, { ...row, nameKey: sortKey(row.name), searchKey: searchKey(row.name, found) }));
    for (const [position, { address, reason }] of found.entries())
      addresses.add({ contact, position, address, addressKey: comparedAddress(address), reason });
  }
  addresses.flush();
  return highest;
}

interface FoundAddress {
  readonly address: string;
  readonly reason: string | null;
}

/** Addresses with evidence first, in order; then the rest. */
function contactAddresses(row: ContactRow): readonly FoundAddress[] {
  const rest = new Set([row.email, ...row.aliases]);
  rest.delete("");
  for (const { address } of row.evidence) rest.delete(address);
  return [...row.evidence, ...Array.from(rest, (address) => ({ address, reason: null }))];
}

/** Name and addresses in one folded text, one per line, for the substring search of contacts. */
function searchKey(name: string, addresses: readonly FoundAddress[]): string {
  return [name, ...addresses.map((found) => found.address)]
    .map((text) => foldKey(text).replaceAll("\n", " "))
    .join("\n")
    .toWellFormed();
}

/** Replaces all edges. */
export function replaceEdges(database: SqliteDatabase, rows: Iterable<EdgeRow>): void {
  database.exec("DELETE FROM edges");
  const edges = rowInsert(database, EDGES);
  for (const row of rows) edges.add(row);
  edges.flush();
}
