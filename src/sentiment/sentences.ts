import { TextUnits } from "../text/text-units.ts";

/** Characters of a text that are read, and sentences of it that are scored: the tone of a message shows early, and a report has none. */
const MAX_CHARACTERS = 20_000;
const MAX_SENTENCES = 200;
/** Longest line that is a greeting or a closing, in words and characters. */
const MAX_COURTESY_WORDS = 5;
const MAX_COURTESY_CHARACTERS = 60;
/** Lines from the end among which a closing is looked for: behind it only a name and an address follow. */
const CLOSING_REACH = 8;

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const GREETINGS = words("hi hello hey dear greetings good gentlemen ladies team all folks everyone guys howdy");
const CLOSINGS = words(
  "thanks thank thx tx many best kind warm warmest regards rgds cheers sincerely yours respectfully cordially love take have hope with talk see",
);
/** Second words that make a greeting or closing of a first word that is none by itself; the others need no second. */
const SECONDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["good", words("morning afternoon evening day")],
  ["many", words("thanks")],
  ["best", words("regards wishes best,")],
  ["kind", words("regards")],
  ["warm", words("regards")],
  ["have", words("a")],
  ["take", words("care")],
  ["hope", words("this")],
  ["with", words("best kind warm")],
  ["talk", words("to soon")],
  ["see", words("you")],
]);

const NEWLINE = 0x0a;
const BLANK = 0x20;

/** True for a short line that opens with one of the words: courtesy says nothing about the tone. */
function isCourtesy(line: string, openers: ReadonlySet<string>): boolean {
  const text = line.trim();
  if (text.length > MAX_COURTESY_CHARACTERS) return false;
  const lower = text.toLowerCase();
  // Most lines open with another word: only the others are cut up.
  const opener = /[a-z']+/.exec(lower)?.[0] ?? "";
  if (!openers.has(opener)) return false;
  const parts = lower.match(/[a-z']+/g) ?? [];
  const seconds = SECONDS.get(opener);
  return parts.length <= MAX_COURTESY_WORDS && (seconds === undefined || parts[1] === undefined || seconds.has(parts[1]));
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Where the text begins behind its greeting; its length when it has nothing else. */
function behindGreeting(text: string): number {
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (line.trim() !== "") return isCourtesy(line, GREETINGS) ? Math.min(end + 1, text.length) : start;
    start = end + 1;
  }
  return text.length;
}

/** Where the closing among the last lines begins, `start` or later; the length of the text when it has none. */
function closingStart(text: string, start: number): number {
  let from = text.lastIndexOf("\n") + 1;
  for (let line = 1; line < CLOSING_REACH && from > start; line++) from = from < 2 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
  for (let at = Math.max(from, start); at < text.length; ) {
    const end = endOfLine(text, at);
    if (isCourtesy(text.slice(at, end), CLOSINGS)) return at;
    at = end + 1;
  }
  return text.length;
}

const isEnd = (code: number): boolean => code === 0x2e || code === 0x21 || code === 0x3f;

/** White space beyond ASCII, as `String.trim` knows it. */
const FOREIGN_WHITE: ReadonlySet<number> = new Set(
  Array.from(
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    (white) => white.charCodeAt(0),
  ),
);
const isWhite = (code: number): boolean => (code < 0x80 ? code === BLANK || (code >= 9 && code <= 13) : FOREIGN_WHITE.has(code));

/**
 * The author's sentences that can carry tone, in order; greeting and closing left out. Blank lines end a sentence, other line breaks do not.
 * One reader serves any number of texts: `load`, then `next` until it returns false. After it returned true a sentence lies in `units`
 * from `start` to `end`, where it may be written to.
 */
export class ToneSentences {
  start = 0;
  end = 0;
  private readonly text = new TextUnits();
  private count = 0;
  /** Where the next line begins, and where the lines end. */
  private line = 0;
  private linesEnd = 0;
  /** What is left of a paragraph: lines drawn together, a blank between. */
  private rest = 0;
  private paragraphEnd = 0;

  get units(): Uint16Array {
    return this.text.units;
  }

  load(ownText: string): void {
    const text = ownText.length > MAX_CHARACTERS ? ownText.slice(0, MAX_CHARACTERS) : ownText;
    this.text.load(text);
    this.count = 0;
    this.line = behindGreeting(text);
    this.linesEnd = closingStart(text, this.line);
    this.rest = 0;
    this.paragraphEnd = 0;
  }

  /** Moves to the next sentence: up to ".", "!" or "?" with a blank behind, or to the end of the paragraph. */
  next(): boolean {
    if (this.count === MAX_SENTENCES || (this.rest >= this.paragraphEnd && !this.readParagraph())) return false;
    const { units, rest, paragraphEnd } = this;
    let last = rest;
    while (last < paragraphEnd - 1 && !(units[last + 1] === BLANK && isEnd(units[last]!))) last++;
    this.count += 1;
    this.start = rest;
    this.end = last + 1;
    this.rest = last + 2;
    return true;
  }

  /** Draws the lines up to the next blank one together, where they lie; false when none are left. */
  private readParagraph(): boolean {
    const { units, linesEnd } = this;
    let end = -1;
    while (this.line < linesEnd) {
      let first = this.line;
      let lineEnd = first;
      while (lineEnd < linesEnd && units[lineEnd] !== NEWLINE) lineEnd++;
      this.line = lineEnd + 1;
      while (first < lineEnd && isWhite(units[first]!)) first++;
      while (lineEnd > first && isWhite(units[lineEnd - 1]!)) lineEnd--;
      if (first === lineEnd && end >= 0) break;
      if (first === lineEnd) continue;
      if (end < 0) {
        this.rest = first;
        end = lineEnd;
        continue;
      }
      units[end++] = BLANK;
      if (end < first) units.copyWithin(end, first, lineEnd);
      end += lineEnd - first;
    }
    this.paragraphEnd = end;
    return end >= 0;
  }
}
