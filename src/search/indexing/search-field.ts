/** A field of a message that an operator of the query language looks up in the index. */
export type SearchField = "from" | "to" | "cc" | "subject" | "filename" | "has" | "kind" | "attachment";

/** Fields of several values, which no phrase crosses: people as `Name <address>`, and names of files. */
export type ValueField = Extract<SearchField, "from" | "to" | "cc" | "filename">;

/**
 * Prefix of the tokens of a field in the index. Tokens of texts never begin with a colon, so field terms and words
 * cannot collide.
 */
const FIELD_MARK: Readonly<Record<SearchField, string>> = {
  from: ":f",
  to: ":t",
  cc: ":c",
  subject: ":s",
  filename: ":n",
  has: ":h",
  kind: ":k",
  attachment: ":a",
};

/** The index term of a token in a field. */
export function fieldTerm(field: SearchField, token: string): string {
  return FIELD_MARK[field] + token;
}

/** The bytes of a mark in the upper half of a 32-bit word, the first one highest. */
export function fieldMark(field: SearchField): number {
  const mark = FIELD_MARK[field];
  return (mark.charCodeAt(0) << 24) | (mark.charCodeAt(1) << 16);
}
