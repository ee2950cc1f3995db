import { type CSSToken, NumberType, TokenType, tokenize } from "@csstools/css-tokenizer";

export { type CSSToken, TokenType };

/** Closing token of each token that opens a block (CSS Syntax Level 3, 5.4.7). */
const CLOSERS: ReadonlyMap<TokenType, TokenType> = new Map([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.Function, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
]);

/** Tokens without meaning: comments, and the comment marks of HTML that old programs put around a style sheet. */
const IGNORED: ReadonlySet<TokenType> = new Set([TokenType.Comment, TokenType.CDO, TokenType.CDC, TokenType.EOF]);

/** A name without escapes, which could spell anything. */
const NAME = /^[\p{L}\p{N}_-]+$/u;

/** CSS as a browser reads it: tokens, and where each block ends. */
export interface CssTokens {
  readonly tokens: readonly CSSToken[];
  /** By the index of an opening token: that of its closing token; `tokens.length` for an unclosed block. */
  readonly ends: readonly number[];
}

/** Splits CSS into tokens by the rules of CSS Syntax Level 3. Linear; never throws. */
export function cssTokens(css: string): CssTokens {
  const tokens = tokenize({ css }).filter(([type]) => !IGNORED.has(type));
  const ends: number[] = new Array(tokens.length).fill(tokens.length);
  const open: { readonly at: number; readonly closer: TokenType }[] = [];
  for (const [at, [type]] of tokens.entries()) {
    const closer = CLOSERS.get(type);
    if (closer !== undefined) open.push({ at, closer });
    else if (open.at(-1)?.closer === type) ends[open.pop()!.at] = at;
  }
  return { tokens, ends };
}

/** The ranges between tokens of a type that are outside all blocks. */
export function splitTokens({ tokens, ends }: CssTokens, separator: TokenType): readonly CssTokens[] {
  const parts: CssTokens[] = [];
  let start = 0;
  for (let at = 0; at < tokens.length; at++) {
    const [type] = tokens[at]!;
    if (CLOSERS.has(type)) at = ends[at]!;
    else if (type === separator) {
      parts.push(tokensBetween({ tokens, ends }, start, at));
      start = at + 1;
    }
  }
  parts.push(tokensBetween({ tokens, ends }, start, tokens.length));
  return parts;
}

/** Tokens from `start` to before `end`, without the white space around them. */
export function tokensBetween({ tokens, ends }: CssTokens, start: number, end: number): CssTokens {
  let [first, last] = [start, Math.min(end, tokens.length)];
  while (first < last && isSpace(tokens[first])) first++;
  while (last > first && isSpace(tokens[last - 1])) last--;
  return {
    tokens: tokens.slice(first, last),
    ends: ends.slice(first, last).map((to) => Math.min(to, last) - first),
  };
}

/** True if every opened block is closed, and no closing token is left over. */
export function isBalanced({ tokens, ends }: CssTokens): boolean {
  const closers = new Set(CLOSERS.values());
  const openers = tokens.flatMap(([type], at) => (CLOSERS.has(type) ? [at] : []));
  const closed = tokens.filter(([type]) => closers.has(type)).length;
  return closed === openers.length && openers.every((at) => ends[at]! < tokens.length);
}

export function isSpace(token: CSSToken | undefined): boolean {
  return token?.[0] === TokenType.Whitespace;
}

/** True if a token is one of some delimiter characters. */
export function isDelimiter(token: CSSToken | undefined, characters: string): boolean {
  return token?.[0] === TokenType.Delim && characters.includes(token[1]);
}

/** The lower-case name of an identifier, hash, at-keyword or function without escapes; null for other tokens. */
export function plainName(token: CSSToken | undefined): string | null {
  if (token === undefined) return null;
  const [type, raw] = token;
  if (type === TokenType.Ident && NAME.test(raw)) return raw.toLowerCase();
  if ((type === TokenType.Hash || type === TokenType.AtKeyword) && NAME.test(raw.slice(1)))
    return raw.slice(1).toLowerCase();
  if (type === TokenType.Function && NAME.test(raw.slice(0, -1))) return raw.slice(0, -1).toLowerCase();
  return null;
}

/** True if a string is closed and contains nothing that could end it or the surrounding style sheet. */
export function isPlainString([type, raw]: CSSToken): boolean {
  return type === TokenType.String && raw.length >= 2 && raw.at(-1) === raw[0] && !/[\\<\n\r\f]/.test(raw);
}

/** True if a token is an integer, as in `2n+1`. */
export function isInteger(token: CSSToken): boolean {
  const [type, , , , data] = token;
  return (type === TokenType.Number || type === TokenType.Dimension) && data.type === NumberType.Integer;
}

/** Tokens as text; white space becomes one blank. */
export function tokenText(tokens: readonly CSSToken[]): string {
  return tokens.map((token) => (isSpace(token) ? " " : token[1])).join("");
}
