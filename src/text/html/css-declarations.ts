import { wordSet } from "../../mail/words/word-table.ts";
import {
  type CSSToken,
  type CssTokens,
  cssTokens,
  isBalanced,
  isPlainString,
  isSpace,
  plainName,
  splitTokens,
  TokenType,
  tokensBetween,
  tokenText,
} from "./css-tokens.ts";

/** Types of tokens that a value of a kind may have, and the functions in it. */
interface ValueKind {
  readonly types: ReadonlySet<TokenType>;
  readonly functions: ReadonlySet<string>;
  /** The only allowed words; null for any. */
  readonly words: ReadonlySet<string> | null;
}

const COLOR_FUNCTIONS = ["rgb", "rgba", "hsl", "hsla"];
const WORDS = [TokenType.Ident, TokenType.Whitespace, TokenType.Comma];
const NUMBERS = [TokenType.Number, TokenType.Percentage, TokenType.Dimension];

const KEYWORD = kind([], []);
/** Without flexbox and grid, whose layout takes a browser several times as long. */
const DISPLAY: ValueKind = {
  ...KEYWORD,
  words: wordSet(
    "block flow-root inherit initial inline inline-block inline-table list-item none table table-caption table-cell " +
      "table-column table-column-group table-footer-group table-header-group table-row table-row-group",
  ),
};
const LENGTH = kind(NUMBERS, ["calc"]);
const COLOR = kind([TokenType.Hash], COLOR_FUNCTIONS);
const FONT = kind([TokenType.String, ...NUMBERS], ["calc"]);
const QUOTES = kind([TokenType.String], []);
/** Lengths, styles and colors in one value, as in `border` and `background`. */
const SHORTHAND = kind([TokenType.Hash, ...NUMBERS], [...COLOR_FUNCTIONS, "calc"]);

function kind(types: readonly TokenType[], functions: readonly string[]): ValueKind {
  return { types: new Set([...WORDS, ...types]), functions: new Set(functions), words: null };
}

const SIDES = ["top", "right", "bottom", "left"];

/**
 * Properties that only change how text looks, with the kind of their values. Not listed: properties that move an
 * element over others, request files, add content, or that only Word supports.
 */
const PROPERTIES: ReadonlyMap<string, ValueKind> = new Map([
  ...rows(KEYWORD, [
    "direction unicode-bidi visibility float clear overflow-wrap word-break word-wrap white-space",
    "box-sizing font-style font-variant text-align text-transform table-layout caption-side list-style",
    "list-style-type list-style-position empty-cells border-collapse border-style",
    ...SIDES.map((side) => `border-${side}-style`),
  ]),
  ...rows(DISPLAY, ["display"]),
  ...rows(LENGTH, [
    "opacity vertical-align font-size font-weight line-height letter-spacing word-spacing text-indent width min-width",
    "max-width height min-height max-height border-width border-radius border-spacing padding margin",
    ...SIDES.map((side) => `padding-${side} margin-${side} border-${side}-width`),
  ]),
  ...rows(COLOR, ["background-color color border-color", ...SIDES.map((side) => `border-${side}-color`)]),
  ...rows(SHORTHAND, ["background border text-decoration", ...SIDES.map((side) => `border-${side}`)]),
  ...rows(FONT, ["font font-family"]),
  ...rows(QUOTES, ["quotes"]),
]);

function rows(value: ValueKind, names: readonly string[]): readonly (readonly [string, ValueKind])[] {
  return [...wordSet(names.join(" "))].map((name) => [name, value] as const);
}

/** Maximum characters of one value; longer ones carry data. */
const MAX_VALUE = 500;
/**
 * Largest number in a value, whatever its unit: more than any screen or page, and a browser draws it without tiling.
 */
const MAX_NUMBER = 10_000;
/** Characters between the parts of a value: those of `calc`, of `font: 12px/1.5`, and of `!important`. */
const SIGNS = "+-*/!";

/** The safe declarations of a style attribute, in order. Linear; never throws. */
export function safeDeclarations(css: string): string {
  return css === "" ? "" : safeBlock(cssTokens(css));
}

/** The safe declarations of a block. */
export function safeBlock(block: CssTokens): string {
  return splitTokens(block, TokenType.Semicolon)
    .map(safeDeclaration)
    .filter((declaration) => declaration !== "")
    .join(";");
}

function safeDeclaration(declaration: CssTokens): string {
  const { tokens } = declaration;
  const name = tokens[0]?.[0] === TokenType.Ident ? plainName(tokens[0]) : null;
  const colon = tokens.findIndex((token, at) => at > 0 && !isSpace(token));
  if (name === null || tokens[colon]?.[0] !== TokenType.Colon) return "";
  const property = PROPERTIES.get(name);
  const value = tokensBetween(declaration, colon + 1, tokens.length);
  if (property === undefined || value.tokens.length === 0 || !isSafeValue(value, property)) return "";
  const text = tokenText(value.tokens);
  return text.length > MAX_VALUE ? "" : `${name}:${text}`;
}

function isSafeValue(value: CssTokens, property: ValueKind): boolean {
  return isBalanced(value) && value.tokens.every((token) => isSafeToken(token, property));
}

function isSafeToken(token: CSSToken, { types, functions, words }: ValueKind): boolean {
  const [type, raw, , , data] = token;
  switch (type) {
    case TokenType.Delim:
      return SIGNS.includes(raw);
    case TokenType.String:
      return types.has(type) && isPlainString(token);
    case TokenType.Ident: {
      const name = plainName(token);
      return name !== null && (words === null || words.has(name) || name === "important");
    }
    case TokenType.Hash:
      return types.has(type) && plainName(token) !== null;
    case TokenType.Function:
      return functions.has(plainName(token) ?? "");
    case TokenType.OpenParen:
    case TokenType.CloseParen:
      return functions.size > 0;
    case TokenType.Number:
    case TokenType.Percentage:
    case TokenType.Dimension:
      // Colors have numbers as the arguments of their functions.
      return (types.has(type) || functions.size > 0) && Math.abs(data.value) <= MAX_NUMBER && !raw.includes("\\");
    default:
      return types.has(type);
  }
}
