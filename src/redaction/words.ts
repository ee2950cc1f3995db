import type { Span } from "./characters.ts";
import { markerAt, markerOf } from "./marker.ts";

/** Maximum characters between two words of a phrase: a line end with quote marks, or punctuation. */
const MAX_GAP = 16;
/** Maximum words of a phrase. */
export const MAX_PHRASE_WORDS = 32;

/**
 * A run of letters and digits with their marks; in scripts without spaces, each letter. Also matches the beginning of
 * a marker, so that markers are skipped.
 */
const WORD =
  /\[REDACTED:|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}])+/gu;

/** Continuations of a word, by the next word. */
interface Branch {
  readonly next: Map<string, Branch>;
  /** True if a word or phrase of the list ends here. */
  isEnd: boolean;
}

/** Redacted words and phrases as a trie. */
export type WordTable = Branch;

/** A word without case and accents. */
function folded(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().toUpperCase().toLowerCase();
}

/** The words of a phrase in compared form; empty without letters and digits. */
export function wordsOf(phrase: string): readonly string[] {
  return Array.from(phrase.matchAll(WORD), ([word]) => folded(word)).filter((word) => word !== "");
}

const tables = new WeakMap<readonly string[], WordTable>();

/** The table of a list, created once. */
export function wordTable(phrases: readonly string[]): WordTable {
  const known = tables.get(phrases);
  if (known !== undefined) return known;
  const table: WordTable = { next: new Map(), isEnd: false };
  for (const phrase of phrases) {
    let branch = table;
    for (const word of wordsOf(phrase)) {
      const next = branch.next.get(word) ?? { next: new Map(), isEnd: false };
      branch.next.set(word, next);
      branch = next;
    }
    if (branch !== table) branch.isEnd = true;
  }
  tables.set(phrases, table);
  return table;
}

/** A word of a text; a marker has no compared letters. */
interface TextWord extends Span {
  readonly folded: string;
}

/** The words and phrases of a text in the table, the longest at each position, in order. */
export function findWords(text: string, table: WordTable): readonly Span[] {
  const words = textWords(text, table);
  const spans: Span[] = [];
  for (let at = 0; at < words.length; ) {
    const count = matchedWords(words, at, table);
    if (count > 0) spans.push({ start: words[at]!.start, end: words[at + count - 1]!.end });
    at += Math.max(1, count);
  }
  return spans;
}

function textWords(text: string, { next }: WordTable): readonly TextWord[] {
  const words: TextWord[] = [];
  const pattern = new RegExp(WORD);
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [word] = found;
    const start = found.index;
    const type = word.startsWith("[") ? markerAt(text, start) : null;
    if (word.startsWith("[")) pattern.lastIndex = type === null ? start + 1 : start + markerOf(type).length;
    else words.push({ start, end: pattern.lastIndex, folded: folded(word) });
    // A phrase does not extend into a marker.
    if (type !== null) words.push({ start, end: pattern.lastIndex, folded: "" });
  }
  return next.size === 0 ? [] : words;
}

/** Number of words of the longest phrase in the table that begins at a word. */
function matchedWords(words: readonly TextWord[], at: number, table: WordTable): number {
  let longest = 0;
  let branch = table.next.get(words[at]!.folded);
  for (let count = 1; branch !== undefined; count++) {
    if (branch.isEnd) longest = count;
    const [last, following] = [words[at + count - 1]!, words[at + count]];
    if (following === undefined || following.start - last.end > MAX_GAP) break;
    branch = branch.next.get(following.folded);
  }
  return longest;
}
