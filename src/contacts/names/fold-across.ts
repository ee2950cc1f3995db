import { foldName } from "./person-name.ts";

/** Letters that Unicode does not decompose, as people without them on a keyboard write them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "a",
  œ: "o",
  þ: "th",
  ð: "d",
  ı: "i",
};

/**
 * Folds a word of a name so that different spellings are equal: `Müller`, `Mueller` and `Muller`. Treats more letters
 * as equal than `foldName`, which is used within one organization.
 */
export function foldAcross(word: string): string {
  const folded = foldName(word);
  const plain = /^[a-z]*$/.test(folded) ? folded : folded.replaceAll(/[øłđæœþðı]/g, (letter) => PLAIN_LETTERS[letter]!);
  return shortenUmlauts(plain);
}

/** `oe` for `ö`, and so on. */
export function shortenUmlauts(word: string): string {
  return word.includes("e") ? word.replaceAll(/([oau])e/g, "$1") : word;
}
