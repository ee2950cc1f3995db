import { textHash } from "../columns/key-nodes.ts";

/**
 * Number of initial words that identify a template: values filled in by a program mostly follow them, or are numbers.
 */
const TEMPLATE_WORDS = 12;
/** Characters searched for them. */
const TEMPLATE_CHARACTERS = 400;
const WORD = /\p{L}+/gu;

/**
 * Equal for texts from one template: their first words are equal, ignoring numbers between them. 0 for a text without
 * words.
 */
export function templateKey(ownText: string): number {
  const words: readonly string[] = ownText.slice(0, TEMPLATE_CHARACTERS).toLowerCase().match(WORD) ?? [];
  if (words.length === 0) return 0;
  return textHash(words.slice(0, TEMPLATE_WORDS).join(" ")) | 0 || 1;
}
