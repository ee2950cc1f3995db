import { type SymbolFont, symbolFontOf } from "../../charset/symbol-fonts.ts";
import { firstFamily, fontOfStyle } from "./style-fonts.ts";

/** Visibility of text by a style; null if unspecified. */
export interface HidingStyle {
  /** Hides the element with everything in it. */
  readonly isGone: boolean;
  /** Visibility of its text, which inner elements can override. */
  readonly isInvisible: boolean | null;
  /** Size of its text: too small to read, or `scaled` if the size depends on the parent. */
  readonly isTiny: boolean | "scaled" | null;
}

export const SHOWING: HidingStyle = { isGone: false, isInvisible: null, isTiny: null };

/** Values that hide an element, with the attribute that does so. */
const HIDING_VALUE = /:\s{0,9}(?:none|hidden|collapse|all|0|\.0|1(?:\.0{0,9})?p[xt])|\shidden\b/gi;
/** Suffixes of the names of properties that hide content. */
const HIDING_PROPERTY = /(?:display|mso-hide|visibility|font|size|height|width|opacity)\s{0,9}$/i;
/** Characters before a value searched for its property. */
const PROPERTY_LENGTH = 20;

/** True if anything in a page may hide some of its text. */
export function mayHide(html: string): boolean {
  HIDING_VALUE.lastIndex = 0;
  for (let found = HIDING_VALUE.exec(html); found !== null; found = HIDING_VALUE.exec(html)) {
    if (!found[0].startsWith(":")) return true;
    if (HIDING_PROPERTY.test(html.slice(Math.max(0, found.index - PROPERTY_LENGTH), found.index))) return true;
  }
  return false;
}

/** Maximum declarations of a style: some style attributes carry data. */
const MAX_DECLARATIONS = 200;
/** A length that leaves nothing visible: zero, or one pixel or point. */
const NOTHING = /^(?:0+(?:\.0*)?|\.0+)(?:[a-z]{1,4}|%)?$|^1(?:\.0*)?p[xt]$/;
/** A zero factor. */
const ZERO = /^(?:0+(?:\.0*)?|\.0+)%?$/;
/** A size relative to that of the parent. */
const SCALED = /%$|em$|^(?:inherit|unset|larger|smaller)$/;
/** The size in the value of `font`. */
const FONT_SIZE = /(?:^|\s)((?:\d|\.\d)[\d.]{0,9}(?:[a-z]{1,4}|%)?)\s?(?:\/|\s)/;

/** Reads the declarations of a style attribute or rule. */
export function hidingStyle(css: string): HidingStyle {
  const values = declaredValues(css);
  const value = (name: string): string => values.get(name)?.value ?? "";
  const isZero = (...names: readonly string[]): boolean => names.some((name) => NOTHING.test(value(name)));
  const isClipped = [value("overflow"), value("overflow-x"), value("overflow-y")].some(
    (overflow) => overflow === "hidden" || overflow === "clip",
  );
  const isGone =
    value("display") === "none" ||
    value("mso-hide") === "all" ||
    ZERO.test(value("opacity")) ||
    (isClipped && isZero("height", "max-height", "width", "max-width"));
  const visibility = value("visibility");
  const size = value("font-size") || (FONT_SIZE.exec(value("font"))?.[1] ?? "");
  return {
    isGone,
    isInvisible: visibility === "" || visibility === "inherit" ? null : visibility !== "visible",
    isTiny: size === "" ? null : NOTHING.test(size) || (SCALED.test(size) ? "scaled" : false),
  };
}

interface DeclaredValue {
  readonly value: string;
  readonly isImportant: boolean;
}

/** The last value of each property, unless an earlier one is important and the last is not. */
function declaredValues(css: string): ReadonlyMap<string, DeclaredValue> {
  const values = new Map<string, DeclaredValue>();
  for (const declaration of css.toLowerCase().split(";", MAX_DECLARATIONS)) {
    const colon = declaration.indexOf(":");
    if (colon < 0) continue;
    const name = declaration.slice(0, colon).trim();
    const written = declaration.slice(colon + 1);
    const important = written.indexOf("!");
    const value = {
      value: (important < 0 ? written : written.slice(0, important)).trim(),
      isImportant: important >= 0,
    };
    if (values.get(name)?.isImportant !== true || value.isImportant) values.set(name, value);
  }
  return values;
}

/** Maximum characters of a style sheet checked for hidden content. */
const MAX_SHEET = 256 * 1024;
/** Maximum rules of a message. */
const MAX_RULES = 1_000;
/** `.name`, `#name` and `element.name`; other selectors depend on the whole page. */
const SIMPLE_SELECTOR = /^([a-z][a-z\d]{0,20})?([.#][\w-]{1,100})$/;

/**
 * Content hidden by style sheets, and fonts of symbols, by class and id. Media rules are skipped: they are for other
 * screens.
 */
export class HidingRules {
  private readonly rules = new Map<string, HidingStyle>();
  /** Fonts by selector; null for a font of letters. */
  private readonly symbolFonts = new Map<string, SymbolFont | null>();

  get isEmpty(): boolean {
    return this.rules.size === 0;
  }

  /** Adds the rules of a style sheet. */
  add(sheet: string): void {
    let at = 0;
    const css = withoutComments(sheet.slice(0, MAX_SHEET));
    while (this.rules.size < MAX_RULES) {
      const open = css.indexOf("{", at);
      if (open < 0) return;
      const head = css.slice(css.lastIndexOf(";", open) >= at ? css.lastIndexOf(";", open) + 1 : at, open).trim();
      const end = head.startsWith("@") ? endOfBlock(css, open) : css.indexOf("}", open);
      if (end < 0) return;
      if (!head.startsWith("@")) this.addRule(head, css.slice(open + 1, end));
      at = end + 1;
    }
  }

  /** The hiding rule for an element with these classes and id, or null. */
  of(element: string, classes: string | null, id: string | null): HidingStyle | null {
    return ruleOf(this.rules, namesOf(element, classes, id)) ?? null;
  }

  /** The font of an element with these classes and id: null if it has letters, undefined if no rule names one. */
  symbolsOf(element: string, classes: string | null, id: string | null): SymbolFont | null | undefined {
    return this.symbolFonts.size === 0 ? undefined : ruleOf(this.symbolFonts, namesOf(element, classes, id));
  }

  private addRule(selectors: string, declarations: string): void {
    const style = hidingStyle(declarations);
    const isHiding = style.isGone || style.isInvisible === true || style.isTiny === true;
    const font = fontOfStyle(declarations);
    const symbols = font === null ? null : symbolFontOf(firstFamily(font));
    for (const selector of selectors.toLowerCase().split(",", MAX_CLASSES)) {
      const name = selector.replace("<!--", "").trim();
      if (!SIMPLE_SELECTOR.test(name)) continue;
      if (isHiding) this.rules.set(name, style);
      else if (/(?:display|visibility|font)/i.test(declarations)) this.rules.delete(name);
      if (font !== null && this.symbolFonts.size < MAX_RULES) this.symbolFonts.set(name, symbols);
    }
  }
}

/** Maximum classes of an element, and selectors of a rule. */
const MAX_CLASSES = 50;

/** Selectors of an element by its classes and id, each without and with its name. */
function namesOf(element: string, classes: string | null, id: string | null): readonly string[] {
  const names = (classes ?? "")
    .toLowerCase()
    .split(/\s+/, MAX_CLASSES)
    .map((name) => `.${name}`);
  if (id !== null) names.push(`#${id.toLowerCase()}`);
  return names.flatMap((name) => [name, element + name]);
}

function ruleOf<T>(rules: ReadonlyMap<string, T>, names: readonly string[]): T | undefined {
  for (const name of names) {
    const rule = rules.get(name);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** The rules of the style sheets of a page. */
export function rulesOfPage(html: string): HidingRules {
  const rules = new HidingRules();
  const start = /<style\b[^>]{0,1000}>/giu;
  for (let tag = start.exec(html); tag !== null; tag = start.exec(html)) {
    const end = html.indexOf("</", start.lastIndex);
    if (end < 0) break;
    rules.add(html.slice(start.lastIndex, end));
  }
  return rules;
}

function withoutComments(css: string): string {
  if (!css.includes("/*")) return css;
  return css
    .split("/*")
    .map((piece, at) => (at === 0 ? piece : piece.includes("*/") ? piece.slice(piece.indexOf("*/") + 2) : ""))
    .join(" ");
}

/** Offset of the brace that closes the block at `open`; -1 if there is none. */
function endOfBlock(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at >= 0; at = nextBrace(css, at + 1)) {
    depth += css[at] === "{" ? 1 : -1;
    if (depth === 0) return at;
  }
  return -1;
}

function nextBrace(css: string, from: number): number {
  for (let at = from; at < css.length; at++) if (css[at] === "{" || css[at] === "}") return at;
  return -1;
}
