import { NOTICE_SIGNS } from "./mail-phrases.ts";

/** Maximum characters of a sentence on either side of such words. */
const MAX_REACH = 400;

/**
 * Words of the line that German law requires below business mail: managing directors, court of registration, tax
 * number.
 */
const CARD_SIGNS: readonly string[] = [
  "geschäftsführ(?:er|ung|erin|erinnen)(?:/in)?:",
  "geschaeftsfuehr(?:er|ung|erin):",
  "amtsgericht[^.\\n]{0,40}?\\bhr[ab]\\b",
  "\\bhr[ab][ :]{1,3}\\d",
  "handelsregister",
  "\\bust\\.?-?\\s?id",
  "aufsichtsrats?(?:vorsitzende[rn]?)?:",
];
/** Paragraphs that Mailman writes above a digest. */
const DIGEST_SIGNS: readonly string[] = [
  "mailing list submissions to",
  "subscribe or unsubscribe via",
  "the person managing the list",
  "edit your subject line so",
];
/** The first group matches a company card, the others legal notices. */
const SIGN = new RegExp(`(${CARD_SIGNS.join("|")})|${[...NOTICE_SIGNS, ...DIGEST_SIGNS].join("|")}`, "gi");
const SENTENCE_START = /[.!?*_]\s|\n\s*\n/g;
const SENTENCE_END = /[.!?](?=\s|$)|\n\s*\n/g;

/**
 * Returns a text without sentences that occur only in legal notices or in the header of a digest, and without lines of
 * German company cards; in most cases the text itself.
 */
export function withoutNotices(text: string): string {
  let kept = "";
  let end = 0;
  SIGN.lastIndex = 0;
  for (let sign = SIGN.exec(text); sign !== null; sign = SIGN.exec(text)) {
    const found = { start: sign.index, end: sign.index + sign[0].length, floor: end };
    const removed = sign[1] === undefined ? sentenceAround(text, found) : lineAround(text, found);
    kept += text.slice(end, removed.start);
    end = removed.end;
    SIGN.lastIndex = end;
  }
  return end === 0 ? text : kept + text.slice(end);
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

function sentenceAround(text: string, found: TextRange & { readonly floor: number }): TextRange {
  const floor = Math.max(found.floor, found.start - MAX_REACH);
  let start = floor;
  for (const { index } of text.slice(floor, found.start).matchAll(SENTENCE_START)) start = floor + index + 1;
  SENTENCE_END.lastIndex = 0;
  const stop = SENTENCE_END.exec(text.slice(found.end, found.end + MAX_REACH));
  const length = stop === null ? Math.min(MAX_REACH, text.length - found.end) : stop.index + 1;
  return { start, end: found.end + length };
}

/** The line of a company card, at most MAX_REACH characters on either side. */
function lineAround(text: string, found: TextRange & { readonly floor: number }): TextRange {
  const lineStart = text.lastIndexOf("\n", found.start) + 1;
  const lineEnd = text.indexOf("\n", found.end);
  return {
    start: Math.max(found.floor, lineStart, found.start - MAX_REACH),
    end: Math.min(lineEnd < 0 ? text.length : lineEnd, found.end + MAX_REACH),
  };
}
