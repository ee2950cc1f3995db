import type { WordMatch } from "../mail/exploration.ts";
import type { Instant } from "../mail/instant.ts";
import { tokensOf } from "../text/tokens.ts";
import { isOperator, type QueriedField, readOperator } from "./query-operators.ts";
import { cutPieces, type Piece } from "./query-pieces.ts";

/**
 * Characters of a query that are read; the rest is ignored. The HTTP surfaces allow 1,000, the command line what a
 * shell takes.
 */
export const MAX_QUERY_CHARACTERS = 4096;
/** Clauses of one query; further ones are ignored. Each costs a look into the index. */
export const MAX_CLAUSES = 100;

/** `+` and phrases require, `-` excludes, plain words only rank. */
export type Demand = "optional" | "required" | "excluded";
type Condition = Exclude<Demand, "optional">;

/** Where a clause stands in the query: offsets, end exclusive. */
export interface Written {
  readonly start: number;
  readonly end: number;
}

/** A word, a phrase or an operator. `tokens` are never empty but where a field is not asked for by words. */
export type Leaf = Written &
  (
    | { readonly kind: "words"; readonly demand: Demand; readonly tokens: readonly string[] }
    /** Tokens that must follow one another. */
    | { readonly kind: "phrase"; readonly demand: Condition; readonly tokens: readonly string[] }
    /** `tokens` hold the one prefix. */
    | { readonly kind: "prefix"; readonly demand: Demand; readonly tokens: readonly string[] }
    /** An operator: all tokens are in that field. `text` is the value as it was written. */
    | {
        readonly kind: "field";
        readonly demand: Condition;
        readonly field: QueriedField;
        readonly text: string;
        readonly tokens: readonly string[];
      }
    /** Sent in that time, both ends included. */
    | { readonly kind: "date"; readonly demand: Condition; readonly first: Instant; readonly last: Instant }
  );

/** What fits any of the alternatives, each of which is read like a query of its own. */
export interface Group extends Written {
  readonly kind: "group";
  readonly demand: Condition;
  readonly alternatives: readonly (readonly Clause[])[];
}

/** One part of a query. */
export type Clause = Leaf | Group;

export interface ParsedQuery {
  readonly clauses: readonly Clause[];
}

/** Scripts whose runs are indexed as bigrams: one character alone is the beginning of such a pair. */
const LONE_UNSPACED =
  /^[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]$/u;

/**
 * Understands a query: words, `"phrase"`, `+word`, `-word`, `prefix*`, operators (query-operators.ts) whose value may be
 * quoted or be several in parentheses, groups in parentheses, and `OR`, which joins its two neighbours before anything
 * else combines. What is malformed is searched as plain words. Never throws.
 */
export function parseQuery(query: string, match: WordMatch = "any"): ParsedQuery {
  const text = query.slice(0, MAX_QUERY_CHARACTERS).replace(/[“”„‟]/g, '"');
  const frames = new FrameStack();
  let leaves = 0;
  for (const piece of cutPieces(text, isOperator)) {
    if (frames.takesSign(piece)) continue;
    if (leaves >= MAX_CLAUSES) break;
    const leaf = leafOf(piece, frames.innermost.operator, text);
    if (leaf === null) continue;
    leaves++;
    frames.innermost.add([match === "all" ? required(leaf) : leaf]);
  }
  return { clauses: frames.finish(text.length) };
}

/** Every leaf of a query in the order they were written, groups opened. */
export function leavesOf(clauses: readonly Clause[]): Leaf[] {
  return clauses.flatMap((clause) =>
    clause.kind === "group" ? clause.alternatives.flatMap((alternative) => leavesOf(alternative)) : [clause],
  );
}

function required(leaf: Leaf): Leaf {
  return leaf.demand === "optional" ? { ...leaf, demand: "required" } : leaf;
}

/** A query, or what stands between two parentheses, while it is read. */
class Frame {
  /** Applies to the words inside that have none of their own. */
  readonly operator: string;
  private readonly opening: Piece | null;
  /** Chains of alternatives, each of which is a list of clauses that go together. */
  private readonly chains: (readonly Clause[])[][] = [];
  /** An `OR` that waits for what stands behind it. */
  private joining: Piece | null = null;

  constructor(opening: Piece | null, operator: string) {
    this.opening = opening;
    this.operator = operator;
  }

  /** Takes an `OR`; false when nothing stands before it, or another one: then it is a word. */
  join(piece: Piece): boolean {
    if (this.chains.length === 0 || this.joining !== null) return false;
    this.joining = piece;
    return true;
  }

  add(clauses: readonly Clause[]): void {
    if (clauses.length === 0) return;
    if (this.joining === null) this.chains.push([clauses]);
    else this.chains.at(-1)!.push(clauses);
    this.joining = null;
  }

  finish(end: number): readonly Clause[] {
    const clauses = this.chains.flatMap(clausesOfChain);
    const { opening } = this;
    if (opening === null || opening.sign !== "-" || clauses.length === 0) return clauses;
    return [{ kind: "group", demand: "excluded", alternatives: [clauses], start: opening.start, end }];
  }
}

/** The query and the groups that are open, the innermost last. */
class FrameStack {
  private readonly frames: [Frame, ...Frame[]] = [new Frame(null, "")];

  get innermost(): Frame {
    return this.frames.at(-1)!;
  }

  /** Opens and closes groups and joins alternatives; false for a piece that is a word. */
  takesSign(piece: Piece): boolean {
    if (piece.kind === "or") return this.innermost.join(piece);
    if (piece.kind === "open") this.frames.push(new Frame(piece, piece.operator || this.innermost.operator));
    else if (piece.kind === "close") this.close(piece.end);
    return piece.kind !== "text";
  }

  /** What was opened and not closed ends with the query. */
  finish(end: number): readonly Clause[] {
    while (this.frames.length > 1) this.close(end);
    return this.innermost.finish(end);
  }

  private close(end: number): void {
    const inner = this.frames.pop()!;
    this.innermost.add(inner.finish(end));
  }
}

/** Alternatives that are plain words which only rank need no group: any of them is enough anyhow. */
function clausesOfChain(chain: readonly (readonly Clause[])[]): readonly Clause[] {
  const clauses = chain.flat();
  if (chain.length === 1 || clauses.every(({ demand }) => demand === "optional")) return clauses;
  const [first, last] = [clauses[0]!, clauses.at(-1)!];
  return [{ kind: "group", demand: "required", alternatives: chain, start: first.start, end: last.end }];
}

function leafOf(written: Piece, inherited: string, query: string): Leaf | null {
  const piece = written.operator === "" && inherited !== "" ? { ...written, operator: inherited } : written;
  const { start, end } = piece;
  const demand = piece.sign === "-" ? "excluded" : "required";
  const condition = readOperator(piece.operator, piece.value);
  if (condition !== null) return { ...condition, demand, start, end };
  return textLeaf(written, query);
}

function textLeaf(piece: Piece, query: string): Leaf | null {
  const { start, end, isQuoted } = piece;
  const isPlain = piece.operator === "";
  const demand = isPlain ? demandOf(piece) : "optional";
  const text = isPlain ? piece.value : query.slice(start, end);
  const tokens = tokensOf(text);
  const [first] = tokens;
  if (first === undefined) return null;
  if (demand !== "optional" && tokens.length > 1 && (isQuoted || demand === "excluded")) {
    // `foo-bar` excluded must not exclude every message that holds both words somewhere.
    return { kind: "phrase", demand, tokens, start, end };
  }
  const isPrefix = !(isPlain && isQuoted) && tokens.length === 1 && (text.endsWith("*") || LONE_UNSPACED.test(first));
  return { kind: isPrefix ? "prefix" : "words", demand, tokens, start, end };
}

/** Of a piece without operator: quotes are a condition like `+`. */
function demandOf({ sign, isQuoted }: Piece): Demand {
  if (sign === "-") return "excluded";
  return sign === "+" || isQuoted ? "required" : "optional";
}
