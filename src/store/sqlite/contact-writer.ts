import { foldKey } from "../../mail/fold-key.ts";
import { addressKey } from "../address-key.ts";
import type { ContactRow, EdgeRow } from "../rows.ts";
import { bulkInsert } from "./bulk-insert.ts";
import type { SqliteDatabase } from "./database.ts";
import { encodeList } from "./json-columns.ts";
import { sortKey } from "./message-writer.ts";

const CONTACT_COLUMNS = [
  "id",
  "email",
  "name",
  "name_key",
  "search_key",
  "message_count",
  "sent_count",
  "received_count",
  "frequency",
  "first_seen",
  "last_seen",
  "sentiment",
  "community",
  "authority",
  "hub",
  "pagerank",
  "degree",
  "in_degree",
  "out_degree",
  "aliases",
  "domains",
] as const;

/** Puts these contacts, with their addresses, in the place of all that are there. Returns the highest ordinal, 0 for none. */
export function replaceContacts(database: SqliteDatabase, rows: Iterable<ContactRow>): number {
  database.exec("DELETE FROM contacts; DELETE FROM addresses;");
  const insert = database.prepare(
    `INSERT INTO contacts(${CONTACT_COLUMNS.join(",")}) VALUES (${CONTACT_COLUMNS.map(() => "?").join(",")})`,
  );
  const addresses = bulkInsert(database, "addresses", ["contact_id", "position", "address", "address_key", "reason"]);
  let highest = 0;
  for (const row of rows) {
    if (row.ordinal > highest) highest = row.ordinal;
    const found = contactAddresses(row);
    insert.run(
      row.ordinal,
      row.email,
      row.name,
      sortKey(row.name),
      searchKey(row.name, found),
      row.messageCount,
      row.sentCount,
      row.receivedCount,
      row.frequency,
      row.firstSeen,
      row.lastSeen,
      row.sentiment,
      row.community,
      row.authorityScore,
      row.hubScore,
      row.pagerank,
      row.degree,
      row.inDegree,
      row.outDegree,
      encodeList(row.aliases),
      encodeList(row.domains),
    );
    for (const [position, { address, reason }] of found.entries()) {
      addresses.add(row.ordinal, position, address, addressKey(address), reason);
    }
  }
  addresses.flush();
  return highest;
}

interface FoundAddress {
  readonly address: string;
  readonly reason: string | null;
}

/** Evidence first, in its order; then the addresses that have none. */
function contactAddresses(row: ContactRow): readonly FoundAddress[] {
  const rest = new Set([row.email, ...row.aliases]);
  rest.delete("");
  for (const { address } of row.evidence) rest.delete(address);
  return [...row.evidence, ...Array.from(rest, (address) => ({ address, reason: null }))];
}

/** Name and addresses in one folded text, a line each: what the substring search of contacts looks into. */
function searchKey(name: string, addresses: readonly FoundAddress[]): string {
  return [name, ...addresses.map((found) => found.address)]
    .map((text) => foldKey(text).replaceAll("\n", " "))
    .join("\n")
    .toWellFormed();
}

/** Puts these edges in the place of all that are there. */
export function replaceEdges(database: SqliteDatabase, rows: Iterable<EdgeRow>): void {
  database.exec("DELETE FROM edges");
  const edges = bulkInsert(database, "edges", ["from_id", "to_id", "count", "weight"]);
  for (const row of rows) edges.add(row.from, row.to, row.count, row.weight);
  edges.flush();
}
