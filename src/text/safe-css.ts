import { wordSet } from "../mail/word-table.ts";

/**
 * Properties of CSS that say how text looks. Not among them: what moves an element over others, what asks for files, and
 * what only Word knows.
 */
const PROPERTIES: ReadonlySet<string> = new Set([
  ...wordSet(
    "background background-color color opacity direction unicode-bidi display visibility float clear " +
      "overflow-wrap word-break word-wrap white-space vertical-align box-sizing font font-family font-size " +
      "font-style font-variant font-weight line-height letter-spacing word-spacing text-align text-decoration " +
      "text-indent text-transform width min-width max-width height min-height max-height table-layout " +
      "caption-side list-style list-style-type list-style-position quotes empty-cells border-collapse border " +
      "border-color border-style border-width border-radius border-spacing padding margin",
  ),
  ...["top", "right", "bottom", "left"].flatMap((side) => [
    ...[`padding-${side}`, `margin-${side}`, `border-${side}`, `border-${side}-color`],
    ...[`border-${side}-style`, `border-${side}-width`],
  ]),
]);
/** Functions of values that ask for nothing. */
const FUNCTIONS: ReadonlySet<string> = new Set(["rgb", "rgba", "hsl", "hsla", "calc"]);
/** Characters of one value and of the selectors of one rule; longer ones carry data. */
const MAX_VALUE = 500;
const MAX_SELECTOR = 2_000;

/** No backslash, as escapes spell anything; no `<`, `@`, `:` and `/`, which begin what is no value. */
const VALUE = /^[\p{L}\p{N}_\s#%.,()!'"+*-]*$/u;
const SELECTOR = /^[\p{L}\p{N}_\s#.,:>*+~()[\]="'-]+$/u;
const MEDIA = /^@media[\s\w:(),.-]+$/i;
/** A function, by its name. */
const CALL = /([\w-]*)\(/g;

/** The declarations of a style attribute or rule that are safe, in their order. Linear; never throws. */
export function safeDeclarations(css: string): string {
  const kept: string[] = [];
  for (const declaration of css.split(";")) {
    const colon = declaration.indexOf(":");
    if (colon < 0 || declaration.length > 2 * MAX_VALUE) continue;
    const name = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    if (PROPERTIES.has(name) && isSafeValue(value)) kept.push(`${name}:${value}`);
  }
  return kept.join(";");
}

function isSafeValue(value: string): boolean {
  if (value === "" || value.length > MAX_VALUE || !VALUE.test(value) || !isBalanced(value)) return false;
  return Array.from(value.matchAll(CALL)).every(([, name]) => FUNCTIONS.has(name!.toLowerCase()));
}

/** What is left open would take what comes after it along. */
function isBalanced(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length - 1;
  return count("(") === count(")") && count("[") === count("]") && count('"') % 2 === 0 && count("'") % 2 === 0;
}

/** The rules of a style sheet that are safe, those of `@media` included. Linear; never throws. */
export function safeStyleSheet(sheet: string): string {
  const css = withoutComments(sheet);
  const kept: string[] = [];
  let isInMedia = false;
  let at = 0;
  const end = /[{};]/g;
  for (;;) {
    end.lastIndex = at;
    const found = end.exec(css);
    if (found === null) break;
    const prelude = css.slice(at, found.index).trim();
    at = found.index + 1;
    if (found[0] === "}" && isInMedia) {
      kept.push("}");
      isInMedia = false;
    }
    if (found[0] !== "{") continue;
    if (MEDIA.test(prelude) && isBalanced(prelude) && !isInMedia) {
      kept.push(`${prelude}{`);
      isInMedia = true;
      continue;
    }
    const close = blockEnd(css, at);
    const rule = safeRule(prelude, css.slice(at, close));
    if (rule !== "") kept.push(rule);
    at = close + 1;
  }
  return kept.join("\n") + (isInMedia ? "}" : "");
}

function safeRule(selector: string, block: string): string {
  if (selector.length > MAX_SELECTOR || !SELECTOR.test(selector) || !isBalanced(selector)) return "";
  const declarations = block.includes("{") ? "" : safeDeclarations(block);
  return declarations === "" ? "" : `${selector}{${declarations}}`;
}

/** Index of the brace that closes the block whose content begins at `from`; the end of the sheet without one. */
function blockEnd(css: string, from: number): number {
  const brace = /[{}]/g;
  brace.lastIndex = from;
  let depth = 1;
  for (let found = brace.exec(css); found !== null; found = brace.exec(css)) {
    depth += found[0] === "{" ? 1 : -1;
    if (depth === 0) return found.index;
  }
  return css.length;
}

/** Without comments, and without the marks of one in HTML that old programs put around a sheet. */
function withoutComments(sheet: string): string {
  const parts: string[] = [];
  for (let at = 0; at < sheet.length; ) {
    const start = sheet.indexOf("/*", at);
    parts.push(sheet.slice(at, start < 0 ? sheet.length : start));
    const end = start < 0 ? -1 : sheet.indexOf("*/", start + 2);
    if (end < 0) break;
    at = end + 2;
  }
  return parts.join(" ").replaceAll("<!--", " ").replaceAll("-->", " ");
}
