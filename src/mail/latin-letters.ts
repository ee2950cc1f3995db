/**
 * Latin letters that Unicode gives no decomposition although their names say what they are made of ("LATIN SMALL LETTER
 * L WITH STROKE"), by the letters that people type for them. Lower case. From UnicodeData.txt (Unicode 14), with eth,
 * thorn, eng and the dotless letters added as in the CLDR transform Latin-ASCII.
 */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  a: "ᶏⱥɑ",
  aa: "ꜳ",
  ae: "æ",
  ao: "ꜵ",
  au: "ꜷ",
  av: "ꜹꜻ",
  ay: "ꜽ",
  b: "ƀƃɓᵬᶀꞗ",
  c: "ƈȼɕꞓꞔ𝼝",
  d: "đƌȡɖɗᵭᶁᶑꟈð",
  e: "ɇᶒⱸꬴɛ",
  et: "ꝫ",
  f: "ƒᵮᶂꞙ",
  g: "ǥɠᶃꞡɡ",
  h: "ħɦⱨꞕ",
  hv: "ƕ",
  i: "ɨᶖ𝼚ı",
  is: "ꝭ",
  j: "ɉʝȷɟ",
  k: "ƙᶄⱪꝁꝃꝅꞣ",
  l: "łƚȴɫɬɭᶅⱡꝉꞎꬷꬸꬹ𝼑𝼓",
  m: "ɱᵯᶆꬺ",
  n: "ƞȵɲɳᵰᶇꞑꞥꬻŋ",
  o: "øⱺꝋꝍ𝼛ɵɔ",
  oe: "œ",
  oi: "ƣ",
  oo: "ꝏ",
  ou: "ȣ",
  p: "ƥᵱᵽᶈꝑꝓꝕ",
  q: "ɋʠꝗꝙ",
  r: "ɍɼɽɾᵲᵳᶉꞧꭉ𝼖",
  s: "ȿʂᵴᶊꞩꟊ𝼞",
  t: "ŧƫƭȶʈᵵⱦ𝼉",
  th: "ᵺþꝥꝧ",
  tz: "ꜩ",
  u: "ᶙꞹꭎꭒʉ",
  ue: "ᵫ",
  ui: "ꭐ",
  um: "ꝸ",
  uo: "ꭣ",
  v: "ʋᶌⱱⱴꝟ",
  vy: "ꝡ",
  w: "ⱳ",
  x: "ᶍꭖꭗꭘꭙ",
  y: "ƴɏỿꭚ",
  z: "ƶȥɀʐʑᵶᶎⱬ",
};

const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITTEN_FOR).flatMap(([plain, letters]) => Array.from(letters, (letter) => [letter, plain] as const)),
);

/** The letters of `a` to `z` that people type for a Latin letter without a decomposition; others as they are. */
export function plainLatin(letter: string): string {
  return PLAIN_LETTERS.get(letter) ?? letter;
}
