/**
 * Latin letters without a Unicode decomposition whose names contain a base letter ("LATIN SMALL LETTER L WITH
 * STROKE"), with the letters typed for them. Lower case; without phonetic and medieval notation. From UnicodeData.txt
 * (Unicode 14), with eth, thorn, eng and the dotless letters added as in the CLDR transform Latin-ASCII.
 */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  a: "ⱥɑ",
  ae: "æ",
  b: "ƀƃɓ",
  c: "ƈȼɕ",
  d: "đƌȡɖɗð",
  e: "ɇⱸɛ",
  f: "ƒ",
  g: "ǥɠɡ",
  h: "ħɦⱨ",
  i: "ɨı",
  j: "ɉʝȷɟ",
  k: "ƙⱪ",
  l: "łƚȴɫɬɭⱡ",
  m: "ɱ",
  n: "ƞȵɲɳŋ",
  o: "øⱺɵɔ",
  oe: "œ",
  p: "ƥ",
  q: "ɋʠ",
  r: "ɍɼɽɾ",
  s: "ȿʂ",
  t: "ŧƫƭȶʈⱦ",
  th: "þ",
  u: "ʉ",
  v: "ʋⱱⱴ",
  w: "ⱳ",
  y: "ƴɏỿ",
  z: "ƶȥɀʐʑⱬ",
};

const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITTEN_FOR).flatMap(([plain, letters]) => Array.from(letters, (letter) => [letter, plain] as const)),
);

/** The letters from `a` to `z` that people type for a Latin letter without a decomposition; others are unchanged. */
export function plainLatin(letter: string): string {
  return PLAIN_LETTERS.get(letter) ?? letter;
}
