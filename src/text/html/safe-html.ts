import { decodeHTMLAttribute } from "entities";
import { namesSymbolFont, symbolText } from "../../charset/symbol-fonts.ts";
import { wordSet } from "../../mail/words/word-table.ts";
import { decodeReferences } from "./character-references.ts";
import { safeDeclarations } from "./css-declarations.ts";
import { rulesOfPage } from "./hidden-style.ts";
import { MarkRunBreaker } from "./html-mark-runs.ts";
import { HtmlTokenizer } from "./html-tokenizer.ts";
import { OpenElements } from "./open-elements.ts";
import { type SafeRule, safeRules } from "./safe-css.ts";
import { StyledElements } from "./styled-elements.ts";

/** Elements allowed in the page, with an end tag. All others are removed, and their content stays. */
const ELEMENTS = wordSet(
  "a abbr acronym address article aside b bdi bdo big blockquote caption center cite code colgroup dd del " +
    "details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header i ins kbd li main mark " +
    "menu nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot " +
    "th thead time tr tt u ul var",
);
/** Elements without an end tag. */
const VOID_ELEMENTS: ReadonlySet<string> = new Set(["br", "col", "hr", "wbr"]);
/** Elements removed with their content: scripts, embedded content, forms, and content with other parsing rules. */
const DROPPED = wordSet(
  "applet audio canvas iframe math noembed noframes object script select svg template textarea title video xml " +
    "xmp",
);

const anyText = (text: string): boolean => text.length <= 1000;
const word = (text: string): boolean => /^[\w-]{1,40}$/.test(text);
const color = (text: string): boolean => /^#?\w{1,30}$/.test(text);
const length = (text: string): boolean => /^\d{1,5}(?:px|%)?$/.test(text);
/** Maximum cells covered by one cell: more than in tables of mail, since a browser lays out each. */
const span = (text: string): boolean => /^\d{1,2}$/.test(text);
const sizeOfFont = (text: string): boolean => /^[+-]?\d{1,2}$/.test(text);

/** Attributes allowed on any element, with their allowed values. */
const ATTRIBUTES: readonly (readonly [string, (value: string) => boolean])[] = [
  ["class", anyText],
  ["id", anyText],
  ["title", anyText],
  ["lang", word],
  ["dir", word],
  ["align", word],
  ["valign", word],
  ["bgcolor", color],
  ["color", color],
  ["face", anyText],
  ["size", sizeOfFont],
  ["width", length],
  ["height", length],
  ["border", length],
  ["cellpadding", length],
  ["cellspacing", length],
  ["colspan", span],
  ["rowspan", span],
  ["span", span],
  ["nowrap", word],
  ["type", word],
  ["start", length],
];

/** Image types that browsers draw without running anything, embedded in the page. */
const PICTURE_DATA = /^data:image\/(?:png|gif|jpe?g|webp|bmp);base64,[\w+/=%\s]*$/i;
/** A remote image. */
const REMOTE = /^(?:https?:|ftp:)?\/\//i;
/** Allowed link schemes. */
const LINK_SCHEMES: readonly string[] = ["http:", "https:", "mailto:", "tel:"];
/** Maximum characters of the address that a link shows. */
const MAX_SHOWN_ADDRESS = 300;
/** Largest image, in pixels, that counts as a tracking pixel. */
const MAX_MARK_PIXELS = 2;

/** Pairs of a selector and an element that a browser matches in about a second; newsletters have about 100,000. */
const MAX_MATCHES = 4_000_000;

const STYLE = [
  ":root{color-scheme:light}",
  "body{margin:12px;background:#fff;color:#000;font:15px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}",
  "img{max-width:100%;height:auto}pre{white-space:pre-wrap}",
  ".archivetool-image{border:1px dashed #767676;padding:0 .3em;color:#595959}",
].join("");

/** The HTML of a message as a page that makes no requests. */
interface SafePage {
  /** "" for a page with too many elements, which would block the browser. */
  readonly html: string;
  /** Number of remote images replaced by placeholders, not requested. */
  readonly remoteImages: number;
}

/**
 * Rewrites the HTML of a message: every tag and attribute of the result is generated from a table, so that nothing in
 * the mail runs or is fetched. Linear; never throws. A content security policy that forbids both is the first line of
 * defense.
 * @param fileOf address of the part with a Content-ID; null if there is none
 */
export function safePage(html: string, fileOf: (contentId: string) => string | null): SafePage {
  const writer = new SafeHtmlWriter(html, fileOf);
  const body = writer.write();
  const { remoteImages } = writer;
  if (writer.isTooMuch) return { html: "", remoteImages };
  const head = `<meta charset="utf-8"><style>${STYLE}</style><style>${writer.styleSheet()}</style>`;
  return {
    html: `<!doctype html><html data-remote-images="${remoteImages}"><head>${head}</head><body>${body}</body></html>`,
    remoteImages,
  };
}

class SafeHtmlWriter {
  private readonly rules: SafeRule[] = [];
  remoteImages = 0;
  private readonly tokens: HtmlTokenizer;
  private readonly open = new OpenElements();
  private readonly marks = new MarkRunBreaker();
  private readonly written: string[] = [];
  /** Null if no font of the page has symbols in place of letters; few computers have these fonts. */
  private readonly styled: StyledElements | null;

  constructor(
    html: string,
    private readonly fileOf: (contentId: string) => string | null,
  ) {
    this.tokens = new HtmlTokenizer(html);
    this.styled = namesSymbolFont(html) ? new StyledElements(html, rulesOfPage(html)) : null;
  }

  get isTooMuch(): boolean {
    return this.open.isTooMuch;
  }

  write(): string {
    const { tokens, written } = this;
    for (let hasTag = true; hasTag && !this.open.isTooMuch; ) {
      hasTag = tokens.next();
      written.push(this.marks.write(this.text(tokens.html.slice(tokens.textStart, tokens.textEnd))));
      if (!hasTag) break;
      this.follow();
      this.writeTag();
    }
    return written.join("");
  }

  private text(source: string): string {
    const symbols = this.styled?.symbols ?? null;
    return symbols === null ? safeText(source) : escaped(symbolText(decodeReferences(source), symbols));
  }

  private follow(): void {
    const { name, isEndTag } = this.tokens;
    if (name === "") return;
    if (isEndTag) this.styled?.end(name);
    else this.styled?.start(this.tokens);
  }

  private writeTag(): void {
    const { tokens, written } = this;
    // The page already has a body element; only the colors of this one are kept.
    const name = tokens.name === "body" ? "div" : tokens.name;
    if (tokens.isEndTag) {
      if (ELEMENTS.has(name) && this.open.end(name)) written.push(`</${name}>`);
    } else if (DROPPED.has(name)) tokens.skipContent(name);
    else if (name === "style") this.keepStyle();
    else if (name === "img") this.writeImage();
    else if (VOID_ELEMENTS.has(name) ? this.open.takeVoid() : ELEMENTS.has(name) && this.open.start(name))
      written.push(`<${name}${this.attributes()}${name === "a" ? this.link() : ""}>`);
  }

  private keepStyle(): void {
    const { tokens } = this;
    const start = tokens.attributesEnd + 1;
    if (!tokens.skipContent("style")) return;
    const close = /<\/style(?![a-z])/gi;
    close.lastIndex = start;
    this.rules.push(...safeRules(tokens.html.slice(start, close.exec(tokens.html)?.index)));
  }

  /** The rules of all style sheets, in order, as many as a browser can match with the elements. */
  styleSheet(): string {
    let budget = MAX_MATCHES / Math.max(1, this.open.count);
    return this.rules
      .filter(({ selectors }) => {
        budget -= selectors;
        return budget >= 0;
      })
      .map(({ css }) => css)
      .join("\n");
  }

  private value(name: string): string | null {
    const raw = this.tokens.attribute(name);
    return raw === null || !raw.includes("&") ? raw : decodeHTMLAttribute(raw);
  }

  private attributes(): string {
    if (this.tokens.attributesEnd === this.tokens.attributesStart) return "";
    const isLink = this.tokens.name === "a";
    const written = ATTRIBUTES.map(([name, isSafe]) => {
      const value = isLink && name === "title" ? null : this.value(name);
      return value !== null && isSafe(value) ? attribute(name, value) : "";
    });
    const style = safeDeclarations(this.value("style") ?? "");
    return written.join("") + (style === "" ? "" : attribute("style", style));
  }

  /** A link shows its target, sends no referrer, and opens in a new tab. */
  private link(): string {
    const href = this.value("href")?.trim() ?? "";
    if (/^#[\w.-]{1,200}$/.test(href)) return attribute("href", href);
    const url = URL.canParse(href) ? new URL(href) : null;
    if (url === null || !LINK_SCHEMES.includes(url.protocol)) return "";
    const address = attribute("href", url.href) + attribute("title", url.href.slice(0, MAX_SHOWN_ADDRESS));
    return `${address} rel="noreferrer noopener" target="_blank"`;
  }

  private writeImage(): void {
    this.open.takeVoid();
    const source = this.value("src")?.trim() ?? "";
    const file = /^cid:/i.test(source) ? this.fileOf(decodedId(source.slice("cid:".length))) : null;
    const local = file ?? (PICTURE_DATA.test(source) ? source : null);
    const alt = this.value("alt") ?? "";
    if (local !== null) {
      this.written.push(`<img${this.attributes()}${attribute("src", local)}${attribute("alt", alt)} loading="lazy">`);
      return;
    }
    if (!REMOTE.test(source)) return;
    this.remoteImages++;
    if (!this.isMark()) this.written.push(placeholder(this.remoteImages, alt));
  }

  private isMark(): boolean {
    return ["width", "height"].some((name) => {
      const pixels = /^(\d{1,5})(?:px)?$/.exec(this.value(name) ?? "")?.[1];
      return pixels !== undefined && Number(pixels) <= MAX_MARK_PIXELS;
    });
  }
}

function placeholder(number: number, alt: string): string {
  const description = alt.trim().slice(0, MAX_SHOWN_ADDRESS);
  return `<span class="archivetool-image">[image ${number}${description === "" ? "" : `: ${escaped(description)}`}]</span>`;
}

/** A Content-ID in an address may be percent-encoded (RFC 2392). */
function decodedId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function attribute(name: string, value: string): string {
  return ` ${name}="${escaped(value)}"`;
}

function escaped(text: string): string {
  return safeText(text.replaceAll("&", "&amp;")).replaceAll('"', "&quot;");
}

/** Text between tags, with its references, safe in any context. */
function safeText(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
