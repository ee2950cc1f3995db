import { isAscii } from "node:buffer";
import { authorText } from "../../text/quoting/split-body.ts";
import { joinedAcrossLines } from "../../text/tokens/hyphenated-words.ts";
import { MAX_TOKEN_BYTES, TokenScanner } from "../../text/tokens/tokens.ts";
import type { IndexedFile, IndexedText } from "../indexing/search-source.ts";
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
/** Control characters count as blanks. */
const BLANKS = /[\s\u0000-\u001f\u007f-\u009f]+/g;

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

/** Cuts snippets from the texts of the results of one query. */
export class SnippetRenderer {
  private readonly termCount: number;
  private readonly inAscii: MatchFinder<string> | null;
  private readonly inAny: MatchFinder<Uint8Array>;

  constructor(terms: SnippetTerms) {
    this.termCount = terms.tokens.length + terms.patterns.length;
    this.inAny = tokenMatches(terms);
    this.inAscii = asciiMatches(terms);
  }

  /**
   * Snippet of the author's own text if it contains a word of the query or the query has none; else of the whole body.
   * So quoted words never replace the author's own.
   */
  renderAuthor(body: Uint8Array): string {
    const head = textOf(body.subarray(0, characterStart(body, OWN_TEXT_BYTES)));
    const own = authorText(head.ascii ?? DECODER.decode(head.utf8));
    const ofOwn = head.ascii === null ? textOf(Buffer.from(own)) : { utf8: Buffer.from(own, "latin1"), ascii: own };
    const snippet = this.renderText(ofOwn);
    if (snippet !== "" && (this.termCount === 0 || snippet.includes(MARK))) return snippet;
    return head.utf8.length === body.length ? this.renderText(head) : this.render(body);
  }

  /** True if the message itself has words of the query, or the query has none. @param own snippet of the message */
  isMarked(own: string, message: IndexedText): boolean {
    return this.termCount === 0 || own.includes(MARK) || this.render(message.subject()).includes(MARK);
  }

  /** Snippet of the first attachment with words of the query, after its name in brackets; null if none has any. */
  renderFile(files: readonly IndexedFile[]): string | null {
    for (const { name, text } of files) {
      const snippet = this.render(Buffer.from(text));
      if (snippet.includes(MARK)) return `[${name.replaceAll("*", "∗")}] ${snippet}`;
    }
    return null;
  }

  /**
   * The part of a body with most distinct words of the query: about 180 characters on one line, matches between `**`.
   * Asterisks of the text become `∗`, so that marks are unambiguous. Without a match, the beginning of the body. Words
   * hyphenated at the end of a line are joined if nothing else matches.
   */
  render(body: Uint8Array): string {
    const isLong = body.length > SCANNED_BYTES;
    return this.renderText(textOf(isLong ? body.subarray(0, characterStart(body, SCANNED_BYTES)) : body));
  }

  private renderText(text: Text): string {
    const snippet = this.renderWritten(text);
    if (snippet.includes(MARK) || this.termCount === 0) return snippet;
    const joined = joinedAcrossLines(text.utf8);
    const whole = joined === null ? snippet : this.renderWritten(textOf(joined));
    return whole.includes(MARK) ? whole : snippet;
  }

  private renderWritten(written: Text): string {
    const { utf8 } = written;
    const budget = Math.round(SNIPPET_CHARACTERS * bytesPerCharacter(written));
    const matches = this.findMatches(written, budget);
    const span = widen(utf8, bestCluster(matches, budget), budget);
    let text = "";
    let at = span.start;
    for (const match of matches) {
      if (match.start < at || match.end > span.end) continue;
      text += unmarked(written, at, match.start) + MARK + unmarked(written, match.start, match.end) + MARK;
      at = match.end;
    }
    text += unmarked(written, at, span.end);
    const folded = text.replace(BLANKS, " ").trim();
    const before = isBlankUntil(utf8, 0, span.start) ? "" : ELLIPSIS;
    const after = span.end >= utf8.length || isBlankUntil(utf8, span.end, utf8.length) ? "" : ELLIPSIS;
    return folded === "" ? "" : before + folded + after;
  }

  /** Matches in order. Stops after the first stretch within the budget that contains every term, since none is better. */
  private findMatches({ utf8, ascii }: Text, budget: number): Match[] {
    const latest = new Float64Array(this.termCount).fill(Number.NEGATIVE_INFINITY);
    const matches: Match[] = [];
    let last = Number.POSITIVE_INFINITY;
    const add = (start: number, end: number, term: number): boolean => {
      if (start >= last) return false;
      matches.push({ start, end, term });
      latest[term] = start;
      if (last === Number.POSITIVE_INFINITY && latest.every((first) => end - first <= budget)) last = end + budget;
      return matches.length < MAX_MATCHES;
    };
    if (ascii !== null && this.inAscii !== null) this.inAscii(ascii, add);
    else this.inAny(utf8, add);
    return matches;
  }
}

/** Text in UTF-8, also as a string if it is ASCII, as most mail is. */
interface Text {
  readonly utf8: Uint8Array;
  readonly ascii: string | null;
}

function textOf(utf8: Uint8Array): Text {
  if (!isAscii(utf8)) return { utf8, ascii: null };
  return { utf8, ascii: Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString("latin1") };
}

/** Calls `add` for each word that matches a term, in order, until it returns false. */
type MatchFinder<T> = (text: T, add: (start: number, end: number, term: number) => boolean) => void;

/** Returns the number of the term that a token matches: tokens from 0, then patterns; -1 for none. */
function termNumbers({ tokens, patterns }: SnippetTerms): (token: string) => number {
  const numbers = new Map(tokens.map((token, number) => [token, number]));
  const tests = patterns.map(patternMatcher);
  return (token) => {
    const number = numbers.get(token) ?? -1;
    if (number >= 0 || tests.length === 0) return number;
    const pattern = tests.findIndex((fits) => fits(token));
    return pattern < 0 ? -1 : tokens.length + pattern;
  };
}

function tokenMatches(terms: SnippetTerms): MatchFinder<Uint8Array> {
  const termOf = termNumbers(terms);
  // Length and first byte, or the first bytes, exclude most tokens without decoding them.
  const begins = new Set(terms.tokens.map((token) => beginKey(Buffer.from(token)[0]!, Buffer.byteLength(token))));
  const starts = terms.patterns.map((pattern) => Buffer.from(literalStart(pattern)));
  const scanner = new TokenScanner();
  return (utf8, add) => {
    scanner.reset(utf8);
    while (scanner.next()) {
      const isCandidate =
        begins.has(beginKey(scanner.bytes[0]!, scanner.length)) || starts.some((start) => startsWith(scanner, start));
      const term = isCandidate ? termOf(scanner.text()) : -1;
      if (term >= 0 && !add(scanner.start, scanner.end, term)) return;
    }
  };
}

/** Terms above which alternatives are slower than the tokenizer. */
const MAX_ALTERNATIVES = 16;
const IS_ASCII_TOKEN = /^[a-z0-9]+$/;

/** The same in ASCII, five times faster; null for terms that need the tokenizer. */
function asciiMatches(terms: SnippetTerms): MatchFinder<string> | null {
  const starts = terms.patterns.map(literalStart);
  const words = [...terms.tokens, ...starts];
  if (words.length > MAX_ALTERNATIVES || words.some((word) => word === "" || word.length >= MAX_TOKEN_BYTES))
    return null;
  const alternatives = [
    ...terms.tokens.filter((token) => IS_ASCII_TOKEN.test(token)),
    ...starts.filter((start) => IS_ASCII_TOKEN.test(start)).map((start) => `${start}[a-z0-9]*`),
  ];
  if (alternatives.length === 0) return () => {};
  const termOf = termNumbers(terms);
  const finder = new RegExp(`(?<![a-z0-9])(?:${alternatives.join("|")})(?![a-z0-9])`, "gi");
  return (ascii, add) => {
    finder.lastIndex = 0;
    for (let match = finder.exec(ascii); match !== null; match = finder.exec(ascii)) {
      const [word] = match;
      const term = termOf(word.slice(0, MAX_TOKEN_BYTES).toLowerCase());
      if (term >= 0 && !add(match.index, match.index + word.length, term)) return;
    }
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
function bytesPerCharacter({ utf8, ascii }: Text): number {
  if (ascii !== null) return 1;
  const sample = Math.min(utf8.length, 4096);
  let characters = 0;
  for (let i = 0; i < sample; i++) if ((utf8[i]! & 0xc0) !== 0x80) characters++;
  return characters === 0 ? 1 : sample / characters;
}

function isBlankUntil(body: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isBlankByte(body[i])) return false;
  return true;
}

/** Part of a text, with asterisks replaced by a character that is not a mark. */
function unmarked({ utf8, ascii }: Text, start: number, end: number): string {
  const part = ascii === null ? DECODER.decode(utf8.subarray(start, end)) : ascii.slice(start, end);
  return part.replaceAll("*", "∗");
}
