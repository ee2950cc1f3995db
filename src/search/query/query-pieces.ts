/** A piece of a query, split but not yet interpreted. Positions are offsets into the query. */
export interface Piece {
  /**
   * `open` begins a group in parentheses, `close` ends it; `or` and `and` join their neighbors, `not` excludes the
   * next.
   */
  readonly kind: "text" | "open" | "close" | "or" | "and" | "not" | "near";
  /** `+`, `-` or "". */
  readonly sign: string;
  /** Word before a colon, in lower case; "" if there is none. */
  readonly operator: string;
  readonly value: string;
  readonly isQuoted: boolean;
  /** Maximum other words between those of the piece, in any order; null if they must be adjacent. */
  readonly distance: number | null;
  /** The words and phrases that a `w/10` joined; empty otherwise. */
  readonly members: readonly string[];
  /** The original text, including the sign. */
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum depth of groups; deeper parentheses count as blanks. Nobody writes that many by hand. */
export const MAX_DEPTH = 16;

/** Longest operator name in characters. */
const MAX_OPERATOR = 10;

/**
 * Splits a query at blanks, quotes and parentheses. A parenthesis opens a group at the start of a piece or after an
 * operator, and closes an open one; elsewhere it is part of its word.
 * @param isOperator true if a word before a colon is an operator; after other words, a parenthesis opens nothing.
 */
export function cutPieces(query: string, isOperator: (name: string) => boolean): Piece[] {
  const pieces: Piece[] = [];
  let depth = 0;
  let at = 0;
  while (at < query.length) {
    if (isBlank(query.charCodeAt(at))) {
      at++;
      continue;
    }
    const piece = pieceAt(query, at, { isOperator, isInside: depth > 0 });
    const step = DEPTH_STEP[piece.kind];
    if (step === 0 || Math.max(depth, depth + step) <= MAX_DEPTH) pieces.push(piece);
    depth += step;
    at = piece.end;
  }
  return pieces;
}

/** Change of nesting depth after a piece. */
const DEPTH_STEP: Readonly<Record<Piece["kind"], number>> = {
  open: 1,
  close: -1,
  text: 0,
  or: 0,
  and: 0,
  not: 0,
  near: 0,
};

/** Words in capitals that combine others. */
const JOINING_WORDS = { OR: "or", AND: "and", NOT: "not" } as const;

const EMPTY = { sign: "", operator: "", value: "", isQuoted: false, distance: null, members: [], written: "" } as const;

/** `w/10`, `NEAR/10`, or `NEAR`, which allows ten words between. */
const NEAR = /^(?:w|W|NEAR)\/\d{1,9}$|^NEAR$/;
const DEFAULT_DISTANCE = 10;

/** Joins the words on both sides of a `w/10` to one piece. */
export function withDistances(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const [piece, next] = [pieces[at]!, pieces[at + 1]];
    const last = joined.at(-1);
    if (piece.kind !== "near" || !isPlainText(last) || !isPlainText(next) || next.sign !== "") joined.push(piece);
    else {
      const limit = /\d+/.exec(piece.written)?.[0];
      joined[joined.length - 1] = {
        ...last,
        value: `${last.value} ${next.value}`,
        members: [...membersOf(last), ...membersOf(next)],
        isQuoted: false,
        distance: Math.max(last.distance ?? 0, limit === undefined ? DEFAULT_DISTANCE : Number(limit)),
        written: `${last.written} ${piece.written} ${next.written}`,
        end: next.end,
      };
      at++;
    }
  }
  return joined;
}

/** Words and phrases near each other; of a phrase with a distance, its words. */
export function membersOf({ value, distance, members }: Piece): readonly string[] {
  if (members.length > 0) return members;
  return distance === null ? [value] : value.split(/\s+/);
}

function isPlainText(piece: Piece | undefined): piece is Piece {
  return piece?.kind === "text" && piece.operator === "";
}

const OPPOSITE_SIGNS: Readonly<Record<string, string>> = { "": "-", "+": "-", "-": "+" };

/** Converts each `NOT` to the sign of the next piece or group, if there is one. */
export function withSigns(pieces: readonly Piece[]): readonly Piece[] {
  const signed: Piece[] = [];
  for (const piece of pieces.toReversed()) {
    const next = signed.at(-1);
    if (piece.kind !== "not" || (next?.kind !== "text" && next?.kind !== "open")) signed.push(piece);
    else signed[signed.length - 1] = { ...next, sign: OPPOSITE_SIGNS[next.sign]!, start: piece.start };
  }
  return signed.reverse();
}

interface PieceSetting {
  isOperator(name: string): boolean;
  readonly isInside: boolean;
}

function pieceAt(query: string, start: number, { isOperator, isInside }: PieceSetting): Piece {
  if (query[start] === ")" && isInside) return { ...EMPTY, kind: "close", start, end: start + 1 };
  const mark = signAt(query, start);
  const sign = mark.replace("!", "-");
  const from = start + mark.length;
  const operator = operatorAt(query, from).toLowerCase();
  const at = operator === "" ? from : from + operator.length + 1;
  if (query[at] === "(" && (operator === "" || isOperator(operator)))
    return { ...EMPTY, kind: "open", sign, operator, start, end: at + 1, written: query.slice(start, at + 1) };
  const closing = query[at] === '"' ? query.indexOf('"', at + 1) : -1;
  const isQuoted = closing >= 0;
  const near = isQuoted ? distanceAt(query, closing + 1) : "";
  // Advances even for an empty piece (only a sign).
  const end = Math.max(isQuoted ? closing + 1 + near.length : endOfWord(query, at, isInside), start + 1);
  const value = isQuoted ? query.slice(at + 1, closing) : query.slice(at, end);
  const written = query.slice(start, end);
  const kind = JOINING_WORDS[written as keyof typeof JOINING_WORDS] ?? (NEAR.test(written) ? "near" : "text");
  const distance = near === "" ? null : Number(near.slice(1));
  return { kind, sign, operator, value, isQuoted, distance, members: [], written, start, end };
}

/** The `~10` after a quotation mark, or "". */
function distanceAt(query: string, at: number): string {
  return /^~\d{1,9}(?!\d)/.exec(query.slice(at, at + 11))?.[0] ?? "";
}

/** `+`, `-` or, before a letter, a quotation mark or a parenthesis, `!`; "" for anything else. */
function signAt(query: string, at: number): string {
  const sign = query[at]!;
  return sign === "+" || sign === "-" || (sign === "!" && /^[\p{L}\p{N}"(]/u.test(query.slice(at + 1, at + 3)))
    ? sign
    : "";
}

function isBlank(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000;
}

/** A quotation mark inside a word (`say"hello`) begins a new piece only after a blank. */
function endOfWord(query: string, from: number, isInside: boolean): number {
  let own = 0;
  let at = from;
  for (; at < query.length && !isBlank(query.charCodeAt(at)); at++) {
    if (query[at] === "(") own++;
    if (query[at] !== ")") continue;
    if (own === 0 && isInside) break;
    own--;
  }
  return at;
}

/** The ASCII letters, digits and underscores before a colon at `from`, when a value follows; "" otherwise. */
function operatorAt(query: string, from: number): string {
  let at = from;
  while (at < query.length && at - from <= MAX_OPERATOR && /\w/.test(query[at]!)) at++;
  if (at === from || query[at] !== ":" || at + 1 >= query.length || isBlank(query.charCodeAt(at + 1))) return "";
  return query.slice(from, at);
}
