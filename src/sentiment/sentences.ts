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

/** True for a short line that opens with one of the words: courtesy says nothing about the tone. */
function isCourtesy(line: string, openers: ReadonlySet<string>): boolean {
  if (line.length > MAX_COURTESY_CHARACTERS) return false;
  const parts = line.toLowerCase().match(/[a-z']+/g);
  if (parts === null || parts.length > MAX_COURTESY_WORDS || !openers.has(parts[0]!)) return false;
  const seconds = SECONDS.get(parts[0]!);
  return seconds === undefined || parts[1] === undefined || seconds.has(parts[1]);
}

/** A stretch of lines. */
interface LineRange {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Lines of the text without the greeting at its head and without everything from the closing on. They still have their outer blanks. */
function bodyLines(text: string): LineRange {
  const lines = text.slice(0, MAX_CHARACTERS).split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first === -1) return { lines, start: 0, end: 0 };
  const start = isCourtesy(lines[first]!.trim(), GREETINGS) ? first + 1 : first;
  for (let index = Math.max(start, lines.length - CLOSING_REACH); index < lines.length; index++) {
    if (isCourtesy(lines[index]!.trim(), CLOSINGS)) return { lines, start, end: index };
  }
  return { lines, start, end: lines.length };
}

const isEnd = (code: number): boolean => code === 0x2e || code === 0x21 || code === 0x3f;

/** Cuts a paragraph behind ".", "!" and "?" that white space follows. */
function cutSentences(paragraph: string, sentences: string[]): void {
  let start = 0;
  for (let index = 0; index < paragraph.length; index++) {
    if (!isEnd(paragraph.charCodeAt(index)) || paragraph.charCodeAt(index + 1) !== 0x20) continue;
    sentences.push(paragraph.slice(start, index + 1));
    start = index + 2;
  }
  if (start < paragraph.length) sentences.push(paragraph.slice(start));
}

/**
 * The author's sentences that can carry tone, in order; greeting and closing left out. Blank lines end a sentence, other line breaks do not.
 * They are cut as they are asked for: most readers stop early.
 */
export function* toneSentences(ownText: string): Generator<string> {
  const { lines, start, end } = bodyLines(ownText);
  let paragraph = "";
  let count = 0;
  for (let index = start; index <= end; index++) {
    const line = index === end ? "" : lines[index]!.trim();
    if (line !== "") paragraph += paragraph === "" ? line : ` ${line}`;
    else if (paragraph !== "") {
      const sentences: string[] = [];
      cutSentences(paragraph, sentences);
      paragraph = "";
      for (const sentence of sentences) {
        if (count === MAX_SENTENCES) return;
        count++;
        yield sentence;
      }
    }
  }
}
