import { safeBlock } from "./css-declarations.ts";
import { safeSelectors } from "./css-selectors.ts";
import { type CssTokens, cssTokens, isBalanced, plainName, TokenType, tokensBetween, tokenText } from "./css-tokens.ts";

/** A safe rule of a style sheet. */
export interface SafeRule {
  readonly css: string;
  /** Number of selectors: each is matched with every element of the page. */
  readonly selectors: number;
}

/** Maximum characters of one media query. */
const MAX_MEDIA_QUERY = 300;
/** Tokens of media queries. */
const MEDIA_TYPES: ReadonlySet<TokenType> = new Set([
  TokenType.Ident,
  TokenType.Whitespace,
  TokenType.Comma,
  TokenType.Colon,
  TokenType.Number,
  TokenType.Dimension,
  TokenType.OpenParen,
  TokenType.CloseParen,
]);

/** The safe rules of a style sheet, including those in `@media`. Linear; never throws. */
export function safeRules(sheet: string): readonly SafeRule[] {
  const all = cssTokens(sheet);
  const rules: SafeRule[] = [];
  for (const block of blocksBetween(all, 0, all.tokens.length)) {
    const query = safeMediaQuery(block.prelude);
    if (query === "") rules.push(...safeRule(all, block));
    else
      for (const inner of blocksBetween(all, block.start, block.end))
        rules.push(...safeRule(all, inner).map((rule) => ({ ...rule, css: `${query}{${rule.css}}` })));
  }
  return rules;
}

/** A rule: the text before its block, and the index range of the block's tokens. */
interface Block {
  readonly prelude: CssTokens;
  readonly start: number;
  readonly end: number;
}

function* blocksBetween(all: CssTokens, from: number, to: number): Generator<Block> {
  for (let at = from; at < to; ) {
    const open = preludeEnd(all, at, to);
    const isBlock = open < to && all.tokens[open]![0] === TokenType.OpenCurly;
    const end = isBlock ? Math.min(all.ends[open]!, to) : open;
    if (isBlock) yield { prelude: tokensBetween(all, at, open), start: open + 1, end };
    at = end + 1;
  }
}

/** Index of the brace that opens the block of a rule, or of the semicolon that ends an at-rule without one. */
function preludeEnd({ tokens, ends }: CssTokens, from: number, to: number): number {
  let isAtRule: boolean | null = null;
  for (let at = from; at < to; at++) {
    const [type] = tokens[at]!;
    if (type !== TokenType.Whitespace) isAtRule ??= type === TokenType.AtKeyword;
    if (type === TokenType.OpenCurly || (isAtRule === true && type === TokenType.Semicolon)) return at;
    if (type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare) at = ends[at]!;
  }
  return to;
}

/** `@media` with its query; "" for anything else. */
function safeMediaQuery(prelude: CssTokens): string {
  const [keyword, ...query] = prelude.tokens;
  if (keyword?.[0] !== TokenType.AtKeyword || plainName(keyword) !== "media") return "";
  const isSafe = isBalanced(prelude) && query.every(([type, raw]) => MEDIA_TYPES.has(type) && !raw.includes("\\"));
  const text = tokenText(prelude.tokens);
  return isSafe && text.length <= MAX_MEDIA_QUERY ? text : "";
}

/** The safe form of a rule, if any. */
function safeRule(all: CssTokens, { prelude, start, end }: Block): readonly SafeRule[] {
  if (prelude.tokens[0]?.[0] === TokenType.AtKeyword) return [];
  const block = tokensBetween(all, start, end);
  // Rules inside rules would multiply their selectors.
  if (block.tokens.some(([type]) => type === TokenType.OpenCurly)) return [];
  const declarations = safeBlock(block);
  const selectors = declarations === "" ? [] : safeSelectors(prelude);
  return selectors.length === 0
    ? []
    : [{ css: `${selectors.join(",")}{${declarations}}`, selectors: selectors.length }];
}
