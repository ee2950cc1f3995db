import type { ClauseText } from "../shell/query-text.ts";

/** A part of a text, and whether it is a match. */
type MatchedPiece = readonly [text: string, isMatch: boolean];

/** Words to highlight: whole words, and prefixes and suffixes of words with wildcards. */
export interface HighlightedWords {
  readonly words: ReadonlySet<string>;
  readonly wildcards: readonly (readonly [start: string, end: string])[];
}

/** Words of a text; marks belong to their letters. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const WORD_OR_WILDCARD = /[\p{L}\p{N}\p{M}*?]+/gu;
const COMBINING = /\p{M}+/gu;
/** Kinds of clauses with words to highlight. */
const TEXT_KINDS: readonly string[] = ["words", "phrase", "prefix", "group"];

/** Words to highlight, including those matched by stems; without excluded words and values of operators. */
export function highlightedWords(
  clauses: readonly (Pick<ClauseText, "kind" | "text" | "is_excluded"> & { readonly forms: readonly string[] })[],
): HighlightedWords {
  const parts = clauses
    .filter(({ kind, is_excluded }) => !is_excluded && TEXT_KINDS.includes(kind))
    .flatMap(({ text }) => text.split(/\s+/))
    .filter((part) => !/^-|^OR$|^\(*[\w-]+:/.test(part))
    .flatMap((part) => part.match(WORD_OR_WILDCARD) ?? [])
    .map(folded);
  const wild = parts.filter((part) => /[*?](?!$)|\*$/.test(part)).map((part) => part.split(/[*?]+/));
  return {
    words: new Set([
      ...parts.filter((part) => /^[^*?]+\??$/.test(part)).map((part) => part.replace("?", "")),
      ...clauses.flatMap(({ forms }) => forms),
    ]),
    wildcards: wild.map((pieces) => [pieces[0]!, pieces.at(-1)!] as const).filter(([start, end]) => start + end !== ""),
  };
}

/** Splits a text into matches and the text between them. */
export function matchedPieces(text: string, sought: HighlightedWords): readonly MatchedPiece[] {
  if (sought.words.size === 0 && sought.wildcards.length === 0) return [[text, false]];
  const pieces: MatchedPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const word = folded(match[0]);
    if (
      !sought.words.has(word) &&
      !sought.wildcards.some(([start, end]) => word.startsWith(start) && word.endsWith(end))
    )
      continue;
    if (match.index > end) pieces.push([text.slice(end, match.index), false]);
    pieces.push([match[0], true]);
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push([text.slice(end), false]);
  return pieces;
}

/** Ignores case and accents. */
function folded(word: string): string {
  return word.normalize("NFD").replace(COMBINING, "").toLowerCase();
}
