import { decodeCharset } from "../../charset/decode-charset.ts";
import { StringBuilder } from "../../mail/words/text-pieces.ts";
import { trimBytes } from "./byte-text.ts";
import { decodeHeaderText, decodeRawText } from "./encoded-words.ts";
import { withShieldedTrails } from "./trail-bytes.ts";

/** A structured field of the form `value; name=value` (RFC 2045 section 5.1, RFC 2183). */
export interface ParameterizedField {
  /** The part before the parameters, without comments and blanks, in lower case. */
  readonly value: string;
  /**
   * Decoded parameters by lower-case name (RFC 2231, and RFC 2047 words that do not belong here but are everywhere).
   */
  readonly parameters: ReadonlyMap<string, string>;
}

interface RawParameter {
  readonly name: string;
  /** One character per byte. */
  readonly value: string;
}

/** Maximum parameters read of a field; more are an attack. */
const MAX_PARAMETERS = 1000;

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/**
 * Parses a Content-Type or Content-Disposition body, unfolded, with one character per byte. `charset` is used for raw
 * 8-bit values that are not UTF-8; null if unknown.
 */
export function readParameterizedField(written: string, charset: string | null = null): ParameterizedField {
  const field = withShieldedTrails(written.startsWith("=?") ? withoutWords(written) : written, charset);
  const semicolon = field.indexOf(";");
  if (semicolon < 0 && !field.includes("=")) return { value: mainValue(field), parameters: NO_PARAMETERS };
  const text = field.includes("(") ? withoutComments(field) : field;
  const end = endOfMainValue(text);
  return { value: mainValue(text.slice(0, end)), parameters: combine(readRawParameters(text, end), charset) };
}

/** Some programs encode the whole field as words, with its parameters. */
function withoutWords(field: string): string {
  const decoded = decodeHeaderText(field);
  return decoded.includes(";") ? Buffer.from(decoded, "utf8").toString("latin1") : field;
}

/** `text/plain`, `attachment`: a value that is already in its final form. */
const PLAIN_VALUE = /^[a-z]{1,20}(?:\/[a-z][a-z\d.+-]{0,80})?$/;

function mainValue(text: string): string {
  if (PLAIN_VALUE.test(text)) return text;
  const plain = (text.includes("(") ? withoutComments(text) : text).replace(/[\t-\r "]|[,:]$/g, "");
  // Decodes before changing case: the lower case of a latin1 character is another byte.
  const value = decodeRawText(plain).toLowerCase();
  return value.endsWith("/") ? value.slice(0, -1) : value;
}

/** Parameters may follow without the first ";" (`text/plain charset=x`): the value then ends at the first blank. */
function endOfMainValue(text: string): number {
  const semicolon = text.indexOf(";");
  const main = semicolon < 0 ? text : text.slice(0, semicolon);
  const equals = main.indexOf("=");
  if (equals < 0) return main.length;
  // A parameter without a value before it: `filename=plan.pdf`.
  if (/^[\w*-]{1,60}$/.test(main.slice(0, equals).trim())) return 0;
  const blank = main.trimStart().search(/[\t-\r ,]/);
  return blank < 0 ? main.length : blank + (main.length - main.trimStart().length);
}

/**
 * Removes comments (RFC 5322 3.2.2) outside quotes; an unclosed one is kept. So are parentheses inside the value of a
 * parameter (`filename=report(1).pdf`).
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: quotes, comments and escapes depend on each other: one pass
export function withoutComments(text: string): string {
  const rest = new StringBuilder();
  let kept = 0;
  let depth = 0;
  let opened = 0;
  let isQuoted = false;
  let isInValue = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22 && depth === 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (depth === 0 && (code === 0x3d || code === 0x3b))
      isInValue = code === 0x3d && text.charCodeAt(at + 1) > 0x20;
    else if (code === 0x28) {
      if (depth === 0) opened = at;
      depth++;
    } else if (code === 0x29 && depth > 0) {
      depth--;
      if (depth === 0 && !(isInValue && isInsideWords(text, opened, at))) {
        rest.add(text.slice(kept, opened));
        rest.add(" ");
        kept = at + 1;
      }
    }
  }
  rest.add(text.slice(kept));
  return rest.toString();
}

/** True for parentheses that touch a character before or after them, and are not at the end of the value. */
function isInsideWords(text: string, open: number, close: number): boolean {
  let next = close + 1;
  while (text.charCodeAt(next) <= 0x20) next++;
  if (next >= text.length || text.charCodeAt(next) === 0x3b) return false;
  return next === close + 1 || text.charCodeAt(open - 1) > 0x20;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a parameter may have lost its name, its sign or its value: each with where reading goes on
function readRawParameters(text: string, from: number): readonly RawParameter[] {
  const parameters: RawParameter[] = [];
  let at = from;
  while (at < text.length && parameters.length < MAX_PARAMETERS) {
    const code = text.charCodeAt(at);
    if (code === 0x3b || code === 0x2c || code <= 0x20) {
      at++;
      continue;
    }
    const nameEnd = endOfName(text, at);
    if (text.charCodeAt(nameEnd) !== 0x3d && text.charCodeAt(nameEnd) !== 0x3a) {
      at = nameEnd + 1;
      continue;
    }
    const name = decodeRawText(trimBytes(text.slice(at, nameEnd))).toLowerCase();
    let valueStart = nameEnd + 1;
    while (valueStart < text.length && text.charCodeAt(valueStart) <= 0x20) valueStart++;
    const isQuoted = text.charCodeAt(valueStart) === 0x22;
    const end = isQuoted ? endOfQuoted(text, valueStart) : endOfToken(text, valueStart);
    const value = isQuoted
      ? unquoted(text, valueStart, end)
      : withoutSingleQuotes(trimBytes(text.slice(valueStart, end)));
    if (name !== "" && value !== "") parameters.push({ name, value });
    at = end;
  }
  return parameters;
}

/** `filename='my plan.pdf'`: quotes that mail does not define. */
const SINGLE_QUOTES = /^'([^']+)'$/;

function withoutSingleQuotes(value: string): string {
  return value.startsWith("'") ? value.replace(SINGLE_QUOTES, "$1") : value;
}

/** Offset of the "=", or of the ":" that some programs write instead. */
function endOfName(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x3d || code === 0x3b || code === 0x3a) return at;
    at++;
  }
  return at;
}

/** Offset after the closing quote; if it is missing, the end of the text or the next parameter. */
function endOfQuoted(text: string, open: number): number {
  let next = -1;
  let at = open + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at + 1;
    else if (code === 0x3b && next < 0 && isParameterStart(text, at + (text.charCodeAt(at + 1) === 0x20 ? 2 : 1)))
      next = at;
    at++;
  }
  return next < 0 ? text.length : next;
}

function unquoted(text: string, open: number, end: number): string {
  const isClosed = end - 1 > open && text.charCodeAt(end - 1) === 0x22;
  const inner = text.slice(open + 1, isClosed ? end - 1 : end);
  return inner.includes("\\") ? withoutEscapes(inner) : inner;
}

/** Windows writers put bare backslashes of a path into quotes; only an escaped quote or backslash is an escape. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(["\\'])/g, "$1");
}

/** An unquoted value may contain blanks (`filename=my file.doc`), and ends where `;` or another `name=` begins. */
function endOfToken(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x3b) return at;
    if (code <= 0x20 && isParameterStart(text, at + 1)) return at;
    at++;
  }
  return at;
}

/** Maximum length of parameter names, so that a value with many blanks is not read again for each. */
const MAX_NAME_LENGTH = 40;

function isParameterStart(text: string, from: number): boolean {
  let at = from;
  const limit = Math.min(text.length, from + MAX_NAME_LENGTH);
  while (at < limit) {
    const code = text.charCodeAt(at);
    const isNameCharacter =
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2d ||
      code === 0x2a;
    if (!isNameCharacter) break;
    at++;
  }
  if (at === from || at === text.length) return false;
  return text.charCodeAt(at) === 0x3d || (text.charCodeAt(at) === 0x3a && isEncodingName(text.slice(from, at)));
}

/** The name of the field that some programs write on the line of the type. */
function isEncodingName(name: string): boolean {
  return name.length === ENCODING_FIELD.length && name.toLowerCase() === ENCODING_FIELD;
}

export const ENCODING_FIELD = "content-transfer-encoding";

/** Begins an extended value; some programs write one without the `*` after the name. */
const CHARSET_MARK =
  /^(?:utf-?8|us-ascii|iso-[\w-]{1,20}|windows-\w{1,10}|gb\w{1,10}|big5|koi8-\w|shift_jis)'[\w-]{0,20}'/i;

interface Section {
  readonly order: number;
  readonly isExtended: boolean;
  readonly value: string;
}

/**
 * Joins continuations and decodes (RFC 2231 sections 3 and 4). The first of two plain parameters of one name wins; an
 * extended one beats a plain one.
 */
function combine(raw: readonly RawParameter[], charset: string | null): ReadonlyMap<string, string> {
  const decoded = new Map<string, string>();
  let sections: Map<string, Section[]> | null = null;
  for (const { name, value } of raw) {
    const star = name.indexOf("*");
    if (star === 0) continue;
    if (star < 0) {
      if (!decoded.has(name)) decoded.set(name, plainValue(value, charset));
      continue;
    }
    const base = name.slice(0, star).trim();
    const section = sectionOf(name.slice(star + 1).trim(), value);
    sections ??= new Map();
    const known = sections.get(base);
    if (known === undefined) sections.set(base, [section]);
    else known.push(section);
  }
  if (sections !== null) for (const [name, parts] of sections) decoded.set(name, joinSections(parts));
  return decoded;
}

/** @param suffix of the name, after its first star */
function sectionOf(suffix: string, value: string): Section {
  return { order: Number.parseInt(suffix, 10) || 0, isExtended: suffix === "" || suffix.endsWith("*"), value };
}

function plainValue(value: string, charset: string | null): string {
  const isExtended = value.includes("%") && CHARSET_MARK.test(value);
  return isExtended ? joinSections([{ order: 0, isExtended, value }]) : decodeHeaderText(value, charset);
}

/**
 * Sections in order; runs of extended ones are percent-decoded and joined as bytes, since characters may be split
 * between them.
 */
function joinSections(parts: Section[]): string {
  parts.sort((one, other) => one.order - other.order);
  const first = parts[0]!;
  const marks = first.isExtended ? first.value.split("'", 3) : [];
  const isMarked = marks.length === 3;
  const charset = isMarked ? marks[0]! : null;
  const bytes: Buffer[] = [];
  for (const part of parts) {
    const isFirst = part === first;
    const value = isFirst && isMarked ? part.value.slice(marks[0]!.length + marks[1]!.length + 2) : part.value;
    bytes.push(
      part.isExtended ? percentDecoded(repeatedMark(value, isFirst ? null : charset)) : Buffer.from(value, "latin1"),
    );
  }
  const decoded = decodeCharset(Buffer.concat(bytes), charset === "" ? null : charset);
  // Quotes after the mark of the charset.
  const text = decoded.startsWith('"') ? decoded.replace(/^"([^"]+)"$/, "$1") : decoded;
  return text.includes("=?") ? decodeHeaderText(Buffer.from(text).toString("latin1")) : text;
}

/** Some writers repeat `charset'` before every section. */
function repeatedMark(value: string, charset: string | null): string {
  if (charset === null || charset === "" || !value.toLowerCase().startsWith(`${charset.toLowerCase()}'`)) return value;
  const rest = value.slice(charset.length + 1);
  const second = rest.indexOf("'");
  return second >= 0 && second <= 5 ? rest.slice(second + 1) : rest;
}

function percentDecoded(text: string): Buffer {
  const output = Buffer.allocUnsafe(text.length);
  let written = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const escaped = code === 0x25 ? hexPair(text, at + 1) : -1;
    output[written++] = escaped < 0 ? code : escaped;
    if (escaped >= 0) at += 2;
  }
  return output.subarray(0, written);
}

function hexPair(text: string, at: number): number {
  const pair = text.slice(at, at + 2);
  return /^[0-9a-fA-F]{2}$/.test(pair) ? Number.parseInt(pair, 16) : -1;
}
