/** A value of a row. A blob is read as a Uint8Array with its own memory; with one driver it is also a Buffer. */
export type SqlValue = string | number | null | Uint8Array;
