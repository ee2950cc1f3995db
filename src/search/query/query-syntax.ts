import type { Instant } from "../../mail/dates/instant.ts";
import type { WordMatch } from "../../mail/exploration.ts";
import { stemPattern } from "../indexing/stem-pattern.ts";
import type { Phrase } from "./phrase.ts";
import { present } from "./present.ts";
import { isOperator, type OperatorCondition, type QueriedField, readId, readOperator } from "./query-operators.ts";
import { cutPieces, membersOf, type Piece, withDistances, withSigns } from "./query-pieces.ts";
import { type QueryProblem, wordProblem } from "./query-problems.ts";
import { literalSigns, queryTokens } from "./query-tokens.ts";

/**
 * Maximum characters of a query; the rest is ignored. The HTTP APIs allow 1,000, the command line as many as the shell.
 */
export const MAX_QUERY_CHARACTERS = 4096;
/** Maximum clauses of one query; further ones are ignored. Each costs an index lookup. */
export const MAX_CLAUSES = 100;

/** `+` and phrases require, `-` excludes; other words only rank if any of them is sufficient. */
type Demand = "optional" | "required" | "excluded";
type Condition = Exclude<Demand, "optional">;

/** Position of a clause in the query: offsets, end exclusive. */
export interface Written {
  readonly start: number;
  readonly end: number;
}

/**
 * A word, a phrase or an operator. `tokens` are tokens or patterns (term-pattern.ts), and empty only in a field that is
 * not searched by words.
 */
export type Leaf = Written &
  (
    | { readonly kind: "words"; readonly demand: Demand; readonly tokens: readonly string[] }
    | (Phrase & { readonly kind: "phrase"; readonly demand: Demand })
    /** An operator: all tokens are in that field. `text` is the value as it was written. */
    | {
        readonly kind: "field";
        readonly demand: Condition;
        readonly field: QueriedField;
        readonly text: string;
        readonly tokens: readonly string[];
      }
    /** Sent in that period, both ends inclusive. */
    | { readonly kind: "date"; readonly demand: Condition; readonly first: Instant; readonly last: Instant }
  );

/** Matches any of the alternatives, each parsed like a query. */
export interface Group extends Written {
  readonly kind: "group";
  readonly demand: Condition;
  readonly alternatives: readonly (readonly Clause[])[];
}

/** One part of a query. */
export type Clause = Leaf | Group;

interface ParsedQuery {
  readonly clauses: readonly Clause[];
  /** Parts that could not be interpreted, in order. */
  readonly problems: readonly QueryProblem[];
}

/** Quotation marks of all languages (Unicode's Quotation_Mark, title brackets, heavy ones) except apostrophes. */
const QUOTATION_MARKS = /(?!['‘’‚‛＇])[\p{Quotation_Mark}〈〉《》❝❞]/gu;

/**
 * Parses a query: words, `"phrase"`, `+word`, `-word`, `prefix*`, operators (query-operators.ts) whose value may be
 * quoted or several in parentheses, groups in parentheses, `AND`, `NOT`, and `OR`, which joins its two neighbors
 * first. A word with signs inside is a phrase of its parts. Malformed parts are searched as words and listed in
 * `problems`. Never throws. @param match how words without a sign combine @param now instant from which ages count
 */
export function parseQuery(query: string, match: WordMatch, now: Instant = present()): ParsedQuery {
  const text = query.slice(0, MAX_QUERY_CHARACTERS).replace(QUOTATION_MARKS, '"');
  const pieces = withDistances(withSigns(cutPieces(text, isOperator)));
  const isStemmed = pieces.some(stemsAll);
  const problems: QueryProblem[] = [];
  const frames = new FrameStack(problems);
  let leaves = 0;
  for (const piece of pieces) {
    if (stemsAll(piece) || frames.takesSign(piece)) continue;
    const leaf = leafOf(piece, { inherited: frames.innermost.operator, isStemmed, now }, problems);
    if (leaf === null) continue;
    if (leaves >= MAX_CLAUSES) {
      problems.push({ start: piece.start, end: text.length, problem: "rest" });
      break;
    }
    leaves++;
    frames.innermost.add([bareId(piece, leaf) ?? (match === "all" ? required(leaf) : leaf)]);
  }
  if (query.length > text.length) problems.push({ start: text.length, end: query.length, problem: "rest" });
  const clauses = frames.finish(text.length);
  if (clauses.length === 0 && problems.length === 0 && text.trim() !== "")
    problems.push({ start: 0, end: text.length, problem: "nothing" });
  return { clauses, problems };
}

/** Every leaf of a query in written order, including those in groups. */
export function leavesOf(clauses: readonly Clause[]): Leaf[] {
  return clauses.flatMap((clause) =>
    clause.kind === "group" ? clause.alternatives.flatMap((alternative) => leavesOf(alternative)) : [clause],
  );
}

function required(leaf: Leaf): Leaf {
  return leaf.demand === "optional" ? { ...leaf, demand: "required" } : leaf;
}

/** @param alternatives at least one, none empty */
function anyOf(alternatives: readonly (readonly Clause[])[]): Group {
  const clauses = alternatives.flat();
  const [start, end] = [clauses[0]!.start, clauses.at(-1)!.end];
  return { kind: "group", demand: "required", alternatives, start, end };
}

/** Clauses joined by `AND`: all of them are conditions, however words combine elsewhere. */
function conjuncts(clauses: readonly Clause[]): readonly Clause[] {
  if (clauses.every(({ demand }) => demand !== "optional")) return clauses;
  const [only] = clauses;
  if (clauses.length === 1 && only!.kind !== "group") return [required(only as Leaf)];
  return [anyOf([clauses])];
}

/** A query, or a part in parentheses, during parsing. */
class Frame {
  /** Chains of alternatives, each a list of clauses that belong together. */
  private readonly chains: (readonly Clause[])[][] = [];
  /** A pending `OR` or `AND` that waits for the next clause. */
  private joining: Piece | null = null;

  constructor(
    private readonly opening: Piece | null,
    /** Applies to inner words without their own operator. */
    readonly operator: string,
  ) {}

  /** Accepts an `OR` or `AND`; returns false if nothing or another one precedes it: then it is a word. */
  join(piece: Piece): boolean {
    if (this.chains.length === 0 || this.joining !== null) return false;
    if (piece.kind === "and") this.chains.push([conjuncts(clausesOfChain(this.chains.pop()!))]);
    this.joining = piece;
    return true;
  }

  add(clauses: readonly Clause[]): void {
    if (clauses.length === 0) return;
    if (this.joining?.kind === "or") this.chains.at(-1)!.push(clauses);
    else this.chains.push([this.joining === null ? clauses : conjuncts(clauses)]);
    this.joining = null;
  }

  /** @param problems receives words that join nothing, and unclosed parentheses */
  finish(end: number, isClosed: boolean, problems: QueryProblem[]): readonly Clause[] {
    const { opening, joining } = this;
    if (joining !== null) problems.push({ start: joining.start, end: joining.end, problem: "operand" });
    if (opening !== null && !isClosed)
      problems.push({ start: opening.start, end: opening.end, problem: "parenthesis" });
    const clauses = this.chains.flatMap(clausesOfChain);
    if (opening === null || opening.sign !== "-" || clauses.length === 0) return clauses;
    return [{ kind: "group", demand: "excluded", alternatives: [clauses], start: opening.start, end }];
  }
}

/** The query and the open groups, the innermost last. */
class FrameStack {
  private readonly frames: [Frame, ...Frame[]] = [new Frame(null, "")];

  constructor(private readonly problems: QueryProblem[]) {}

  get innermost(): Frame {
    return this.frames.at(-1)!;
  }

  /** Opens and closes groups and joins clauses; returns false if the piece is a word. */
  takesSign(piece: Piece): boolean {
    if (piece.kind === "or" || piece.kind === "and") return this.innermost.join(piece);
    if (piece.kind === "open") this.frames.push(new Frame(piece, piece.operator || this.innermost.operator));
    else if (piece.kind === "close") this.close(piece.end, true);
    return piece.kind === "open" || piece.kind === "close";
  }

  /** An unclosed group ends with the query. */
  finish(end: number): readonly Clause[] {
    while (this.frames.length > 1) this.close(end, false);
    return this.innermost.finish(end, true, this.problems);
  }

  private close(end: number, isClosed: boolean): void {
    const inner = this.frames.pop()!;
    this.innermost.add(inner.finish(end, isClosed, this.problems));
  }
}

/** Alternatives of plain ranking words need no group: any of them is sufficient anyway. */
function clausesOfChain(chain: readonly (readonly Clause[])[]): readonly Clause[] {
  const clauses = chain.flat();
  if (chain.length === 1 || clauses.every(({ demand }) => demand === "optional")) return clauses;
  return [anyOf(chain)];
}

/** An id in angle brackets without any blank. */
const BARE_ID = /^<[^<>@]+@[^<>@]+>$/;

/**
 * A Message-ID alone means that message, but also its words, because an address looks the same. Null for any other
 * piece.
 */
function bareId({ operator, value, isQuoted, kind }: Piece, leaf: Leaf): Group | null {
  if (kind !== "text" || operator !== "" || isQuoted || !BARE_ID.test(value)) return null;
  const { start, end } = leaf;
  const demand = leaf.demand === "excluded" ? "excluded" : "required";
  const id: Leaf = { ...(readId(value) as Leaf & { kind: "field" }), demand: "required", start, end };
  return { kind: "group", demand, alternatives: [[id], [{ ...leaf, demand: "required" }]], start, end };
}

/** `stem:*`, which stems every word of the query without quotation marks and operator. */
function stemsAll({ operator, value, isQuoted }: Piece): boolean {
  return operator === "stem" && value === "*" && !isQuoted;
}

interface LeafSetting {
  /** Operator of the group that the piece is in. */
  readonly inherited: string;
  readonly isStemmed: boolean;
  readonly now: Instant;
}

function leafOf(written: Piece, { inherited, isStemmed, now }: LeafSetting, problems: QueryProblem[]): Leaf | null {
  const piece = written.operator === "" && inherited !== "" ? { ...written, operator: inherited } : written;
  const { start, end } = piece;
  const condition = readOperator(piece.operator, piece.value, now);
  if (condition !== null) {
    if (piece.distance !== null && condition.kind !== "phrase") problems.push({ start, end, problem: "syntax" });
    return conditionLeaf(condition, piece);
  }
  const leaf = textLeaf(written, isStemmed && !written.isQuoted);
  const problem = written.kind === "text" ? wordProblem(written) : ({ start, end, problem: "operand" } as const);
  if (problem !== null && (leaf !== null || /["|&)]/.test(written.written))) problems.push(problem);
  return leaf;
}

function conditionLeaf(condition: OperatorCondition, piece: Piece): Leaf {
  const { start, end } = piece;
  if (condition.kind === "words") return { ...condition, demand: demandOfWords(piece), start, end };
  if (condition.kind === "phrase")
    return { ...condition, distance: piece.distance, demand: demandOfWords(piece), start, end };
  return { ...condition, demand: piece.sign === "-" ? "excluded" : "required", start, end };
}

function demandOfWords({ sign, isQuoted }: Pick<Piece, "sign" | "isQuoted">): Demand {
  return sign === "-" ? "excluded" : sign === "+" || isQuoted ? "required" : "optional";
}

/** A piece as words; several words written without blanks are a phrase. */
function textLeaf(piece: Piece, isStemmed: boolean): Leaf | null {
  const { start, end, sign, operator, value, isQuoted, distance } = piece;
  const isPlain = operator === "";
  const demand = demandOfWords({ sign, isQuoted: isPlain && isQuoted });
  const texts = isPlain ? membersOf(piece) : [`${operator}:${value}`];
  const sequences = texts.map((text) => queryTokens(text, !(isPlain && isQuoted))).filter(({ length }) => length > 0);
  const written = sequences.flat();
  if (written.length === 0) return null;
  const signs = distance === null ? literalSigns(texts[0]!, written) : [];
  const tokens = isStemmed ? written.map(stemPattern) : written;
  if (tokens.length === 1 && signs.length === 0) return { kind: "words", demand, tokens, start, end };
  const isOfWords = distance === null || sequences.length === tokens.length;
  const members = isOfWords ? {} : { members: sequences.map(({ length }) => length) };
  return { kind: "phrase", demand, tokens, signs, distance, ...members, start, end };
}
