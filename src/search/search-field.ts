/** A part of a message that an operator of the query language looks into. */
export type SearchField = "from" | "to" | "cc" | "subject" | "filename" | "mailbox" | "has";

/**
 * What stands before the token of a field in the index. No token of a text begins with a colon, so field terms and words never
 * meet, neither exactly nor under a prefix.
 */
const FIELD_MARK: Readonly<Record<SearchField, string>> = {
  from: ":f",
  to: ":t",
  cc: ":c",
  subject: ":s",
  filename: ":n",
  mailbox: ":i",
  has: ":h",
};

/** Longest mark in bytes. */
export const FIELD_MARK_BYTES = 2;

/** The index term of a token in a field. */
export function fieldTerm(field: SearchField, token: string): string {
  return FIELD_MARK[field] + token;
}

const MARK_BYTES = Object.fromEntries(
  Object.entries(FIELD_MARK).map(([field, mark]) => [field, new TextEncoder().encode(mark)]),
) as Readonly<Record<SearchField, Uint8Array>>;

/** The mark of a field as bytes. */
export function fieldMark(field: SearchField): Uint8Array {
  return MARK_BYTES[field];
}
