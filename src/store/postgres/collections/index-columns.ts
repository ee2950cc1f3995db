import type { ColumnSlice } from "../../reading/range-source.ts";
import { ordinalList } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import type { OpenEpoch } from "./open-epoch.ts";
import { PIECE_BYTES } from "./partitioned-tables.ts";

/** Joins the pieces of a column's value. */
const whole = (column: string): string => `string_agg(${column}, ''::bytea ORDER BY part)`;

/** Columns of the search index by their names. */
export async function indexColumns(
  epoch: OpenEpoch,
  names: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await epoch.rows(
    `SELECT name, ${whole("data")} FROM ix_column WHERE ${validIn("ix_column")} AND name = ANY($2) GROUP BY name`,
    names,
  );
  return new Map(rows as [string, Uint8Array][]);
}

/** Bytes that the archive stores under a name. */
export async function metaBytes(epoch: OpenEpoch, key: string): Promise<Uint8Array | null> {
  const [[bytes]] = (await epoch.rows(
    `SELECT ${whole("bytes_value")} FROM meta WHERE ${validIn("meta")} AND k = $2`,
    key,
  )) as [[Uint8Array | null]];
  return bytes;
}

/** Ranges of columns of the search index, by column name. */
export async function columnSlices(
  epoch: OpenEpoch,
  slices: readonly ColumnSlice[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await epoch.rows(
    `SELECT name, substring(${whole("data")} FROM (start % ${PIECE_BYTES} + 1)::int4 FOR length::int4)
     FROM unnest($2::text[], $3::int8[], $4::int8[]) AS asked(name, start, length) JOIN ix_column USING (name)
     WHERE ${validIn("ix_column")} AND part BETWEEN start / ${PIECE_BYTES} AND (start + length) / ${PIECE_BYTES}
     GROUP BY name, start, length`,
    slices.map(({ name }) => name),
    ordinalList(slices.map(({ start }) => start)),
    ordinalList(slices.map(({ length }) => length)),
  );
  return new Map(rows as [string, Uint8Array][]);
}
