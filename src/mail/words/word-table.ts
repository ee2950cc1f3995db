/** The words of a list that is written as text: a blank between two. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** The row of each word, where rows are lists of words: what is written by meaning is looked up by word. */
export function rowOfWord<Row extends string>(rows: Readonly<Record<Row, string>>): ReadonlyMap<string, Row> {
  return new Map(
    (Object.entries(rows) as [Row, string][]).flatMap(([row, list]) => list.split(" ").map((word) => [word, row])),
  );
}
