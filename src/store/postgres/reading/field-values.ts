import type { CopyDifferences } from "../../../mail/records/message.ts";
import type { ValueField } from "../../../search/indexing/search-field.ts";
import { decodeCopy } from "../../reading/copy-columns.ts";
import { peopleIn } from "../../reading/people-in.ts";
import { ENVELOPES, MESSAGES, OCCURRENCES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { ordinalList, postgresSelection } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";

type Rows = ReadonlyMap<number, readonly SqlValue[][]>;

const ASKED = "= ANY($2::int8[])";
const PEOPLE = {
  from: { table: "messages", selected: postgresSelection([MESSAGES], ["from"]) },
  to: { table: "envelopes", selected: postgresSelection([ENVELOPES], ["to"]) },
  cc: { table: "envelopes", selected: postgresSelection([ENVELOPES], ["cc", "bcc"]) },
} as const;
const COPY = postgresSelection([OCCURRENCES], ["otherId", "sha256", "differs"]);

/** Implements `SearchSource.values`. @param hasCopies false if no duplicate has other people */
export async function fieldValues(
  epoch: OpenEpoch,
  documents: readonly number[],
  field: ValueField,
  hasCopies: boolean,
): Promise<readonly (readonly string[])[]> {
  const read = async (sql: string): Promise<Rows> => grouped(await epoch.rows(sql, ordinalList(documents)));
  if (field === "filename") {
    const names = await read(
      `SELECT message_id, filename FROM attachments WHERE ${validIn("attachments")} AND message_id ${ASKED} ORDER BY message_id, position`,
    );
    return documents.map((document) => (names.get(document) ?? []).map(([name]) => name as string));
  }
  const { table, selected } = PEOPLE[field];
  const own = await read(`SELECT id, ${selected.sql} FROM ${table} WHERE ${validIn(table)} AND id ${ASKED}`);
  const copies: Rows = !hasCopies
    ? new Map()
    : await read(
        `SELECT message_id, ${COPY.sql} FROM occurrences WHERE ${validIn("occurrences")} AND message_id ${ASKED} AND differs IS NOT NULL`,
      );
  return documents.map((document) =>
    peopleIn(field, [
      ...(own.get(document) ?? []).map((row): CopyDifferences => selected.decode(row)),
      ...(copies.get(document) ?? []).map((row) => decodeCopy(COPY.decode(row))),
    ]),
  );
}

/** Rows by their message, the first column. */
function grouped(rows: readonly SqlValue[][]): Rows {
  const groups = new Map<number, SqlValue[][]>();
  for (const [message, ...row] of rows) {
    const group = groups.get(message as number);
    if (group === undefined) groups.set(message as number, [row]);
    else group.push(row);
  }
  return groups;
}
