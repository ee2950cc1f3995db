import { decodeHTMLAttribute } from "entities";
import { namesSymbolFont, symbolText } from "../../charset/symbol-fonts.ts";
import { rowOfWord } from "../../mail/words/word-table.ts";
import { TextLayout } from "../quoting/text-layout.ts";
import { decodeReferences } from "./character-references.ts";
import { mayHide, rulesOfPage } from "./hidden-style.ts";
import { HtmlTokenizer } from "./html-tokenizer.ts";
import { StyledElements } from "./styled-elements.ts";

/** Elements missing here are inline or unknown: their tags are removed, their text stays. */
const ELEMENTS_BY_KIND = {
  line:
    "address article aside body caption center dd details dt fieldset figcaption figure footer form header " +
    "legend main nav option section summary",
  paragraph: "dl h1 h2 h3 h4 h5 h6 p",
  division: "div",
  break: "br",
  rule: "hr",
  preformatted: "listing plaintext pre xmp",
  quote: "blockquote",
  list: "dir menu ol ul",
  item: "li",
  table: "table",
  row: "tbody tfoot thead tr",
  cell: "td th",
  link: "a",
  image: "img",
  unseen: "iframe noframes object script style svg template title xml",
} as const;
type ElementKind = keyof typeof ELEMENTS_BY_KIND;
const ELEMENTS = rowOfWord<ElementKind>(ELEMENTS_BY_KIND);

/** Ids and classes of the header block that webmail writes above a quoted message. */
const REPLY_HEADER_NAMES = ["divrplyfwdmsg", "outlookmessageheader", "reply-intro"];

/**
 * Word's style of the rule above a quoted message, and of the bar to the left of one; newsletters write width before
 * style.
 */
const OUTLOOK_RULE_STYLE = "border-top:solid";
const OUTLOOK_BAR_STYLE = "border-left:solid";

/** Maximum characters of the text of an image; a longer one is not a description. */
const MAX_IMAGE_TEXT = 64 * 1024;

/** Longer addresses (in characters) are omitted: they contain tracking data. */
const MAX_LINK_ADDRESS = 2_000;

/** Attribute text in lower case without blanks, so that one spelling of a style is enough. */
function compact(value: string | null): string {
  return value === null ? "" : value.toLowerCase().replaceAll(" ", "");
}

/** Text of a page, and whether it contains invisible text. */
export interface PageText {
  readonly text: string;
  readonly hidesText: boolean;
}

/**
 * Renders an HTML body as plain text. Lines of quotations get the prefix `> `, and Outlook's quote headers a rule
 * above, for `splitBody`. Addresses of links follow their text in brackets if they differ from it. Excludes scripts,
 * styles, comments and text hidden by a style. Never throws; linear in the length of the input.
 */
export function readPage(html: string): PageText {
  const isStyled = mayHide(html) || namesSymbolFont(html);
  const renderer = new HtmlRenderer(html, isStyled ? new StyledElements(html, rulesOfPage(html)) : null);
  const text = renderer.render();
  if (!renderer.hidesText) return { text, hidesText: false };
  // A hidden element without an end tag would hide the rest of the message, and no message is completely hidden.
  if (renderer.isHiddenAtEnd || !/\S/.test(text))
    return { text: new HtmlRenderer(html, null).render(), hidesText: false };
  return { text, hidesText: true };
}

/** The text of a page; see `readPage`. */
export function htmlToText(html: string): string {
  return readPage(html).text;
}

class HtmlRenderer {
  readonly tokens: HtmlTokenizer;
  readonly layout = new TextLayout();
  /** True once hidden text was omitted. */
  hidesText = false;
  private nextReference = -1;
  private preformattedDepth = 0;
  /** HTML 13.1.2.5: a line end right after `<pre>` is not shown. */
  private isPreformattedStart = false;
  private paragraphBreak: 1 | 2 = 2;
  private divisionDepth = 0;
  /** Division depths at which a quotation was opened. */
  private readonly quoteDivisions: number[] = [];
  private readonly quotes: boolean[] = [];
  private linkAddress: string | null = null;

  constructor(
    html: string,
    private readonly styled: StyledElements | null,
  ) {
    this.tokens = new HtmlTokenizer(html);
  }

  get isHiddenAtEnd(): boolean {
    return this.styled?.isTextHidden === true && !this.layout.isFull;
  }

  render(): string {
    const tokens = this.tokens;
    let hasTag = true;
    while (hasTag && !this.layout.isFull) {
      hasTag = tokens.next();
      if (tokens.textEnd > tokens.textStart) this.takeText();
      const kind = ELEMENTS.get(tokens.name);
      // The content of an unseen element is skipped with its end tag.
      const isShown = this.styled === null || kind === "unseen" || this.follow(this.styled);
      if (kind === undefined || !isShown) continue;
      if (tokens.isEndTag) CLOSING[kind](this);
      else OPENING[kind](this);
    }
    return this.layout.toString();
  }

  private follow(styled: StyledElements): boolean {
    const { name, isEndTag } = this.tokens;
    if (name === "") return !styled.isGone;
    return isEndTag ? styled.end(name) : styled.start(this.tokens);
  }

  private takeText(): void {
    if (this.styled?.isTextHidden !== true) this.writeText();
    else if (!this.hidesText) {
      const { html, textStart, textEnd } = this.tokens;
      this.hidesText = /[\p{L}\p{N}]/u.test(decodeReferences(html.slice(textStart, textEnd)));
    }
  }

  private writeText(): void {
    const { html, textStart, textEnd } = this.tokens;
    if (this.nextReference < textStart) {
      const next = html.indexOf("&", textStart);
      this.nextReference = next < 0 ? html.length : next;
    }
    const symbols = this.styled?.symbols ?? null;
    if (this.nextReference >= textEnd && symbols === null) {
      this.layOut(html, textStart, textEnd);
      return;
    }
    const text = decodeReferences(html.slice(textStart, textEnd));
    const shown = symbols === null ? text : symbolText(text, symbols);
    this.layOut(shown, 0, shown.length);
  }

  private layOut(source: string, from: number, to: number): void {
    if (this.preformattedDepth === 0) {
      this.layout.write(source, from, to);
      return;
    }
    const skipped = this.isPreformattedStart ? lineEndLength(source, from) : 0;
    this.isPreformattedStart = false;
    this.layout.writePreformatted(source, from + skipped, to);
  }

  /** Word writes one `<p class=MsoNormal>` per line, without margins. */
  private isWordParagraph(): boolean {
    const tokens = this.tokens;
    if (tokens.name !== "p" || tokens.attributesEnd === tokens.attributesStart) return false;
    return tokens.attribute("class")?.trimStart().startsWith("Mso") ?? false;
  }

  openDivision(): void {
    const tokens = this.tokens;
    this.layout.break(1);
    this.divisionDepth++;
    if (tokens.attributesEnd === tokens.attributesStart) return;
    const style = compact(tokens.attribute("style"));
    if (style.includes(OUTLOOK_BAR_STYLE)) {
      this.quoteDivisions.push(this.divisionDepth);
      this.layout.openQuote();
      return;
    }
    const names = `${tokens.attribute("id") ?? ""} ${tokens.attribute("class") ?? ""}`.toLowerCase();
    if (style.includes(OUTLOOK_RULE_STYLE) || REPLY_HEADER_NAMES.some((name) => names.includes(name)))
      this.layout.rule();
  }

  closeDivision(): void {
    this.layout.break(1);
    if (this.quoteDivisions.at(-1) === this.divisionDepth) {
      this.quoteDivisions.pop();
      this.layout.closeQuote();
    }
    if (this.divisionDepth > 0) this.divisionDepth--;
  }

  openParagraph(): void {
    this.paragraphBreak = this.isWordParagraph() ? 1 : 2;
    this.layout.break(this.paragraphBreak);
  }

  closeParagraph(): void {
    this.layout.break(this.paragraphBreak);
  }

  openList(): void {
    this.layout.openList(this.tokens.name === "ol" ? (this.integer("start") ?? 1) : 0);
  }

  openPreformatted(): void {
    this.layout.break(2);
    this.preformattedDepth++;
    this.isPreformattedStart = true;
  }

  closePreformatted(): void {
    if (this.preformattedDepth > 0) this.preformattedDepth--;
    this.layout.break(2);
  }

  /** Gmail and Apple Mail indent the writer's own text with a blockquote that has no border. */
  openQuote(): void {
    const names = this.tokens.attribute("class")?.toLowerCase() ?? "";
    const isIndent = names.includes("indent") || compact(this.tokens.attribute("style")).includes("border:none");
    this.layout.break(2);
    this.quotes.push(!isIndent);
    if (!isIndent) this.layout.openQuote();
  }

  closeQuote(): void {
    if (this.quotes.pop() === true) this.layout.closeQuote();
    this.layout.break(2);
  }

  openLink(): void {
    this.closeLink();
    const href = this.tokens.attribute("href");
    if (href === null || href.length > MAX_LINK_ADDRESS) return;
    const address = decodeHTMLAttribute(href).trim();
    if (!/^(?:https?:\/\/|mailto:)[^\s]+$/iu.test(address)) return;
    this.linkAddress = address;
    this.layout.openLink();
  }

  closeLink(): void {
    const address = this.linkAddress;
    if (address === null) return;
    this.linkAddress = null;
    const text = this.layout.closeLink()?.trim() ?? "";
    // A link without text is decoration: a logo, a tracking pixel.
    if (text !== "" && bareAddress(text) !== bareAddress(address)) this.layout.note(`(${address})`);
  }

  writeImage(): void {
    const alt = this.tokens.attribute("alt");
    if (alt === null || alt === "") return;
    const text = ` ${decodeHTMLAttribute(alt.slice(0, MAX_IMAGE_TEXT)).toWellFormed()} `;
    this.layout.write(text, 0, text.length);
  }

  skipUnseen(): void {
    const { name } = this.tokens;
    if (this.tokens.skipContent(name)) return;
    if (name === "script" || name === "style") this.tokens.skipRest();
  }

  integer(attribute: string): number | null {
    const tokens = this.tokens;
    if (tokens.attributesEnd === tokens.attributesStart) return null;
    const value = tokens.attribute(attribute);
    return value !== null && /^[0-9]{1,6}$/u.test(value) ? Number(value) : null;
  }
}

type Rendering = Readonly<Record<ElementKind, (renderer: HtmlRenderer) => void>>;

const nothing = (): void => {};

const OPENING: Rendering = {
  line: ({ layout }) => layout.break(1),
  paragraph: (renderer) => renderer.openParagraph(),
  division: (renderer) => renderer.openDivision(),
  break: ({ layout }) => layout.breakLine(),
  rule: ({ layout }) => layout.rule(),
  preformatted: (renderer) => renderer.openPreformatted(),
  quote: (renderer) => renderer.openQuote(),
  list: (renderer) => renderer.openList(),
  item: (renderer) => renderer.layout.openItem(renderer.integer("value")),
  table: ({ layout }) => layout.openTable(),
  row: ({ layout }) => layout.breakRow(),
  cell: ({ layout }) => layout.openCell(),
  link: (renderer) => renderer.openLink(),
  image: (renderer) => renderer.writeImage(),
  unseen: (renderer) => renderer.skipUnseen(),
};

const CLOSING: Rendering = {
  line: ({ layout }) => layout.break(1),
  paragraph: (renderer) => renderer.closeParagraph(),
  division: (renderer) => renderer.closeDivision(),
  break: nothing,
  rule: nothing,
  preformatted: (renderer) => renderer.closePreformatted(),
  quote: (renderer) => renderer.closeQuote(),
  list: ({ layout }) => layout.closeList(),
  item: ({ layout }) => layout.break(1),
  table: ({ layout }) => layout.closeTable(),
  row: ({ layout }) => layout.breakRow(),
  cell: nothing,
  link: (renderer) => renderer.closeLink(),
  image: nothing,
  unseen: nothing,
};

function lineEndLength(source: string, at: number): number {
  if (source.startsWith("\r\n", at)) return 2;
  return source.startsWith("\n", at) ? 1 : 0;
}

/**
 * Normalizes an address for comparison: without angle brackets, scheme, `www.`, mailto query, closing slash and case.
 */
function bareAddress(address: string): string {
  let bare = address.toLowerCase();
  if (bare.startsWith("<") && bare.endsWith(">")) bare = bare.slice(1, -1);
  if (bare.startsWith("mailto:")) {
    bare = bare.slice("mailto:".length);
    const query = bare.indexOf("?");
    if (query >= 0) bare = bare.slice(0, query);
  }
  for (const prefix of ["http://", "https://", "www."]) if (bare.startsWith(prefix)) bare = bare.slice(prefix.length);
  return bare.endsWith("/") ? bare.slice(0, -1) : bare;
}
