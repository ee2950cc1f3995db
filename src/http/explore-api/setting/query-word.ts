/** The word at the cursor in a query. */
export interface QueryWord {
  /** Its position in the query, which a suggestion replaces. */
  readonly start: number;
  readonly end: number;
  /** `-` or `+` before it, or nothing. */
  readonly sign: string;
  /** In lower case, or "". */
  readonly operator: string;
  /** Its value so far, without quotes. */
  readonly text: string;
}

/** Blanks and parentheses end a word, except inside quotes. */
const ENDS = /[\s()]/;

/** Returns the word around an offset of a query, parsed from its start: a quote opens and closes anywhere. */
export function wordAt(query: string, at: number): QueryWord {
  let start = 0;
  let isQuoted = false;
  for (let place = 0; place < at; place++) {
    if (query[place] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && ENDS.test(query[place]!)) start = place + 1;
  }
  let end = at;
  for (; end < query.length && (isQuoted || !ENDS.test(query[end]!)); end++) if (query[end] === '"') isQuoted = false;
  const written = query.slice(start, at);
  const sign = /^[+-]/.exec(written)?.[0] ?? "";
  const colon = /^[a-z]{1,20}:/i.exec(written.slice(sign.length));
  const operator = colon === null ? "" : colon[0].slice(0, -1).toLowerCase();
  const text = written.slice(sign.length + (colon?.[0].length ?? 0)).replaceAll('"', "");
  return { start, end, sign, operator, text };
}
