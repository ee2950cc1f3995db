import { LF, SPACE } from "../mail/words/ascii.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { TextUnits } from "../text/tokens/text-units.ts";
import { isEnd, type SentenceWords } from "./sentence-words.ts";

/**
 * Maximum characters read, and sentences scored, of a text: the tone of a message shows early, and a report has none.
 */
const MAX_CHARACTERS = 20_000;
const MAX_SENTENCES = 200;
/** Longest line that is a greeting or a closing, in words and characters. */
const MAX_COURTESY_WORDS = 5;
const MAX_COURTESY_CHARACTERS = 60;
/** Number of last lines searched for a closing, which only a name and an address follow. */
const CLOSING_REACH = 8;

const GREETINGS = wordSet("hi hello hey dear greetings good gentlemen ladies team all folks everyone guys howdy");
const CLOSINGS = wordSet(
  "thanks thank thx tx many best kind warm warmest regards rgds cheers sincerely yours respectfully cordially love take have hope with talk see",
);
/**
 * Second words that turn an otherwise ordinary first word into a greeting or closing; other first words need no second.
 */
const SECONDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["good", wordSet("morning afternoon evening day")],
  ["many", wordSet("thanks")],
  ["best", wordSet("regards wishes best,")],
  ["kind", wordSet("regards")],
  ["warm", wordSet("regards")],
  ["have", wordSet("a")],
  ["take", wordSet("care")],
  ["hope", wordSet("this")],
  ["with", wordSet("best kind warm")],
  ["talk", wordSet("to soon")],
  ["see", wordSet("you")],
]);

/** True for a short line that begins with one of the words: courtesy has no sentiment. */
function isCourtesy(line: string, openers: ReadonlySet<string>): boolean {
  const text = line.trim();
  if (text.length > MAX_COURTESY_CHARACTERS) return false;
  const lower = text.toLowerCase();
  // Most lines begin with another word: only the others are split.
  const opener = /[a-z']+/.exec(lower)?.[0] ?? "";
  if (!openers.has(opener)) return false;
  const parts = lower.match(/[a-z']+/g) ?? [];
  const seconds = SECONDS.get(opener);
  return (
    parts.length <= MAX_COURTESY_WORDS && (seconds === undefined || parts[1] === undefined || seconds.has(parts[1]))
  );
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Start of the text after its greeting; the end of the text if there is nothing else. */
function behindGreeting(text: string): number {
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (line.trim() !== "") return isCourtesy(line, GREETINGS) ? Math.min(end + 1, text.length) : start;
    start = end + 1;
  }
  return text.length;
}

/** Start of the closing among the last lines, from `start`; the end of the text if there is none. */
function closingStart(text: string, start: number): number {
  let from = text.lastIndexOf("\n") + 1;
  for (let line = 1; line < CLOSING_REACH && from > start; line++)
    from = from < 2 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
  for (let at = Math.max(from, start); at < text.length; ) {
    const end = endOfLine(text, at);
    if (isCourtesy(text.slice(at, end), CLOSINGS)) return at;
    at = end + 1;
  }
  return text.length;
}

/** Non-ASCII white space, as in `String.trim`. */
const FOREIGN_WHITE: ReadonlySet<number> = new Set(
  Array.from(
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    (white) => white.charCodeAt(0),
  ),
);
const isWhite = (code: number): boolean =>
  code < 0x80 ? code === SPACE || (code >= 9 && code <= 13) : FOREIGN_WHITE.has(code);

/**
 * The author's sentences that can carry tone, in order; without greeting and closing. Blank lines end a sentence, other
 * line breaks do not. One reader serves any number of texts: `load`, then `next` until it returns false.
 */
export class ToneSentences {
  private readonly text = new TextUnits();
  private count = 0;
  /** The rest of a line without outer white space; empty if everything was read. */
  private at = 0;
  private lineEnd = 0;
  /** Start of the next line, and end of the lines. */
  private line = 0;
  private linesEnd = 0;

  load(ownText: string): void {
    const text = ownText.length > MAX_CHARACTERS ? ownText.slice(0, MAX_CHARACTERS) : ownText;
    this.text.load(text);
    this.count = 0;
    this.at = 0;
    this.lineEnd = 0;
    this.line = behindGreeting(text);
    this.linesEnd = closingStart(text, this.line);
  }

  /**
   * Reads the words of the next sentence: up to ".", "!" or "?" before a blank or line break, or to the end of the
   * paragraph.
   */
  next(words: SentenceWords): boolean {
    words.clear();
    if (this.count === MAX_SENTENCES) return false;
    const { units } = this.text;
    let isBegun = false;
    while (this.at < this.lineEnd || this.readLine()) {
      const isBlank = this.at === this.lineEnd;
      if (isBlank && isBegun) break;
      if (isBlank) continue;
      isBegun = true;
      this.at = words.read(units, this.at, this.lineEnd);
      if (isEnd(units[this.at - 1]!)) break;
    }
    if (isBegun) this.count++;
    return isBegun;
  }

  /** Moves to the next line; false when none are left. */
  private readLine(): boolean {
    const { linesEnd, line } = this;
    const { units } = this.text;
    if (line >= linesEnd) return false;
    let end = line;
    while (end < linesEnd && units[end] !== LF) end++;
    this.line = end + 1;
    let first = line;
    while (first < end && isWhite(units[first]!)) first++;
    while (end > first && isWhite(units[end - 1]!)) end--;
    this.at = first;
    this.lineEnd = end;
    return true;
  }
}
