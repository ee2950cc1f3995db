import {
  APOSTROPHE,
  EQUALS,
  EXCLAMATION_MARK,
  GREATER_THAN,
  isAsciiLetter,
  LESS_THAN,
  QUESTION_MARK,
  QUOTE,
  SLASH,
} from "../../mail/words/ascii.ts";

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/**
 * Splits HTML into tags and text (WHATWG HTML section 13.2.5, the part that mail needs). Linear for any input: each
 * kind of unbounded search is disabled for the rest of the document after its first failure, so a page of unclosed
 * openings costs one pass. Unlike in a browser, an unclosed comment or tag does not swallow the text after it: in an
 * archive, lost text is worse than a stray mark.
 */
export class HtmlTokenizer {
  /** Text before the current tag: `html.slice(textStart, textEnd)`. */
  textStart = 0;
  textEnd = 0;
  /** Lower-case element name; "" for comments, declarations and the end of the document. */
  name = "";
  isEndTag = false;
  attributesStart = 0;
  attributesEnd = 0;

  private position = 0;
  private tagsRemain = true;
  private commentsClose = true;
  private quotesMatter = true;
  private doubleQuotesRemain = true;
  private singleQuotesRemain = true;
  private readonly unclosedRaw = new Set<string>();

  constructor(readonly html: string) {}

  /** Moves to the next tag; returns false if only text was left (it is then between textStart and textEnd). */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the ways in which tags of mail are broken, each with where reading goes on
  next(): boolean {
    const { html } = this;
    this.textStart = this.position;
    this.name = "";
    let at = this.position;
    while (this.tagsRemain) {
      at = html.indexOf("<", at);
      if (at < 0) break;
      const code = html.charCodeAt(at + 1);
      if (isAsciiLetter(code) || (code === SLASH && isAsciiLetter(html.charCodeAt(at + 2)))) {
        if (this.readTag(at)) return true;
      } else if (code === EXCLAMATION_MARK || code === QUESTION_MARK || code === SLASH) {
        if (this.readDeclaration(at)) return true;
      }
      at++;
    }
    this.textEnd = html.length;
    this.position = html.length;
    return false;
  }

  /**
   * Skips the content of the last start tag, through its end tag; false, without skipping, if there is none. For
   * elements whose content is not markup (`script`, `style`).
   */
  skipContent(name: string): boolean {
    if (this.unclosedRaw.has(name)) return false;
    const { html } = this;
    let at = html.indexOf("</", this.position);
    while (at >= 0) {
      const end = at + 2 + name.length;
      if (html.slice(at + 2, end).toLowerCase() === name && !isAsciiLetter(html.charCodeAt(end))) {
        const close = html.indexOf(">", end);
        this.position = close < 0 ? html.length : close + 1;
        return true;
      }
      at = html.indexOf("</", at + 2);
    }
    this.unclosedRaw.add(name);
    return false;
  }

  /** Skips the rest of the document. */
  skipRest(): void {
    this.position = this.html.length;
  }

  /**
   * Raw value of an attribute of the current tag; "" if it has no value, null if it is missing. Character references
   * stay.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the ways in which tags of mail are broken, each with where reading goes on
  attribute(wanted: string): string | null {
    const { html, attributesEnd } = this;
    let at = this.attributesStart;
    while (at < attributesEnd) {
      const code = html.charCodeAt(at);
      if (isSpace(code) || code === SLASH) {
        at++;
        continue;
      }
      const nameStart = at;
      at = this.endOfAttributeName(at + 1);
      const isWanted = at - nameStart === wanted.length && html.slice(nameStart, at).toLowerCase() === wanted;
      const valueStart = this.startOfValue(at);
      if (valueStart < 0) {
        if (isWanted) return "";
        continue;
      }
      const quote = html.charCodeAt(valueStart);
      const isQuoted = quote === QUOTE || quote === APOSTROPHE;
      const valueEnd = isQuoted ? this.endOfQuoted(valueStart) : this.endOfUnquoted(valueStart);
      if (isWanted) return html.slice(isQuoted ? valueStart + 1 : valueStart, valueEnd);
      at = isQuoted ? valueEnd + 1 : valueEnd;
    }
    return null;
  }

  private readTag(start: number): boolean {
    const { html } = this;
    this.isEndTag = html.charCodeAt(start + 1) === SLASH;
    const nameStart = this.isEndTag ? start + 2 : start + 1;
    let nameEnd = nameStart + 1;
    for (let code = html.charCodeAt(nameEnd); ; code = html.charCodeAt(++nameEnd)) {
      if (isSpace(code) || code === SLASH || code === GREATER_THAN || code === LESS_THAN || Number.isNaN(code)) break;
    }
    const end = this.endOfTag(nameEnd);
    if (end < 0) return false;
    this.name = html.slice(nameStart, nameEnd).toLowerCase();
    this.textEnd = start;
    this.attributesStart = nameEnd;
    this.attributesEnd = end;
    this.position = end + 1;
    return true;
  }

  /** Index of the `>` that ends a tag, outside quoted attribute values; -1 if there is none. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the ways in which tags of mail are broken, each with where reading goes on
  private endOfTag(from: number): number {
    const { html } = this;
    if (this.quotesMatter) {
      let isAfterEquals = false;
      for (let at = from; at < html.length; at++) {
        const code = html.charCodeAt(at);
        if (code === GREATER_THAN) return at;
        if (isAfterEquals && (code === QUOTE || code === APOSTROPHE)) {
          const close = this.closingQuote(at, code);
          if (close >= 0) at = close;
          isAfterEquals = false;
        } else if (!isSpace(code)) {
          isAfterEquals = code === EQUALS;
        }
      }
      // From here on no tag ends outside quotes: one quote is unbalanced, so quotes are ignored.
      this.quotesMatter = false;
    }
    const end = html.indexOf(">", from);
    if (end < 0) this.tagsRemain = false;
    return end;
  }

  private closingQuote(open: number, quote: number): number {
    const isDouble = quote === QUOTE;
    if (!(isDouble ? this.doubleQuotesRemain : this.singleQuotesRemain)) return -1;
    const close = this.html.indexOf(isDouble ? '"' : "'", open + 1);
    if (close < 0) {
      if (isDouble) this.doubleQuotesRemain = false;
      else this.singleQuotesRemain = false;
    }
    return close;
  }

  /**
   * Comments, doctypes, processing instructions and Outlook's `<![if …]>` are dropped; the content of a revealed
   * conditional stays.
   */
  private readDeclaration(start: number): boolean {
    const { html } = this;
    let end = -1;
    if (this.commentsClose && html.startsWith("<!--", start)) {
      if (html.startsWith(">", start + 4)) end = start + 4;
      else if (html.startsWith("->", start + 4)) end = start + 5;
      else {
        const close = html.indexOf("-->", start + 4);
        if (close < 0) this.commentsClose = false;
        else end = close + 2;
      }
    }
    if (end < 0) end = html.indexOf(">", start + 2);
    if (end < 0) {
      this.tagsRemain = false;
      return false;
    }
    this.isEndTag = false;
    this.textEnd = start;
    this.attributesStart = end;
    this.attributesEnd = end;
    this.position = end + 1;
    return true;
  }

  private endOfAttributeName(from: number): number {
    let at = from;
    while (at < this.attributesEnd) {
      const code = this.html.charCodeAt(at);
      if (isSpace(code) || code === SLASH || code === EQUALS) break;
      at++;
    }
    return at;
  }

  private startOfValue(from: number): number {
    let at = from;
    while (at < this.attributesEnd && isSpace(this.html.charCodeAt(at))) at++;
    if (at >= this.attributesEnd || this.html.charCodeAt(at) !== EQUALS) return -1;
    at++;
    while (at < this.attributesEnd && isSpace(this.html.charCodeAt(at))) at++;
    return at;
  }

  private endOfQuoted(open: number): number {
    const quote = this.html.charCodeAt(open);
    for (let at = open + 1; at < this.attributesEnd; at++) if (this.html.charCodeAt(at) === quote) return at;
    return this.attributesEnd;
  }

  private endOfUnquoted(from: number): number {
    let at = from;
    while (at < this.attributesEnd && !isSpace(this.html.charCodeAt(at))) at++;
    return at;
  }
}
