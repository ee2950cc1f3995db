import { textHash } from "../columns/key-nodes.ts";

/** Number of initial words that identify a template: what a program fills in mostly follows them, or is a number. */
const TEMPLATE_WORDS = 12;
/** Characters in which they are looked for. */
const TEMPLATE_CHARACTERS = 400;
const WORD = /\p{L}+/gu;

/**
 * Equal for texts that were made from one template: they begin with the same words, whatever figures stand between
 * them. 0 for a text without words.
 */
export function templateKey(ownText: string): number {
  const words: readonly string[] = ownText.slice(0, TEMPLATE_CHARACTERS).toLowerCase().match(WORD) ?? [];
  if (words.length === 0) return 0;
  return textHash(words.slice(0, TEMPLATE_WORDS).join(" ")) | 0 || 1;
}
