/**
 * A row of an archive is valid from the epoch `born` to the epoch `last`, both included, of its home: the number of the
 * first epoch of a collection, which all later ones share. Only rows that change are written again.
 */
export const STILL_VALID = 0xffff_ffff;
const EPOCH_BITS = 32;

/** The parameter $1 of statements that read: a home and an epoch in one number. */
export function stateOf(home: number, epoch: number): number {
  return home * 2 ** EPOCH_BITS + epoch;
}

/** The epoch of a state, as SQL. */
export const EPOCH_OF_STATE = `($1::int8 & ${STILL_VALID})`;

/** SQL that selects the rows of a table that are valid in the state $1. */
export function validIn(table: string): string {
  return `${table}.home = $1::int8 >> ${EPOCH_BITS} AND ${EPOCH_OF_STATE} BETWEEN ${table}.born AND ${table}.last`;
}

/** The same with the state written out, for statements without parameters. */
export function validInState(table: string, state: number): string {
  return validIn(table).replaceAll("$1", String(state));
}
