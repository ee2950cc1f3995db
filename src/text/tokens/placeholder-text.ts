import { tokensOf } from "./tokens.ts";

/**
 * Maximum UTF-16 units of a plain part that can be a placeholder for an HTML part: a longer one was written to be read.
 */
const MAX_PLACEHOLDER_LENGTH = 800;
/** UTF-16 units of the HTML part's text that are compared: enough to see whether the plain part repeats it. */
const COMPARED_LENGTH = 10_000;
/** A plain part with less than this share of the different words of the HTML part does not repeat it. */
const REPEATED_SHARE = 0.25;
/** Minimum distinct words of the HTML part that must be missing: fewer are the name of a picture or a link. */
const MIN_MISSING_WORDS = 3;

/** True if a plain part is so short that the HTML part of its message may have other content. */
export function mayBePlaceholder(plain: string): boolean {
  return plain.length <= MAX_PLACEHOLDER_LENGTH;
}

/**
 * True if the plain part of a message shares hardly any word with its HTML part: it only refers to it, in any
 * language. @param htmlText the HTML part as text
 */
export function isPlaceholder(plain: string, htmlText: string): boolean {
  if (!mayBePlaceholder(plain)) return false;
  const plainTokens = new Set(tokensOf(plain));
  const words = new Set(tokensOf(htmlText.slice(0, COMPARED_LENGTH)));
  let repeated = 0;
  for (const word of words) if (plainTokens.has(word)) repeated++;
  return words.size - repeated >= MIN_MISSING_WORDS && repeated < words.size * REPEATED_SHARE;
}
