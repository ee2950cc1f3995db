import { plainLatin } from "./latin-letters.ts";

/**
 * The form in which names, subjects and addresses are compared: lower case, compatibility-decomposed (NFKD), marks
 * stripped, `ø` as `o`. `"Élodie"` and `"ELODIE"` have the same key. Keys are compared bytewise in UTF-8.
 */
export function foldKey(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return foldUnicode(text);
  }
  return text.toLowerCase();
}

/**
 * Lower case comes first, because it can create new marks (`İ` becomes `i` and a dot above). A final sigma becomes a
 * sigma.
 */
function foldUnicode(text: string): string {
  const bare = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return bare.replaceAll("ς", "σ").replace(/[\u00e6-\u{1dfff}]/gu, plainLatin);
}
