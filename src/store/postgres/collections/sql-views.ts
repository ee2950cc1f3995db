import type { PostgresClient } from "../client/postgres-client.ts";

/** The schema of the views: tables of `archivetool` have some of their names. */
const VIEWS_SCHEMA = "archivetool_views";

/** Incremented by every change of the views; `CREATE OR REPLACE VIEW` can only add columns. */
const VIEWS_VERSION = "archivetool views, version 2";

/** Milliseconds since 1970 of the first instant on whose year PostgreSQL and this tool agree: the year 1. */
const FIRST_MS = -62_135_596_800_000;

/**
 * SQL functions that decode texts. Bodies are stored as bytes, to keep NULs and malformed characters. PostgreSQL text
 * cannot contain them: NULs are removed, and a body that is not UTF-8 is shown with escapes.
 */
const FUNCTIONS = `
CREATE OR REPLACE FUNCTION ${VIEWS_SCHEMA}.body_text(body bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $body$
BEGIN
  RETURN convert_from(body, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  BEGIN
    RETURN convert_from((SELECT coalesce(string_agg(substring(body FROM at FOR 1), ''::bytea ORDER BY at), '')
      FROM generate_series(1, length(body)) AS at WHERE get_byte(body, at - 1) <> 0), 'UTF8');
  EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
    RETURN encode(body, 'escape');
  END;
END $body$;
CREATE OR REPLACE FUNCTION ${VIEWS_SCHEMA}.json_text(record text, path text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $json$
BEGIN
  RETURN record::json #>> path;
EXCEPTION WHEN untranslatable_character OR invalid_text_representation THEN
  RETURN (record::json #> path)::text;
END $json$;
CREATE OR REPLACE FUNCTION ${VIEWS_SCHEMA}.plain_text(stored text) RETURNS text LANGUAGE sql IMMUTABLE AS
$plain$ SELECT replace(replace(stored, U&'\\0001\\0002', U&'\\0001'), U&'\\0001\\0001', '') $plain$;
CREATE OR REPLACE FUNCTION ${VIEWS_SCHEMA}.instant(ms int8) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
$instant$ SELECT CASE WHEN ms >= ${FIRST_MS} THEN to_timestamp(ms / 1000.0) END $instant$;`;

const PRESENT = "FROM archivetool.collections AS c JOIN archivetool.epochs AS e USING (epoch)";

/** SQL that selects the visible rows of a table in the current epoch of a collection. */
const valid = (table: string): string =>
  `${table}.home = coalesce(e.home, e.epoch) AND e.epoch BETWEEN ${table}.born AND ${table}.last`;

function idSql(prefix: string, column: string, digits: number): string {
  return `'${prefix}-' || lpad((${column})::text, greatest(${digits}, length((${column})::text)), '0')`;
}

const instant = (column: string): string => `${VIEWS_SCHEMA}.instant(${column})`;
const plain = (column: string): string => `${VIEWS_SCHEMA}.plain_text(${column})`;
const json = (column: string, path: string): string => `${VIEWS_SCHEMA}.json_text(${column}, '{${path}}')`;

/** Each view with its columns, over the published epochs. */
const VIEWS: Readonly<Record<string, string>> = {
  message_texts: `SELECT c.name AS collection, ${idSql("msg", "m.id", 6)} AS id, ${plain("m.message_id")} AS message_id,
      ${instant("CASE WHEN w.id IS NULL THEN m.sent_at ELSE w.sent_at END")} AS sent_at,
      ${json("m.from_json", "0")} AS sender_name, ${json("m.from_json", "1")} AS sender_address,
      ${plain("m.subject")} AS subject, ${VIEWS_SCHEMA}.body_text(b.body) AS text,
      ${idSql("thread", "m.thread_id", 6)} AS thread_id, m.attachment_count
    ${PRESENT} JOIN archivetool.messages AS m ON ${valid("m")}
      JOIN archivetool.bodies AS b ON ${valid("b")} AND b.id = m.id
      LEFT JOIN archivetool.written_dates AS w ON ${valid("w")} AND w.id = m.id`,
  people: `SELECT c.name AS collection, ${idSql("contact", "p.id", 6)} AS id, ${plain("p.name")} AS name,
      ${plain("p.email")} AS address, p.message_count, p.sent_count, p.received_count,
      ${instant("p.first_seen")} AS first_seen, ${instant("p.last_seen")} AS last_seen
    ${PRESENT} JOIN archivetool.contacts AS p ON ${valid("p")}`,
  threads: `SELECT c.name AS collection, ${idSql("thread", "t.id", 6)} AS id, ${plain("t.subject")} AS subject,
      t.message_count, ${instant("t.first_at")} AS first_message, ${instant("t.last_at")} AS last_message
    ${PRESENT} JOIN archivetool.threads AS t ON ${valid("t")}`,
  events: `SELECT c.name AS collection, ${idSql("event", "v.id", 6)} AS id, ${plain("v.uid")} AS uid,
      ${instant("v.start_at")} AS start_at, ${instant(`(${json("v.record", "end")})::int8`)} AS end_at,
      ${json("v.record", "subject")} AS subject, ${json("v.record", "location")} AS location,
      ${json("v.record", "organizer,email")} AS organizer_address, ${json("v.record", "status")} AS status
    ${PRESENT} JOIN archivetool.events AS v ON ${valid("v")}`,
};

export const VIEW_NAMES: readonly string[] = Object.keys(VIEWS);

/** Creates or updates the views, in the transaction of the tables. */
export const CREATE_VIEWS = [
  `CREATE SCHEMA IF NOT EXISTS ${VIEWS_SCHEMA};`,
  FUNCTIONS,
  ...Object.entries(VIEWS).map(([name, query]) => `CREATE OR REPLACE VIEW ${VIEWS_SCHEMA}.${name} AS ${query};`),
  `COMMENT ON SCHEMA ${VIEWS_SCHEMA} IS '${VIEWS_VERSION}';`,
].join("\n");

/** True if the views of this version exist. */
export async function hasViews(client: PostgresClient): Promise<boolean> {
  const [[version]] = (await client.rows(
    "SELECT (SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1)",
    [VIEWS_SCHEMA],
  )) as [[string | null]];
  return version === VIEWS_VERSION;
}
