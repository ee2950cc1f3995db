import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT } from "../mail/instant.ts";
import { tokensOf } from "../text/tokens.ts";
import { parseDateSpan } from "./query-dates.ts";
import type { SearchField } from "./search-field.ts";

/**
 * Characters of a query that are read; the rest is ignored. The HTTP surfaces allow 1,000, the command line what a
 * shell takes.
 */
export const MAX_QUERY_CHARACTERS = 4096;
/** Clauses of one query; further ones are ignored. Each costs a look into the index. */
export const MAX_CLAUSES = 100;

/** `+` and phrases require, `-` excludes, plain words only rank. */
export type Demand = "optional" | "required" | "excluded";

/** What an operator names: a field of the index, or what the columns and tables of the archive tell. */
export type QueriedField = SearchField | "topic" | "mailbox" | "id";

/** One part of a query. `tokens` are never empty, but those of an id. */
export type Clause =
  | { readonly kind: "words"; readonly demand: Demand; readonly tokens: readonly string[] }
  /** Tokens that must follow one another. */
  | { readonly kind: "phrase"; readonly demand: Exclude<Demand, "optional">; readonly tokens: readonly string[] }
  /** `tokens` hold the one prefix. */
  | { readonly kind: "prefix"; readonly demand: Demand; readonly tokens: readonly string[] }
  /** An operator: all tokens are in that field. `text` is the value as it was written. */
  | {
      readonly kind: "field";
      readonly demand: Exclude<Demand, "optional">;
      readonly field: QueriedField;
      readonly text: string;
      readonly tokens: readonly string[];
    };

export interface ParsedQuery {
  readonly clauses: readonly Clause[];
  /** Bounds of `after:` and `before:`, inclusive; the widest there are when the query names none. */
  readonly after: Instant;
  readonly before: Instant;
}

const FIELD_OF_OPERATOR: Readonly<Record<string, QueriedField>> = {
  from: "from",
  to: "to",
  cc: "cc",
  subject: "subject",
  filename: "filename",
  in: "mailbox",
  id: "id",
  has: "has",
  topic: "topic",
  kind: "kind",
  is: "kind",
};

/** Values of `has:`; any other is no operator. */
const HAS_VALUES: ReadonlySet<string> = new Set(["attachment", "attachments"]);

const DEMAND_OF_SIGN: Readonly<Record<string, Demand>> = { "+": "required", "-": "excluded" };

/** Scripts whose runs are indexed as bigrams: one character alone is the beginning of such a pair. */
const LONE_UNSPACED =
  /^[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]$/u;

/** A piece of the query between blanks, cut but not yet understood. */
interface Piece {
  readonly sign: string;
  /** Word before a colon, lower case; "" when there is none. */
  readonly operator: string;
  readonly value: string;
  readonly isQuoted: boolean;
  /** All of it as it was written. */
  readonly source: string;
}

/**
 * Understands a query: words, `"phrase"`, `+word`, `-word`, `prefix*` and the operators `from:` `to:` `cc:` `subject:`
 * `filename:` `in:` `id:` `has:attachment` `kind:` `is:` `topic:` `before:` `after:`, whose value may be quoted. What is
 * malformed is searched as plain words. Never throws.
 */
export function parseQuery(query: string): ParsedQuery {
  const clauses: Clause[] = [];
  let after: Instant = EARLIEST_INSTANT;
  let before: Instant = LATEST_INSTANT;
  for (const piece of cutPieces(query.slice(0, MAX_QUERY_CHARACTERS).replace(/[“”„‟]/g, '"'))) {
    if (clauses.length >= MAX_CLAUSES) break;
    const span = piece.operator === "after" || piece.operator === "before" ? parseDateSpan(piece.value) : null;
    if (span !== null && piece.sign !== "-") {
      if (piece.operator === "after") after = Math.max(after, span.first);
      else before = Math.min(before, span.last);
      continue;
    }
    const clause = fieldClause(piece) ?? textClause(piece);
    if (clause !== null) clauses.push(clause);
  }
  return { clauses, after, before };
}

function fieldClause(piece: Piece): Clause | null {
  const field = Object.hasOwn(FIELD_OF_OPERATOR, piece.operator) ? FIELD_OF_OPERATOR[piece.operator] : undefined;
  if (field === undefined) return null;
  if (field === "has" && !HAS_VALUES.has(piece.value.toLowerCase())) return null;
  const demand = piece.sign === "-" ? "excluded" : "required";
  if (field === "id") {
    const text = piece.value.replace(/^<(.*)>$/, "$1");
    return text === "" ? null : { kind: "field", demand, field, text, tokens: [] };
  }
  const tokens = fieldTokens(field, piece.value);
  if (tokens.length === 0) return null;
  return { kind: "field", demand, field, text: piece.value, tokens };
}

/** A kind is one word, however it is written: `meeting_request`, `meeting-request`, `"meeting request"`. */
function fieldTokens(field: QueriedField, value: string): readonly string[] {
  if (field === "has") return ["attachment"];
  const tokens = tokensOf(value);
  return field === "kind" && tokens.length > 0 ? [tokens.join("")] : tokens;
}

function textClause(piece: Piece): Clause | null {
  const isPlain = piece.operator === "";
  const demand = isPlain ? (DEMAND_OF_SIGN[piece.sign] ?? "optional") : "optional";
  const text = isPlain ? piece.value : piece.source;
  const tokens = tokensOf(text);
  const [first] = tokens;
  if (first === undefined) return null;
  if (isPlain && piece.isQuoted && tokens.length > 1) {
    return { kind: "phrase", demand: demand === "excluded" ? "excluded" : "required", tokens };
  }
  if (isPlain && piece.isQuoted)
    return { kind: "words", demand: demand === "excluded" ? "excluded" : "required", tokens };
  // `foo-bar` excluded must not exclude every message that holds both words somewhere.
  if (demand === "excluded" && tokens.length > 1) return { kind: "phrase", demand, tokens };
  const isPrefix = tokens.length === 1 && (text.endsWith("*") || LONE_UNSPACED.test(first));
  return { kind: isPrefix ? "prefix" : "words", demand, tokens };
}

function cutPieces(query: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < query.length) {
    if (isBlank(query.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    const sign = query[at] === "+" || query[at] === "-" ? query[at]! : "";
    at += sign.length;
    const operator = operatorAt(query, at);
    if (operator !== "") at += operator.length + 1;
    const closing = query[at] === '"' ? query.indexOf('"', at + 1) : -1;
    const end = closing >= 0 ? closing + 1 : endOfWord(query, at);
    const value = closing >= 0 ? query.slice(at + 1, closing) : query.slice(at, end);
    pieces.push({
      sign,
      operator: operator.toLowerCase(),
      value,
      isQuoted: closing >= 0,
      source: query.slice(start, end),
    });
    // An empty piece (a sign and nothing else) must still move on.
    at = Math.max(end, start + 1);
  }
  return pieces;
}

function isBlank(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000;
}

function endOfWord(query: string, from: number): number {
  let at = from;
  // A quote inside a word (`say"hello`) begins a piece of its own only after a blank.
  while (at < query.length && !isBlank(query.charCodeAt(at))) at++;
  return at;
}

/** Longest operator name in characters. */
const MAX_OPERATOR = 8;

/** The ASCII letters before a colon at `from`, when a value follows; "" otherwise. */
function operatorAt(query: string, from: number): string {
  let at = from;
  while (at < query.length && at - from <= MAX_OPERATOR && /[A-Za-z]/.test(query[at]!)) at++;
  if (at === from || query[at] !== ":" || at + 1 >= query.length || isBlank(query.charCodeAt(at + 1))) return "";
  return query.slice(from, at);
}
