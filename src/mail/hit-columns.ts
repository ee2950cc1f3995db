/** Columns of a hit report as a table, before those of the custodians. */
export const HIT_COLUMNS = [
  "query",
  "messages",
  "unique",
  "attachments",
  "conversations",
  "conversation_messages",
  "first",
  "last",
  "problems",
] as const;

/** Text in place of the query in the total row. */
export const UNION_NAME = "(all queries)";

/** The first row of a hit report as a table. */
export function hitTableHead(custodians: readonly string[]): readonly string[] {
  return [...HIT_COLUMNS, ...custodians.map((name) => `custodian: ${name}`)];
}
