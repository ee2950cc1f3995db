import { STILL_VALID } from "../client/valid-rows.ts";
import { PART, PARTITIONED_TABLES, type PartitionedTable, PIECE_BYTES } from "./partitioned-tables.ts";

/** Version columns of a row. */
export const VERSION_COLUMNS = `born int8 NOT NULL DEFAULT 0, last int8 NOT NULL DEFAULT ${STILL_VALID}`;

/** Index of the few rows replaced by a later epoch, for their removal. */
export function endedIndex({ name }: Pick<PartitionedTable, "name">): string {
  return `CREATE INDEX IF NOT EXISTS ${name}_ended ON archivetool.${name}(home, last) WHERE last < ${STILL_VALID};`;
}

/**
 * Ordered steps that migrate the tables of an earlier layout to the current one. Each runs once, in the transaction
 * that records it. Never change a released step.
 */
export const MIGRATIONS: readonly string[] = [
  // Rows shared by the epochs of a collection; earlier, each epoch had its own.
  [
    "ALTER TABLE archivetool.epochs ADD COLUMN home int4;",
    ...PARTITIONED_TABLES.map(shareRows),
    ...PARTITIONED_TABLES.filter(({ pieced }) => pieced !== null).map(cutValues),
  ].join("\n"),
];

function shareRows({ name, key, pieced }: PartitionedTable): string {
  const changes = [
    ...(pieced === null ? [] : [`ADD COLUMN ${PART} int8 NOT NULL DEFAULT 0`]),
    ...VERSION_COLUMNS.split(", ").map((column) => `ADD COLUMN ${column}`),
    `DROP CONSTRAINT ${name}_pkey`,
  ];
  return `ALTER TABLE archivetool.${name} RENAME COLUMN epoch TO home;
    ALTER TABLE archivetool.${name} ${changes.join(", ")};
    ALTER TABLE archivetool.${name} ADD PRIMARY KEY(home, ${key.join(", ")}, born);`;
}

function cutValues({ name, key, pieced }: PartitionedTable): string {
  const keys = key.filter((column) => column !== PART).join(", ");
  return `INSERT INTO archivetool.${name}(home, ${keys}, ${PART}, ${pieced})
      SELECT home, ${keys}, piece, substring(${pieced} FROM piece * ${PIECE_BYTES} + 1 FOR ${PIECE_BYTES})
      FROM archivetool.${name}, generate_series(1, (length(${pieced}) - 1) / ${PIECE_BYTES}) AS piece;
    UPDATE archivetool.${name} SET ${pieced} = substring(${pieced} FOR ${PIECE_BYTES})
      WHERE ${PART} = 0 AND length(${pieced}) > ${PIECE_BYTES};
    ALTER TABLE archivetool.${name} ALTER COLUMN ${PART} DROP DEFAULT;`;
}
