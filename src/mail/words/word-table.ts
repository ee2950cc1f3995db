/** The words of a list written as text, separated by blanks. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Inverts a table of words by meaning. */
export function rowOfWord<Row extends string>(rows: Readonly<Record<Row, string>>): ReadonlyMap<string, Row> {
  return new Map(
    (Object.entries(rows) as [Row, string][]).flatMap(([row, list]) => list.split(" ").map((word) => [word, row])),
  );
}
