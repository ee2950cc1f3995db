import { AUDIT_DAYS } from "../access-register.ts";
import { STORED_TABLES } from "../tables/stored-tables.ts";
import { CREATE_NOTEBOOKS, NOTEBOOK_TABLES } from "./collection-notebook.ts";
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

/**
 * What readers read through our servers. Who adds a row gives no name and no time: they are those of the server. The
 * database refuses to change a row, and to remove one before its time.
 */
export const COLLECTION_AUDIT = "collection_audit";
/** What a reader writes: rows of the audit, of which it gives no more than this, and what stands in notebooks. */
export const WRITABLE: readonly string[] = [
  `INSERT(collection, action, detail) ON archivetool.${COLLECTION_AUDIT}`,
  ...NOTEBOOK_TABLES.map((table) => `SELECT, INSERT, UPDATE ON archivetool.${table}`),
];

const CREATE_AUDIT = `CREATE TABLE IF NOT EXISTS archivetool.${COLLECTION_AUDIT}(
  sequence int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at int8 NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000,
  name text COLLATE "C" NOT NULL DEFAULT session_user, collection text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL, detail text COLLATE "C");
CREATE OR REPLACE FUNCTION archivetool.refuse_read_change() RETURNS trigger LANGUAGE plpgsql AS $refuse$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < extract(epoch FROM now()) * 1000 - ${AUDIT_DAYS}::int8 * 86400000 THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit is only added to, and kept';
END $refuse$;
DROP TRIGGER IF EXISTS collection_audit_kept ON archivetool.${COLLECTION_AUDIT};
CREATE TRIGGER collection_audit_kept BEFORE UPDATE OR DELETE ON archivetool.${COLLECTION_AUDIT}
  FOR EACH ROW EXECUTE FUNCTION archivetool.refuse_read_change();
DROP TRIGGER IF EXISTS collection_audit_not_emptied ON archivetool.${COLLECTION_AUDIT};
CREATE TRIGGER collection_audit_not_emptied BEFORE TRUNCATE ON archivetool.${COLLECTION_AUDIT}
  FOR EACH STATEMENT EXECUTE FUNCTION archivetool.refuse_read_change();`;

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
  CREATE_NOTEBOOKS,
  ...NOTEBOOK_TABLES.map(
    (table) => `DROP POLICY IF EXISTS readers ON archivetool.${table};
CREATE POLICY readers ON archivetool.${table} USING (collection IN ${OWN_COLLECTIONS});
ALTER TABLE archivetool.${table} ENABLE ROW LEVEL SECURITY;`,
  ),
  CREATE_AUDIT,
  `DROP POLICY IF EXISTS readers ON archivetool.${COLLECTION_AUDIT};
CREATE POLICY readers ON archivetool.${COLLECTION_AUDIT} FOR INSERT WITH CHECK (collection IN ${OWN_COLLECTIONS});
ALTER TABLE archivetool.${COLLECTION_AUDIT} ENABLE ROW LEVEL SECURITY;`,
].join("\n");
