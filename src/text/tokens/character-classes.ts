import { APOSTROPHES } from "../../mail/words/apostrophes.ts";
import { plainLatin } from "../../mail/words/latin-letters.ts";

/** Character classes of the tokenizer. */
export const CharacterClass = {
  /** Ends a token. */
  separator: 0,
  /** Belongs to a token. */
  letter: 1,
  /** Letter of a script written without spaces: its runs become bigrams. */
  unspaced: 2,
  /**
   * Joins the character before it when the two have a composed form: kana voicing marks and the vowels and finals of
   * Hangul.
   */
  joining: 3,
  /** Accent or invisible character: removed without ending a token. */
  ignored: 4,
} as const;
export type CharacterClass = (typeof CharacterClass)[keyof typeof CharacterClass];

/** One code point after folding, with its class. */
export interface FoldedCharacter {
  readonly codePoint: number;
  readonly characterClass: CharacterClass;
}

/** Accents of scripts whose readers omit them when searching. Vowel signs of Indic scripts are letters, not accents. */
const ACCENT = /^(?=\p{M})[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}]$/u;
/** Tatweel, which stretches a word, and the dot below of Devanagari letters for sounds of other languages. */
const OMITTED = /^[\u0640\u093c]$/u;
const DECIMAL_DIGIT = /^\p{Nd}$/u;
/** Letters of other keyboards that look alike in Arabic: those of Persian, and yeh without dots. */
const ARABIC_LETTERS: Readonly<Record<string, string>> = { "\u06a9": "\u0643", "\u06cc": "\u064a", "\u0649": "\u064a" };
const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]$/u;
const UNSPACED_SCRIPT =
  /^[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]$/u;
const RECOMPOSED = /^[\p{sc=Hang}\p{sc=Hira}\p{sc=Kana}]$/u;
const APOSTROPHE = new RegExp(`^[${APOSTROPHES}]$`);
/** Soft hyphen, zero width space, joiners, direction marks: mail clients scatter them inside words. */
const INVISIBLE = /^\p{Cf}$/u;
/** Vowels and finals of Hangul (Unicode 3.12), voicing marks of kana. */
const JOINING = /^[\u1160-\u11ff\u3099\u309a]$/u;

function classOf(character: string): CharacterClass {
  if (JOINING.test(character)) return CharacterClass.joining;
  if (INVISIBLE.test(character) || ACCENT.test(character) || OMITTED.test(character)) return CharacterClass.ignored;
  if (!WORD_CHARACTER.test(character) || APOSTROPHE.test(character)) return CharacterClass.separator;
  return UNSPACED_SCRIPT.test(character) ? CharacterClass.unspaced : CharacterClass.letter;
}

/**
 * Lower, upper and then lower case, so that `ẞ`, `ß`, `ſ` and `ς` meet `SS`, `S` and `Σ`; `ø` becomes the `o` that
 * people type. Digits of all scripts become those of ASCII.
 */
function foldCase(character: string): string {
  if (DECIMAL_DIGIT.test(character)) return String(digitValue(character));
  return plainLatin(character.toLowerCase().toUpperCase().toLowerCase());
}

/** The ten digits of a script follow each other (Unicode 4.6). */
function digitValue(character: string): number {
  const codePoint = character.codePointAt(0)!;
  let value = 0;
  while (value < 9 && DECIMAL_DIGIT.test(String.fromCodePoint(codePoint - value - 1))) value++;
  return value;
}

/**
 * Compatibility decomposition (Unicode NFKD) without case and accents. Hangul and kana are composed again, because
 * their parts are letters, not accents. Decomposition only removes marks, so folding by character equals folding the
 * whole text.
 */
export function foldCharacter(codePoint: number): readonly FoldedCharacter[] {
  const decomposed = String.fromCodePoint(codePoint).normalize("NFKD");
  const composed = decomposed.normalize("NFC");
  const basis = RECOMPOSED.test(composed) ? composed : decomposed;
  const folded: FoldedCharacter[] = [];
  for (const part of basis) {
    const cased = RECOMPOSED.test(part) ? part : (ARABIC_LETTERS[part] ?? foldCase(part)).normalize("NFKD");
    for (const character of cased) {
      folded.push({ codePoint: character.codePointAt(0) ?? 0, characterClass: classOf(character) });
    }
  }
  return folded;
}

/** The composed form of two code points (Unicode NFC), or null if there is none. */
export function composeCharacters(first: number, second: number): number | null {
  const composed = String.fromCodePoint(first, second).normalize("NFC");
  const codePoint = composed.codePointAt(0) ?? 0;
  return composed.length === (codePoint > 0xffff ? 2 : 1) ? codePoint : null;
}
