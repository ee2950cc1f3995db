import type { Utf8Buffer } from "../../mail/utf8-buffer.ts";

/** A value of a CSV cell: text as a string or as UTF-8; null is an empty cell. */
export type CsvValue = string | number | Uint8Array | null;

/** First characters that make a spreadsheet run a cell as a formula (CWE-1236). */
const FORMULA_START = /^[=+\-@\t\r]/;
const FORMULA_BYTES: ReadonlySet<number | undefined> = new Set(Buffer.from("=+-@\t\r"));
/** Characters that need quotes (RFC 4180 section 2, rules 6 and 7). */
const NEEDS_QUOTES = /[",\r\n]/;
/** Either of the two: most cells have neither. */
const NEEDS_CARE = /^[=+\-@\t\r]|[",\r\n]/;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Writes one record with its line end CRLF (RFC 4180). Text that a spreadsheet would run as a formula gets a leading `'`. */
export function writeCsvRow(values: readonly CsvValue[], out: Utf8Buffer): void {
  let pending = "";
  let separator = "";
  for (const value of values) {
    pending += separator;
    separator = ",";
    if (value instanceof Uint8Array) {
      out.text(pending);
      writeUtf8Cell(value, out);
      pending = "";
    } else pending += csvCell(value);
  }
  out.text(`${pending}\r\n`);
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  if (!NEEDS_CARE.test(value)) return value;
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Bytes looked through and copied at a time: most stretches of this size hold no quote. */
const STRETCH_BYTES = 1 << 10;

function writeUtf8Cell(utf8: Uint8Array, out: Utf8Buffer): void {
  const isQuoted = needsQuotes(utf8);
  out.reserve(2);
  if (isQuoted) out.bytes[out.length++] = QUOTE;
  if (FORMULA_BYTES.has(utf8[0])) out.bytes[out.length++] = APOSTROPHE;
  if (!isQuoted) out.append(utf8);
  else for (let start = 0; start < utf8.length; start += STRETCH_BYTES) writeStretch(utf8.subarray(start, start + STRETCH_BYTES), out);
  out.reserve(1);
  if (isQuoted) out.bytes[out.length++] = QUOTE;
}

/** Most texts say so within their first line. */
function needsQuotes(utf8: Uint8Array): boolean {
  for (let index = 0; index < utf8.length; index += 1) {
    const byte = utf8[index] as number;
    if (byte <= COMMA && (byte === COMMA || byte === QUOTE || byte === LINE_FEED || byte === CARRIAGE_RETURN)) return true;
  }
  return false;
}

function writeStretch(utf8: Uint8Array, out: Utf8Buffer): void {
  if (utf8.includes(QUOTE)) writeQuoted(utf8, out);
  else out.append(utf8);
}

/** Quotes inside a quoted cell are doubled: room is made for twice the bytes, as every one may be a quote. */
function writeQuoted(utf8: Uint8Array, out: Utf8Buffer): void {
  out.reserve(utf8.length * 2);
  const { bytes } = out;
  let at = out.length;
  for (let index = 0; index < utf8.length; index += 1) {
    const byte = utf8[index] as number;
    bytes[at++] = byte;
    if (byte === QUOTE) bytes[at++] = QUOTE;
  }
  out.length = at;
}

/** Lists stand in one cell, joined by `; `. */
export function csvList(values: readonly string[]): string {
  return values.join("; ");
}
