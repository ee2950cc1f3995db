import { namesSymbolFont, type SymbolFont, symbolFontOf } from "../../charset/symbol-fonts.ts";
import { wordSet } from "../../mail/words/word-table.ts";
import { type HidingRules, type HidingStyle, hidingStyle, SHOWING } from "./hidden-style.ts";
import type { HtmlTokenizer } from "./html-tokenizer.ts";
import { firstFamily, fontOfStyle } from "./style-fonts.ts";

/** Elements without an end tag. */
const VOID = wordSet(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);
/** Elements around a text, which a message without them has as well. */
const PAGE = wordSet("html head body");
/** Tags that implicitly end an open element. */
const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    p: "p",
    div: "p",
    table: "p",
    ul: "p",
    ol: "p",
    li: "li p",
    dd: "dd dt p",
    dt: "dd dt p",
    td: "td th p",
    th: "td th p",
    tr: "td th tr p",
    tbody: "td th tr p tbody thead",
  }).map(([name, ended]) => [name, wordSet(ended)] as const),
);

/** An open element, its hidden content, and its font if that is one of symbols. */
interface OpenElement {
  readonly name: string;
  readonly symbols: SymbolFont | null;
  readonly isGone: boolean;
  readonly isInvisible: boolean;
  readonly isTiny: boolean;
}

const UNSTYLED: OpenElement = { name: "", symbols: null, isGone: false, isInvisible: false, isTiny: false };

/** Tracks the open elements of a page: whether their style hides the text in them, and fonts of symbols. Linear. */
export class StyledElements {
  private readonly open: OpenElement[] = [];
  private readonly openByName = new Map<string, number>();
  /** False if no tag can have the attribute. */
  private readonly hasHidden: boolean;
  private readonly hasSymbols: boolean;

  constructor(
    html: string,
    private readonly rules: HidingRules,
  ) {
    this.hasHidden = /[\s"'/]hidden\b/i.test(html);
    this.hasSymbols = namesSymbolFont(html);
  }

  private get top(): OpenElement {
    return this.open.at(-1) ?? UNSTYLED;
  }

  /** True if tags and text are hidden with their element. */
  get isGone(): boolean {
    return this.top.isGone;
  }

  /** True if text is hidden. */
  get isTextHidden(): boolean {
    const { isGone, isInvisible, isTiny } = this.top;
    return isGone || isInvisible || isTiny;
  }

  /** The font of text if it is one of symbols. */
  get symbols(): SymbolFont | null {
    return this.top.symbols;
  }

  /** Processes a start tag. @returns true if its element is shown as more than text */
  start(tokens: HtmlTokenizer): boolean {
    const { name } = tokens;
    const ended = ENDED_BY.get(name);
    while (ended?.has(this.top.name) === true) this.pop();
    if (PAGE.has(name)) return !this.isGone;
    const around = this.top;
    const style = this.styleOf(tokens);
    const isGone = around.isGone || style.isGone;
    if (VOID.has(name)) return !isGone;
    // Without a document type, browsers give a table the default size, whatever is around it.
    const inherited = name === "table" ? false : around.isTiny;
    const isTiny = style.isTiny === null || style.isTiny === "scaled" ? inherited : style.isTiny;
    const symbols = this.hasSymbols ? this.symbolsOf(tokens) : null;
    this.open.push({ name, symbols, isGone, isInvisible: style.isInvisible ?? around.isInvisible, isTiny });
    this.openByName.set(name, (this.openByName.get(name) ?? 0) + 1);
    return !isGone;
  }

  /** Processes an end tag. @returns true if its element was shown */
  end(name: string): boolean {
    const isGone = this.isGone;
    if ((this.openByName.get(name) ?? 0) === 0) return !isGone;
    for (let ended = this.pop(); ended.name !== name; ) ended = this.pop();
    return !isGone;
  }

  private pop(): OpenElement {
    const ended = this.open.pop()!;
    this.openByName.set(ended.name, this.openByName.get(ended.name)! - 1);
    return ended;
  }

  /** The font of an element; if it has none, the one around it. */
  private symbolsOf(tokens: HtmlTokenizer): SymbolFont | null {
    if (tokens.attributesEnd === tokens.attributesStart) return this.symbols;
    const own = fontOfStyle(tokens.attribute("style") ?? "") ?? tokens.attribute("face");
    if (own !== null) return symbolFontOf(firstFamily(own));
    const ruled = this.rules.symbolsOf(tokens.name, tokens.attribute("class"), tokens.attribute("id"));
    return ruled === undefined ? this.symbols : ruled;
  }

  private styleOf(tokens: HtmlTokenizer): HidingStyle {
    if (tokens.attributesEnd === tokens.attributesStart) return SHOWING;
    const style = tokens.attribute("style");
    const rule = this.rules.isEmpty
      ? null
      : this.rules.of(tokens.name, tokens.attribute("class"), tokens.attribute("id"));
    if (this.hasHidden && tokens.attribute("hidden") !== null) return { ...SHOWING, isGone: true };
    const own = style === null ? SHOWING : hidingStyle(style);
    if (rule === null)
      return tokens.name === "font" && tokens.attribute("size") !== null ? { ...own, isTiny: false } : own;
    const isShown = style !== null && /display\s{0,9}:/i.test(style);
    return {
      isGone: own.isGone || (rule.isGone && !isShown),
      isInvisible: own.isInvisible ?? rule.isInvisible,
      isTiny: own.isTiny ?? rule.isTiny,
    };
  }
}
