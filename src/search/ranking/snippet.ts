import { authorText } from "../../text/quoting/split-body.ts";
import { joinedAcrossLines } from "../../text/tokens/hyphenated-words.ts";
import { TokenScanner } from "../../text/tokens/tokens.ts";
import type { IndexedText } from "../indexing/search-source.ts";
import { literalStart, patternMatcher } from "../indexing/term-pattern.ts";

/** Maximum length of a snippet in characters, excluding marks. */
const SNIPPET_CHARACTERS = 180;
/** Maximum bytes of a body that are scanned: twenty results of very long messages must take less than a second. */
const SCANNED_BYTES = 131_072;
/** Maximum matches compared with each other; a longer body repeats itself. */
const MAX_MATCHES = 4096;
/** Bytes beyond the budget within which a cut moves to the next blank. */
const CUT_SLACK_BYTES = 24;

/**
 * Shared, since creating one costs more than decoding a snippet. A byte order mark inside a body does not begin a text.
 */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Maximum bytes of a body split into own text and quotations: a page has many snippets, and own text mostly comes
 * first.
 */
const OWN_TEXT_BYTES = 16_384;
const ENCODER = new TextEncoder();

/** Marks both sides of a match. */
export const MARK = "**";
const ELLIPSIS = "…";

/** Distinct tokens and patterns to highlight. */
export interface SnippetTerms {
  readonly tokens: readonly string[];
  readonly patterns: readonly string[];
}

/** Position of a query token in the body, in bytes. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Snippet of the author's own text if it contains a word of the query or the query has none; else of the whole body.
 * So quoted words never replace the author's own.
 */
export function renderAuthorSnippet(body: Uint8Array, terms: SnippetTerms): string {
  const own = ENCODER.encode(authorText(DECODER.decode(body.subarray(0, characterStart(body, OWN_TEXT_BYTES)))));
  const snippet = renderSnippet(own, terms);
  const hasWords = terms.tokens.length + terms.patterns.length > 0;
  return snippet === "" || (hasWords && !snippet.includes(MARK)) ? renderSnippet(body, terms) : snippet;
}

/**
 * Snippet of the first attachment with words of the query, after its name in brackets; null if there is none, or if
 * the message itself contains some. @param own snippet of the message
 */
export function renderFileSnippet(own: string, message: IndexedText, terms: SnippetTerms): string | null {
  if (terms.tokens.length + terms.patterns.length === 0 || own.includes(MARK)) return null;
  if (renderSnippet(message.subject(), terms).includes(MARK)) return null;
  for (const { name, text } of message.files()) {
    const snippet = renderSnippet(ENCODER.encode(text), terms);
    if (snippet.includes(MARK)) return `[${name.replaceAll("*", "∗")}] ${snippet}`;
  }
  return null;
}

/**
 * The part of a body with most distinct words of the query: about 180 characters on one line, matches between `**`.
 * Asterisks of the text become `∗`, so that marks are unambiguous. Without a match, the beginning of the body. Words
 * hyphenated at the end of a line are joined if nothing else matches.
 */
export function renderSnippet(body: Uint8Array, terms: SnippetTerms): string {
  const scanned = body.length > SCANNED_BYTES ? body.subarray(0, characterStart(body, SCANNED_BYTES)) : body;
  const snippet = renderWritten(scanned, terms);
  if (snippet.includes(MARK) || terms.tokens.length + terms.patterns.length === 0) return snippet;
  const joined = joinedAcrossLines(scanned);
  const whole = joined === null ? snippet : renderWritten(joined, terms);
  return whole.includes(MARK) ? whole : snippet;
}

function renderWritten(scanned: Uint8Array, terms: SnippetTerms): string {
  const budget = Math.round(SNIPPET_CHARACTERS * bytesPerCharacter(scanned));
  const matches = findMatches(scanned, terms, budget);
  const span = widen(scanned, bestCluster(matches, budget), budget);
  const inside = matches.filter((match) => match.start >= span.start && match.end <= span.end);
  let text = "";
  let at = span.start;
  for (const match of inside) {
    if (match.start < at) continue;
    text += plain(scanned, at, match.start) + MARK + plain(scanned, match.start, match.end) + MARK;
    at = match.end;
  }
  text += plain(scanned, at, span.end);
  const folded = text.replace(/\s+/gu, " ").trim();
  const before = isBlankUntil(scanned, 0, span.start) ? "" : ELLIPSIS;
  const after = span.end >= scanned.length || isBlankUntil(scanned, span.end, scanned.length) ? "" : ELLIPSIS;
  return folded === "" ? "" : before + folded + after;
}

/** Matches in order. Stops after the first stretch within the budget that contains every term, since none is better. */
function findMatches(body: Uint8Array, terms: SnippetTerms, budget: number): Match[] {
  const termOf = termNumbers(terms);
  const latest = new Float64Array(terms.tokens.length + terms.patterns.length).fill(Number.NEGATIVE_INFINITY);
  const scanner = new TokenScanner();
  const matches: Match[] = [];
  let end = Number.POSITIVE_INFINITY;
  scanner.reset(body);
  while (scanner.next() && scanner.start < end && matches.length < MAX_MATCHES) {
    const term = termOf(scanner);
    if (term < 0) continue;
    matches.push({ start: scanner.start, end: scanner.end, term });
    latest[term] = scanner.start;
    if (end === Number.POSITIVE_INFINITY && latest.every((start) => scanner.end - start <= budget))
      end = scanner.end + budget;
  }
  return matches;
}

/** Returns the number of the term that a token matches: tokens from 0, then patterns; -1 for none. */
function termNumbers(terms: SnippetTerms): (scanner: TokenScanner) => number {
  const numbers = new Map(terms.tokens.map((token, number) => [token, number]));
  const encoder = new TextEncoder();
  // Length and first byte exclude most tokens without decoding them.
  const begins = new Set(
    terms.tokens.map((token) => beginKey(encoder.encode(token)[0]!, encoder.encode(token).length)),
  );
  const patterns = terms.patterns.map((pattern) => ({
    start: encoder.encode(literalStart(pattern)),
    fits: patternMatcher(pattern),
  }));
  return (scanner) => {
    const number = begins.has(beginKey(scanner.bytes[0]!, scanner.length)) ? numbers.get(scanner.text()) : undefined;
    if (number !== undefined) return number;
    const pattern = patterns.findIndex(({ start, fits }) => startsWith(scanner, start) && fits(scanner.text()));
    return pattern < 0 ? -1 : terms.tokens.length + pattern;
  };
}

function beginKey(firstByte: number, length: number): number {
  return firstByte * 256 + length;
}

function startsWith(scanner: TokenScanner, prefix: Uint8Array): boolean {
  if (scanner.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (scanner.bytes[i] !== prefix[i]) return false;
  return true;
}

/** The range of matches within the budget with the most distinct terms, then the most matches; the first in a tie. */
function bestCluster(matches: readonly Match[], budget: number): Span {
  const counts = new Map<number, number>();
  let best: Span = { start: 0, end: 0 };
  let bestDistinct = 0;
  let bestCount = 0;
  let left = 0;
  for (let right = 0; right < matches.length; right++) {
    const { end, term } = matches[right]!;
    counts.set(term, (counts.get(term) ?? 0) + 1);
    while (left < right && end - matches[left]!.start > budget) {
      const gone = matches[left]!.term;
      const rest = (counts.get(gone) ?? 1) - 1;
      if (rest === 0) counts.delete(gone);
      else counts.set(gone, rest);
      left++;
    }
    const count = right - left + 1;
    if (counts.size > bestDistinct || (counts.size === bestDistinct && count > bestCount)) {
      bestDistinct = counts.size;
      bestCount = count;
      best = { start: matches[left]!.start, end };
    }
  }
  return best;
}

/** Extends a range to the budget, a third before it and the rest after it, and cuts at blanks if possible. */
function widen(body: Uint8Array, cluster: Span, budget: number): Span {
  const spare = Math.max(0, budget - (cluster.end - cluster.start));
  let start = Math.max(0, cluster.start - Math.floor(spare / 3));
  const end = Math.min(body.length, start + Math.max(budget, cluster.end - start));
  start = Math.max(0, Math.min(start, end - budget));
  if (start > cluster.start) start = cluster.start;
  return { start: cutAfterBlank(body, start, cluster.start), end: cutBeforeBlank(body, end, cluster.end) };
}

function isBlankByte(byte: number | undefined): boolean {
  return byte !== undefined && byte <= 0x20;
}

/** The first word that begins at or after `at`, within the slack and before `limit`; else a character boundary. */
function cutAfterBlank(body: Uint8Array, at: number, limit: number): number {
  if (at === 0 || isBlankByte(body[at - 1])) return at;
  for (let i = at; i < Math.min(at + CUT_SLACK_BYTES, limit); i++) if (isBlankByte(body[i])) return i + 1;
  return Math.min(limit, nextCharacter(body, at));
}

function cutBeforeBlank(body: Uint8Array, at: number, limit: number): number {
  if (at >= body.length || isBlankByte(body[at])) return at;
  for (let i = at - 1; i >= Math.max(at - CUT_SLACK_BYTES, limit); i--) if (isBlankByte(body[i])) return i;
  return Math.max(limit, characterStart(body, at));
}

/** Start of the UTF-8 character with byte `at`. */
function characterStart(body: Uint8Array, at: number): number {
  while (at > 0 && (body[at]! & 0xc0) === 0x80) at--;
  return at;
}

function nextCharacter(body: Uint8Array, at: number): number {
  while (at < body.length && (body[at]! & 0xc0) === 0x80) at++;
  return at;
}

/** Bytes a character takes on average in the first 4 KiB: 1 for English, 3 for Chinese. */
function bytesPerCharacter(body: Uint8Array): number {
  const sample = Math.min(body.length, 4096);
  let characters = 0;
  for (let i = 0; i < sample; i++) if ((body[i]! & 0xc0) !== 0x80) characters++;
  return characters === 0 ? 1 : sample / characters;
}

function isBlankUntil(body: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isBlankByte(body[i])) return false;
  return true;
}

/** Text of the bytes, with control characters as blanks and asterisks replaced by a character that is not a mark. */
function plain(body: Uint8Array, start: number, end: number): string {
  return DECODER.decode(body.subarray(start, end))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ")
    .replaceAll("*", "∗");
}
