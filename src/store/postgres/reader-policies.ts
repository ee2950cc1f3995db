import { STORED_TABLES } from "../tables/stored-tables.ts";
import { LIST_ORDERS } from "./list-orders.ts";

/*
 * Who may read which collection is decided by the server, row by row, whatever program asks (row-level security). Until
 * the first reader is named, everybody who may read the tables reads all of them; from then on each role sees the
 * collections that it, or a role it belongs to, is named for. The owner of the tables and superusers see everything.
 */

/** Who is named for what. A role is kept by its number, and dumped by its name: one that is made anew is another one. */
export const COLLECTION_READERS = "collection_readers";

const CREATE_READERS = `CREATE TABLE IF NOT EXISTS archivetool.${COLLECTION_READERS}(
  collection text COLLATE "C" NOT NULL, reader regrole NOT NULL, PRIMARY KEY(collection, reader));`;

const OWN_COLLECTIONS = `(SELECT collection FROM archivetool.${COLLECTION_READERS})`;
/** Found once a statement, and compared without a call: the condition stands before every row. */
const OWN_EPOCHS = "epoch = ANY(ARRAY(SELECT epoch::int8 FROM archivetool.epochs))";

/** Which rows of a table a role sees, by what it sees of the table before. */
const VISIBLE: ReadonlyMap<string, string> = new Map([
  [COLLECTION_READERS, "pg_has_role(reader::oid, 'USAGE')"],
  ["collections", `name IN ${OWN_COLLECTIONS}`],
  ["epochs", `collection IN ${OWN_COLLECTIONS}`],
  ...[...STORED_TABLES.map(({ name }) => name), LIST_ORDERS].map((name): [string, string] => [name, OWN_EPOCHS]),
]);

/** What readers may ask for at all: neither the queue of runs nor the catalogue of services. */
export const READABLE = ["layout", ...VISIBLE.keys()].map((table) => `archivetool.${table}`).join(", ");

/** Has the server look at every row; again where tables came since. */
export const RESTRICT = [
  CREATE_READERS,
  ...Array.from(
    VISIBLE,
    ([table, condition]) => `DROP POLICY IF EXISTS readers ON archivetool.${table};
CREATE POLICY readers ON archivetool.${table} FOR SELECT USING (${condition});
ALTER TABLE archivetool.${table} ENABLE ROW LEVEL SECURITY;`,
  ),
].join("\n");
