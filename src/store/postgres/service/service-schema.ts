import type { Place, Table } from "../../tables/table.ts";
import { TYPES } from "../client/column-types.ts";

/** Creates or migrates a table that belongs to no archive. */
export function serviceTableSql({ name, places, rest }: Table<unknown>): string {
  const columns = [...places.map(columnSql), ...(rest.keys === "" ? [] : [rest.keys])];
  const later = places
    .filter(({ since }) => since > 1)
    .map((place) => `ALTER TABLE archivetool.${name} ADD COLUMN IF NOT EXISTS ${columnSql(place)};`);
  return [`CREATE TABLE IF NOT EXISTS archivetool.${name}(${columns.join(", ")});`, ...later].join("\n");
}

function columnSql({ name, type, constraint }: Place): string {
  const own = constraint.replace(" PRIMARY KEY AUTOINCREMENT", " GENERATED ALWAYS AS IDENTITY PRIMARY KEY");
  return `${name} ${TYPES[type]}${own}`;
}
