import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { APOSTROPHE, COMMA, CR, LF, QUOTE } from "../../mail/words/ascii.ts";

/** A value of a CSV cell: text as a string or as UTF-8; null is an empty cell. */
export type CsvValue = string | number | Uint8Array | null;

/**
 * First characters that make a spreadsheet run a cell as a formula (CWE-1236), after control characters are removed;
 * East Asian editions also accept the full-width forms.
 */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Maximum UTF-8 bytes of these. */
const FORMULA_BYTES = 3;
/** Characters that need quotes (RFC 4180 section 2, rules 6 and 7). */
const NEEDS_QUOTES = /[",\r\n]/;
/** Maximum characters of a spreadsheet cell (Excel, LibreOffice): longer text is dropped or split into cells. */
const CELL_CHARACTERS = 32_767;
/** End of a truncated cell. */
const CUT = " [cut]";
/** Byte order mark, without which spreadsheets use the code page of the system. */
export const BYTE_ORDER_MARK = "\ufeff";
/** C0 except tab and line ends, DEL and C1: a cell shown in a terminal or imported must not contain them. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Matches any of the three; most cells have none. */
const NEEDS_CARE = /^[=+\-@\t\uff1d\uff0b\uff0d\uff20]|[",\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;
/** First byte of C1 in UTF-8, and of the characters after them up to U+00BF. */
const LATIN_LEAD = 0xc2;
const FIRST_AFTER_C1 = 0xa0;

/** Bytes that are not copied unchanged: quotes, dropped ones, and possible control characters. */
const COPIED = 0;
const DOUBLED = 1;
const DROPPED = 2;
const LEAD = 3;
const CLASSES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return DOUBLED;
  if (byte === LATIN_LEAD) return LEAD;
  return byte < 0x80 && String.fromCharCode(byte).replace(CONTROL, "") === "" ? DROPPED : COPIED;
});

/**
 * Writes one record with CRLF (RFC 4180). A formula gets a leading `'`; text longer than a cell is truncated and ends
 * in `[cut]`.
 */
export function writeCsvRow(values: readonly CsvValue[], out: Utf8Buffer): void {
  let pending = "";
  let separator = "";
  for (const value of values) {
    pending += separator;
    separator = ",";
    if (value instanceof Uint8Array) {
      out.text(pending);
      pending = "";
      if (value.length < CELL_CHARACTERS) writeUtf8Cell(value, out);
      else pending = csvCell(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString());
    } else pending += csvCell(value);
  }
  out.text(`${pending}\r\n`);
}

function csvCell(whole: string | number | null): string {
  if (whole === null) return "";
  if (typeof whole === "number") return String(whole);
  const value = cellText(whole);
  if (!NEEDS_CARE.test(value)) return value;
  const clean = value.replace(CONTROL, "");
  const text = FORMULA_START.test(clean) ? `'${clean}` : clean;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cellText(text: string): string {
  if (text.length < CELL_CHARACTERS) return text;
  // One unit less than the maximum, because a formula gets a leading apostrophe.
  return text.slice(0, CELL_CHARACTERS - CUT.length - 1).toWellFormed() + CUT;
}

/** Bytes scanned and copied at a time: most ranges of this size contain no quote. */
const STRETCH_BYTES = 1 << 10;

function writeUtf8Cell(utf8: Uint8Array, out: Utf8Buffer): void {
  const isQuoted = needsQuotes(utf8);
  out.reserve(2);
  if (isQuoted) out.bytes[out.length++] = QUOTE;
  if (beginsFormula(utf8)) out.bytes[out.length++] = APOSTROPHE;
  for (let start = 0; start < utf8.length; ) {
    // Never splits a two-byte character.
    const end = start + STRETCH_BYTES + (utf8[start + STRETCH_BYTES - 1] === LATIN_LEAD ? 1 : 0);
    writeStretch(utf8.subarray(start, end), out);
    start = end;
  }
  out.reserve(1);
  if (isQuoted) out.bytes[out.length++] = QUOTE;
}

/** Most texts need quotes within their first line. */
function needsQuotes(utf8: Uint8Array): boolean {
  for (let index = 0; index < utf8.length; index++) {
    const byte = utf8[index]!;
    if (byte <= COMMA && (byte === COMMA || byte === QUOTE || byte === LF || byte === CR)) return true;
  }
  return false;
}

/** True if a spreadsheet would run the text, ignoring leading control characters. */
function beginsFormula(utf8: Uint8Array): boolean {
  let at = 0;
  for (let length = controlAt(utf8, at); length > 0; length = controlAt(utf8, at)) at += length;
  const first = utf8[at]!;
  // Most texts begin with an ASCII letter or digit.
  if (first > COMMA + 1 && first < 0x80 && first !== 0x3d && first !== 0x40) return false;
  return FORMULA_START.test(Buffer.from(utf8.subarray(at, at + FORMULA_BYTES)).toString());
}

/** Length in bytes of a control character to drop at this position; 0 for any other character. */
function controlAt(utf8: Uint8Array, at: number): number {
  const kind = CLASSES[utf8[at]!];
  if (kind === DROPPED) return 1;
  return kind === LEAD && utf8[at + 1]! < FIRST_AFTER_C1 ? 2 : 0;
}

function writeStretch(utf8: Uint8Array, out: Utf8Buffer): void {
  for (let index = 0; index < utf8.length; index++) {
    if (CLASSES[utf8[index]!] === COPIED) continue;
    writeCleaned(utf8, out);
    return;
  }
  out.append(utf8);
}

/** Quotes are doubled, and only occur in quoted cells; control characters are dropped. Reserves twice the bytes. */
function writeCleaned(utf8: Uint8Array, out: Utf8Buffer): void {
  out.reserve(utf8.length * 2);
  const { bytes } = out;
  let at = out.length;
  for (let index = 0; index < utf8.length; index++) {
    const byte = utf8[index]!;
    if (CLASSES[byte] !== COPIED) {
      const control = controlAt(utf8, index);
      if (control > 0) {
        index += control - 1;
        continue;
      }
      if (byte === QUOTE) bytes[at++] = QUOTE;
    }
    bytes[at++] = byte;
  }
  out.length = at;
}

/** Joins a list with `; ` in one cell. */
export function csvList(values: readonly string[]): string {
  return values.join("; ");
}
