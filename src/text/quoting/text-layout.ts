import { StringBuilder } from "../../mail/words/text-pieces.ts";

/** Maximum UTF-16 units of a page, as kept of a message: list marks and quotations can increase a page tenfold. */
export const MAX_LAID_OUT_LENGTH = 32 << 20;

/**
 * Maximum levels of quotation that are drawn; deeper ones look like this one (20,000 nested quotes would make every
 * line 40 kB long).
 */
const MAX_QUOTE_DEPTH = 10;

/** Maximum levels of lists that are indented, for the same reason. */
const MAX_LIST_DEPTH = 10;

/** Maximum characters of a link's text compared with its address; a longer text is not an address. */
const MAX_LINK_TEXT = 2_100;

const QUOTE_PREFIXES = Array.from({ length: MAX_QUOTE_DEPTH + 1 }, (_, depth) => "> ".repeat(depth));

/** Outlook's rule, also above a quoted message, familiar in plain text. */
const RULE = "_".repeat(32);

const NO_BREAK_SPACE = 160;

/**
 * Soft hyphen, combining grapheme joiner, zero-width space, word joiner, byte order mark: newsletters fill their
 * previews with them.
 */
const INVISIBLE = /\u034f|[\u00ad\u200b\u2060\ufeff]/gu;

function isCollapsible(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === NO_BREAK_SPACE;
}

interface Row {
  /** True once a cell of the row has text. */
  readonly hasText: boolean;
  /** Number of the line on which its last cell began. */
  readonly cellLine: number;
}

/**
 * Collects text as it would be displayed: collapsed white space, lines, list marks, adjacent cells, quotations prefixed
 * by `> `.
 */
export class TextLayout {
  private readonly text = new StringBuilder();
  /** Line ends pending before the next text: 1 = new line, 2 = blank line between. */
  private breaks = 0;
  private owesSpace = false;
  /** A line of no-break spaces only, which is how Outlook writes a blank line. */
  private isSpacerLine = false;
  private listMark = "";
  private readonly lists: number[] = [];
  private quoteDepth = 0;
  private lineQuoteDepth = 0;
  private line = 0;
  private rowHasText = false;
  private cellLine = -1;
  private isCellStart = false;
  private readonly rows: Row[] = [];
  private linkText: string | null = null;
  private endsWithRule = false;

  toString(): string {
    return this.text.toString();
  }

  /** True if there is more text than is kept per message. */
  get isFull(): boolean {
    return this.text.length > MAX_LAID_OUT_LENGTH;
  }

  /** Adds running text of a source string between two offsets; runs of white space become one blank. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the text separates white space and words
  write(source: string, from: number, to: number): void {
    let at = from;
    while (at < to) {
      let code = source.charCodeAt(at);
      if (isCollapsible(code)) {
        if (code === NO_BREAK_SPACE && (this.breaks > 0 || this.text.length === 0)) this.isSpacerLine = true;
        this.owesSpace = true;
        at++;
        continue;
      }
      const start = at;
      let seen = 0;
      for (; at < to; at++) {
        code = source.charCodeAt(at);
        if (code === 32) {
          if (at + 1 < to && !isCollapsible(source.charCodeAt(at + 1))) continue;
          break;
        }
        if (isCollapsible(code)) break;
        seen |= code;
      }
      const piece = source.slice(start, at);
      this.append(seen < 128 ? piece : piece.replace(INVISIBLE, ""));
    }
  }

  /** Adds preformatted text: every blank and line end counts. */
  writePreformatted(source: string, from: number, to: number): void {
    let at = from;
    while (at < to) {
      const lineEnd = source.indexOf("\n", at);
      const end = lineEnd < 0 || lineEnd > to ? to : lineEnd;
      const visibleEnd = end > at && source.charCodeAt(end - 1) === 13 ? end - 1 : end;
      if (visibleEnd > at) this.append(source.slice(at, visibleEnd));
      if (end < to) this.breaks++;
      at = end + 1;
    }
  }

  /** A block begins or ends: 1 for a new line, 2 for a blank line. */
  break(lines: 1 | 2): void {
    this.owesSpace = false;
    if (this.isSpacerLine) {
      this.isSpacerLine = false;
      this.breaks = Math.max(2, this.breaks);
    }
    // Margins of paragraphs do not separate the rows of a table (Word puts one into every cell).
    const wanted = this.isCellStart ? 1 : lines;
    if (this.breaks < wanted) this.breaks = wanted;
  }

  /** `<br>`: ends a line with text, or adds a blank line. */
  breakLine(): void {
    this.owesSpace = false;
    this.isSpacerLine = false;
    if (this.breaks < 2) this.breaks++;
  }

  rule(): void {
    if (this.endsWithRule) return;
    this.break(1);
    this.append(RULE);
    this.endsWithRule = true;
    this.break(1);
  }

  openQuote(): void {
    this.quoteDepth++;
  }

  closeQuote(): void {
    if (this.quoteDepth > 0) this.quoteDepth--;
  }

  /** @param next number of the first item, or 0 for a list without numbers. */
  openList(next: number): void {
    this.break(this.lists.length === 0 ? 2 : 1);
    this.lists.push(next);
  }

  closeList(): void {
    this.lists.pop();
    this.listMark = "";
    this.break(this.lists.length === 0 ? 2 : 1);
  }

  /** @param number overrides the number of a numbered item; null to continue counting. */
  openItem(number: number | null): void {
    this.break(1);
    const depth = this.lists.length;
    const next = this.lists[depth - 1] ?? 0;
    const indent = "  ".repeat(Math.max(0, Math.min(depth, MAX_LIST_DEPTH) - 1));
    this.listMark = next === 0 ? `${indent}- ` : `${indent}${number ?? next}. `;
    if (next !== 0) this.lists[depth - 1] = (number ?? next) + 1;
  }

  openTable(): void {
    this.break(1);
    this.rows.push({ hasText: this.rowHasText, cellLine: this.cellLine });
    this.breakRow();
  }

  closeTable(): void {
    this.break(1);
    const outer = this.rows.pop();
    // Text next to a table inside a cell goes below the table: side by side they would merge.
    this.rowHasText = outer?.hasText ?? false;
    this.cellLine = -1;
    this.isCellStart = false;
  }

  breakRow(): void {
    this.isSpacerLine = false;
    this.break(1);
    if (this.rowHasText) this.breaks = 1;
    this.rowHasText = false;
    this.isCellStart = false;
  }

  /** The text of a cell continues the line of the previous cell if that has only one line. */
  openCell(): void {
    this.isSpacerLine = false;
    this.break(1);
    this.isCellStart = true;
  }

  openLink(): void {
    this.linkText = "";
  }

  /** Text since `openLink`, or null if no link is open. */
  closeLink(): string | null {
    const text = this.linkText;
    this.linkText = null;
    return text;
  }

  /** Appends a remark after a blank. */
  note(text: string): void {
    this.owesSpace = true;
    this.append(text);
  }

  private append(piece: string): void {
    if (piece === "") return;
    let before = "";
    if (this.isCellStart && this.rowHasText && this.cellLine === this.line) before = "  ";
    else if (this.breaks > 0 || this.text.length === 0) before = this.startLine();
    else if (this.owesSpace) before = " ";
    if (this.listMark !== "") {
      before += this.listMark;
      this.listMark = "";
    }
    if (this.isCellStart) {
      this.isCellStart = false;
      this.rowHasText = true;
      this.cellLine = this.line;
    }
    this.text.add(before === "" ? piece : before + piece);
    if (this.linkText !== null && this.linkText.length < MAX_LINK_TEXT)
      this.linkText += this.owesSpace ? ` ${piece}` : piece;
    this.breaks = 0;
    this.owesSpace = false;
    this.isSpacerLine = false;
    this.endsWithRule = false;
  }

  private startLine(): string {
    const depth = Math.min(this.quoteDepth, MAX_QUOTE_DEPTH);
    let start = QUOTE_PREFIXES[depth]!;
    if (this.text.length > 0) {
      this.line++;
      const between = QUOTE_PREFIXES[Math.min(depth, this.lineQuoteDepth)]!.trimEnd();
      start = `\n${`${between}\n`.repeat(this.breaks - 1)}${start}`;
    }
    this.lineQuoteDepth = depth;
    return start;
  }
}
