import { wordSet } from "../../mail/words/word-table.ts";
import {
  type CssTokens,
  isDelimiter,
  isInteger,
  isPlainString,
  isSpace,
  plainName,
  splitTokens,
  TokenType,
  tokenText,
} from "./css-tokens.ts";

/** Maximum characters of one selector; longer ones carry data. */
const MAX_SELECTOR = 300;
/**
 * Maximum combinators of a selector: for each, a browser checks all ancestors of an element. The sibling combinator
 * `~` is always removed: a browser checks all earlier siblings for it, in quadratic time.
 */
const MAX_COMBINATORS = 2;

/** Pseudo-classes that a browser evaluates from an element, its parent and its index. */
const PSEUDO_CLASSES = wordSet("active first-child focus hover last-child link visited");
/**
 * Pseudo-classes with `odd`, `even` or `2n+1`; with `of` and a selector, a browser would match it against every
 * sibling.
 */
const INDEX_CLASSES = wordSet("nth-child nth-last-child");

/** The safe selectors of a list, each as text. */
export function safeSelectors(list: CssTokens): readonly string[] {
  return splitTokens(list, TokenType.Comma)
    .filter(isSafeSelector)
    .map(({ tokens }) => tokenText(tokens));
}

function isSafeSelector(selector: CssTokens): boolean {
  const { tokens } = selector;
  if (tokens.length === 0 || tokenText(tokens).length > MAX_SELECTOR) return false;
  let combinators = 0;
  for (let at = 0; at < tokens.length; ) {
    const end = combinatorEnd(selector, at);
    if (end > at) combinators++;
    const next = end > at ? end : simpleEnd(selector, at);
    // A combinator is between two simple selectors.
    if (next === at || (end > at && (at === 0 || end === tokens.length || combinatorEnd(selector, end) > end)))
      return false;
    at = next;
  }
  return combinators <= MAX_COMBINATORS;
}

/** Index after the combinator at `at` (white space, `>` or `+`), or `at` if there is none. */
function combinatorEnd({ tokens }: CssTokens, at: number): number {
  let end = at;
  while (isSpace(tokens[end])) end++;
  if (isDelimiter(tokens[end], ">+")) end++;
  else return end;
  while (isSpace(tokens[end])) end++;
  return end;
}

/** Index after the safe simple selector at `at`, or `at` if there is none. */
function simpleEnd(selector: CssTokens, at: number): number {
  const { tokens, ends } = selector;
  const token = tokens[at]!;
  const [type] = token;
  if (type === TokenType.Ident || type === TokenType.Hash) return plainName(token) === null ? at : at + 1;
  if (isDelimiter(token, "*")) return at + 1;
  if (isDelimiter(token, "."))
    return tokens[at + 1]?.[0] === TokenType.Ident && plainName(tokens[at + 1]) !== null ? at + 2 : at;
  if (type === TokenType.OpenSquare) return isSafeAttribute(selector, at) ? ends[at]! + 1 : at;
  if (type === TokenType.Colon) return pseudoEnd(selector, at);
  return at;
}

/** `[name]`, or `[name=value]` with any operator and a name or string as value. */
function isSafeAttribute({ tokens, ends }: CssTokens, open: number): boolean {
  if (ends[open]! >= tokens.length) return false;
  const parts = tokens.slice(open + 1, ends[open]!).filter((token) => !isSpace(token));
  const [name, ...rest] = parts;
  if (name?.[0] !== TokenType.Ident || plainName(name) === null) return false;
  if (rest.length === 0) return true;
  if (isDelimiter(rest[0], "~|^$*")) rest.shift();
  const [equals, value, ...more] = rest;
  if (!isDelimiter(equals, "=") || value === undefined || more.length > 0) return false;
  return value[0] === TokenType.Ident ? plainName(value) !== null : isPlainString(value);
}

function pseudoEnd({ tokens, ends }: CssTokens, colon: number): number {
  const token = tokens[colon + 1];
  const name = plainName(token);
  if (name === null) return colon;
  if (token![0] === TokenType.Ident) return PSEUDO_CLASSES.has(name) ? colon + 2 : colon;
  const end = ends[colon + 1]!;
  if (token![0] !== TokenType.Function || !INDEX_CLASSES.has(name) || end >= tokens.length) return colon;
  const argument = tokens.slice(colon + 2, end);
  const isIndex = argument.every(
    (part) =>
      isSpace(part) || isDelimiter(part, "+-") || isInteger(part) || /^(?:odd|even|-?n(?:-\d*)?)$/i.test(part[1]),
  );
  return isIndex ? end + 1 : colon;
}
