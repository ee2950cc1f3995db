/** Lines that are looked at: what a text is shows early. */
const LOOKED_LINES = 200;
/** Share of lines with columns from which a text is a table. */
const TABLE_SHARE = 0.3;
/** Lines with columns that no letter has by chance. */
const MIN_TABLE_LINES = 4;

const PATCH_LINE = /^(?:diff --git |@@ -\d|\+\+\+ \S|Index: \S|--- a\/)/;
/** Two or more columns: blanks between words that no sentence has. */
const COLUMNS = /\S {3,}\S|\S\t+\S/;

/** True for patches, tables and listings: they lose their shape in a proportional font. */
export function isPreformatted(text: string): boolean {
  let [lines, columns, at] = [0, 0, 0];
  while (at < text.length && lines < LOOKED_LINES) {
    const next = text.indexOf("\n", at);
    const line = text.slice(at, next < 0 ? Math.min(text.length, at + 500) : Math.min(next, at + 500));
    at = next < 0 ? text.length : next + 1;
    if (line.trim() === "") continue;
    if (PATCH_LINE.test(line)) return true;
    lines++;
    if (COLUMNS.test(line)) columns++;
  }
  return columns >= MIN_TABLE_LINES && columns >= lines * TABLE_SHARE;
}
