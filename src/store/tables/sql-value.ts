/** A value of a row. A blob is read as a Uint8Array with its own memory; one driver returns a Buffer. */
export type SqlValue = string | number | null | Uint8Array;
