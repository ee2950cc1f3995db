import type { ArchiveRows } from "../../lists/archive-rows.ts";
import { numbered } from "../client/queryable-client.ts";
import { ordinalList } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { metaBytes } from "../collections/index-columns.ts";
import { orderedPage } from "../collections/list-orders.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { ownersOf } from "./address-owners.ts";

/** Rows of an open collection. */
export function archiveRows(epoch: OpenEpoch): ArchiveRows {
  const rows: ArchiveRows["rows"] = (sql, ...values) => epoch.rows(numbered(sql, 2), ...values);
  return {
    valid: validIn,
    indexedBy: () => "",
    rows,
    async rowsOnCall(sql, ...values) {
      const read = await rows(sql, ...values);
      return () => read;
    },
    async byOrdinal(table, { sql, at }, ordinals) {
      const found = await epoch.rows(
        `SELECT ${sql} FROM ${table} WHERE ${validIn(table)} AND id = ANY($2::int8[])`,
        ordinalList(ordinals),
      );
      const byOrdinal = new Map(found.map((row) => [row[at.ordinal], row]));
      return ordinals.map((ordinal) => byOrdinal.get(ordinal));
    },
    page: (list, page) => orderedPage(epoch, list, page),
    owners: (addresses) => ownersOf(epoch, addresses),
    metaBytes: (key) => metaBytes(epoch, key),
  };
}
