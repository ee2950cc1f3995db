/**
 * What a row may hold. A blob is read as a Uint8Array of its own memory; with one of the drivers it is a Buffer as
 * well.
 */
export type SqlValue = string | number | null | Uint8Array;
