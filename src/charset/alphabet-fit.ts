import { isUtf8 } from "node:buffer";
import { decodeCharset } from "./decode-charset.ts";

/** Bytes sampled from the first non-ASCII byte on: more do not change the result. */
const SAMPLE_BYTES = 4096;
/** Bits per letter: for the most frequent letter of a language, for each further rank, and for any other letter. */
const FIRST_LETTER_BITS = 3;
const RANK_BITS = 0.25;
const OTHER_LETTER_BITS = 9;
/** Bits for an unmapped byte, a symbol inside a word, and any other symbol. */
const DAMAGE_BITS = 40;
const SYMBOL_IN_WORD_BITS = 14;
const SYMBOL_BITS = 7;
/** A letter of another script directly next to an English one. */
const SCRIPT_SWITCH_BITS = 8;
/** A capital right after a small letter: rare in real words. */
const CAPITAL_IN_WORD_BITS = 6;
/** A capital: KOI8-R and windows-1251 read as each other swap capitals and small letters. */
const CAPITAL_BITS = 1;
/** A Han or Hangul character has two bytes, and each is one of thousands. */
const IDEOGRAPH_BITS = 10;
/** Bits by which a later charset must fit better than an earlier one, in total and per letter. */
const LEAD_BITS = 6;
const LEAD_BITS_OF_LETTER = 0.4;
/** Least number of letters above ASCII to detect a language without a label. */
const MIN_LETTERS = 12;

/** Non-English letters of each language, the most frequent first, by the charset that encodes them. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  "windows-1252": ["éèàêçîôùâûëïœ", "üäöß", "óíáéñúü", "ãçáéíóõêâúà", "èàùòìé", "äåöé", "åøæé", "íáðéöþýúóæ", "ëéï"],
  "windows-1250": ["íáěéřčšýžůúťďňó", "áíéýčžšľťúôňďäóĺŕ", "łąężśóćńź", "áéöőóüíúű", "čšžćđ", "ăîâşţ"],
  "windows-1254": ["ıüşğçöâî"],
  "windows-1257": ["ėšįųžūčąę", "āīēšūņģļķž", "äõüöšž"],
};
/** Scripts, each identified by a letter that no other has. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  "windows-1251": /\p{Script=Cyrillic}/u,
  "windows-1253": /\p{Script=Greek}/u,
  "windows-1255": /\p{Script=Hebrew}/u,
  "windows-1256": /\p{Script=Arabic}/u,
  "windows-874": /\p{Script=Thai}/u,
};
const RANKS: ReadonlyMap<string, readonly ReadonlyMap<string, number>[]> = new Map(
  Object.entries(LETTERS).map(([charset, languages]) => [
    charset,
    languages.map((letters) => new Map(Array.from(letters, (letter, rank) => [letter, rank]))),
  ]),
);
const ALPHABETS: readonly ReadonlyMap<string, number>[] = [...RANKS.values()].flat();
const ENGLISH = /[A-Za-z]/;
const LETTER = /\p{L}|\p{M}/u;
const IDEOGRAPH = /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

/**
 * The charset that fits the bytes: the first of several, unless another fits far better. @param charsets at least one
 */
export function fittingCharset(bytes: Buffer, charsets: readonly string[]): string {
  const [first, ...others] = charsets;
  if (others.length === 0) return first!;
  const sample = sampleOf(bytes);
  let best = first!;
  const text = decodeCharset(sample, best);
  let least = Number.NaN;
  for (const charset of others) {
    const other = decodeCharset(sample, charset);
    // Related charsets often decode to the same text, which fits no better.
    if (other === text) continue;
    if (Number.isNaN(least)) least = bitsOf(text);
    const bits = bitsOf(other);
    if (bits + LEAD_BITS + LEAD_BITS_OF_LETTER * Math.min(sample.length, 40) < least) [best, least] = [charset, bits];
  }
  return best;
}

/**
 * The charset of one alphabet that a longer unlabeled text is written in. Returns null if the text is UTF-8, or if no
 * charset fits far better than the others.
 */
export function alphabetOf(bytes: Buffer): string | null {
  const sample = sampleOf(bytes);
  const high = sample.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  if (high < MIN_LETTERS || isUtf8(sample)) return null;
  const costs = [...RANKS.keys(), ...Object.keys(SCRIPTS)]
    .map((charset) => ({ charset, bits: bitsIn(decodeCharset(sample, charset), charset) }))
    .sort((a, b) => a.bits - b.bits);
  const [best, next] = costs;
  return best!.bits < high * OTHER_LETTER_BITS && best!.bits + LEAD_BITS + LEAD_BITS_OF_LETTER * high < next!.bits
    ? best!.charset
    : null;
}

function sampleOf(bytes: Buffer): Buffer {
  let first = 0;
  while (first < bytes.length && bytes[first]! < 0x80) first++;
  return bytes.subarray(Math.max(0, first - 1), first + SAMPLE_BYTES);
}

/** Cost of a text in the best-fitting language, in any charset. */
function bitsOf(text: string): number {
  const letters = highCharacters(text);
  return Math.min(...ALPHABETS.map((ranks) => sum(letters, (letter) => rankBits(ranks, letter))), scriptBits(letters));
}

/** The same in the languages of one charset. */
function bitsIn(text: string, charset: string): number {
  const letters = highCharacters(text);
  const alphabets = RANKS.get(charset);
  if (alphabets !== undefined)
    return Math.min(...alphabets.map((ranks) => sum(letters, (letter) => rankBits(ranks, letter))));
  const script = SCRIPTS[charset]!;
  const switches = letters.filter(({ letter, isBesideEnglish }) => isBesideEnglish && script.test(letter));
  return (
    switches.length * SCRIPT_SWITCH_BITS +
    sum(letters, (letter) => (script.test(letter) ? FIRST_LETTER_BITS + 1 : OTHER_LETTER_BITS))
  );
}

interface HighCharacter {
  /** In lower case. */
  readonly letter: string;
  /** True between two letters. */
  readonly isInWord: boolean;
  readonly isCapital: boolean;
  /** True for a capital right after a small letter. */
  readonly isOddCapital: boolean;
  readonly isBesideEnglish: boolean;
}

function highCharacters(text: string): readonly HighCharacter[] {
  const found: HighCharacter[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) < 0x80) continue;
    const isInWord = LETTER.test(text[at - 1] ?? " ") && LETTER.test(text[at + 1] ?? " ");
    const letter = text[at]!.toLowerCase();
    const before = text[at - 1] ?? " ";
    const isCapital = letter !== text[at];
    const isOddCapital = isCapital && before !== before.toUpperCase();
    const isBesideEnglish = ENGLISH.test(before) || ENGLISH.test(text[at + 1] ?? " ");
    found.push({ letter, isInWord, isCapital, isOddCapital, isBesideEnglish });
  }
  return found;
}

function sum(characters: readonly HighCharacter[], bitsOfLetter: (letter: string) => number): number {
  let bits = 0;
  for (const character of characters) {
    const { letter, isInWord } = character;
    bits += capitalBits(character);
    if (letter === "\ufffd" || (letter >= "\x80" && letter <= "\x9f")) bits += DAMAGE_BITS;
    else if (LETTER.test(letter)) bits += bitsOfLetter(letter);
    else bits += isInWord && letter !== "’" ? SYMBOL_IN_WORD_BITS : SYMBOL_BITS;
  }
  return bits;
}

function capitalBits({ isCapital, isOddCapital }: HighCharacter): number {
  return (isCapital ? CAPITAL_BITS : 0) + (isOddCapital ? CAPITAL_IN_WORD_BITS : 0);
}

function rankBits(ranks: ReadonlyMap<string, number>, letter: string): number {
  const rank = ranks.get(letter);
  if (rank !== undefined) return FIRST_LETTER_BITS + rank * RANK_BITS;
  return IDEOGRAPH.test(letter) ? IDEOGRAPH_BITS : OTHER_LETTER_BITS;
}

/** Text of one script that is not the Latin one. */
function scriptBits(characters: readonly HighCharacter[]): number {
  return Math.min(
    ...Object.values(SCRIPTS).map((script) =>
      sum(characters, (letter) =>
        script.test(letter) ? FIRST_LETTER_BITS + 1 : IDEOGRAPH.test(letter) ? IDEOGRAPH_BITS : OTHER_LETTER_BITS,
      ),
    ),
  );
}
