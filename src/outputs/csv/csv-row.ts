/** A value of a CSV cell; null is an empty cell. */
export type CsvValue = string | number | null;

/** First characters that make a spreadsheet run a cell as a formula (CWE-1236). */
const FORMULA_START = /^[=+\-@\t\r]/;
/** Characters that need quotes (RFC 4180 section 2, rules 6 and 7). */
const NEEDS_QUOTES = /[",\r\n]/;

/** One record with its line end CRLF (RFC 4180). Text that a spreadsheet would run as a formula gets a leading `'`. */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lists stand in one cell, joined by `; `. */
export function csvList(values: readonly string[]): string {
  return values.join("; ");
}
