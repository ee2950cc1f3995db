import { decodeByStandard } from "./standard-tables.ts";

/*
 * Johab, the Korean charset of KS X 1001 annex 3 and of old word processors: a syllable is three groups of five bits,
 * its first, middle and last letter. Symbols and hanja are those of EUC-KR in another order.
 */

const REPLACEMENT = 0xfffd;
/** Letters on their own (Hangul Compatibility Jamo), by their order in syllables. */
const FIRST_LETTERS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
const MIDDLE_LETTERS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ";
const LAST_LETTERS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ";
/** Order of a middle letter by its five bits: they skip two codes after each six; -1 is no letter, -2 invalid. */
const MIDDLE_ORDER = [
  -2, -2, -1, 0, 1, 2, 3, 4, -2, -2, 5, 6, 7, 8, 9, 10, -2, -2, 11, 12, 13, 14, 15, 16, -2, -2,
].concat([17, 18, 19, 20, -2, -2]);
/** A syllable without letters. */
const IDEOGRAPHIC_SPACE = 0x3000;
const FIRST_SYLLABLE = 0xac00;
/** Size of a row and of the whole table of KS X 1001. */
const ROW = 94;

/** Decodes Johab; invalid bytes become U+FFFD. */
export function decodeJohab(bytes: Buffer): string {
  const units = Buffer.allocUnsafe(2 * bytes.length);
  let written = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    const unit = lead < 0x80 ? lead : twoByteCharacter(lead, bytes[at + 1] ?? 0);
    written = units.writeUInt16LE(unit, written);
    // An invalid pair keeps its second byte if that is ASCII, as in the Encoding Standard.
    if (lead >= 0x80 && (unit !== REPLACEMENT || (bytes[at + 1] ?? 0) >= 0x80)) at++;
  }
  return units.toString("ucs2", 0, written);
}

function twoByteCharacter(lead: number, trail: number): number {
  if (lead >= 0x84 && lead <= 0xd3) return hangul((lead << 8) | trail);
  if (lead < 0xd9 || lead === 0xdf || lead > 0xf9) return REPLACEMENT;
  const column = trail < 0x91 ? trail - 0x31 : trail - 0x43;
  if (column < 0 || column >= 2 * ROW || (trail > 0x7e && trail < 0x91)) return REPLACEMENT;
  const row = lead < 0xe0 ? 2 * (lead - 0xd9) : 2 * lead - 0x197;
  return standardTable().charCodeAt(row * ROW + column);
}

function hangul(code: number): number {
  const first = ((code >> 10) & 31) - 2;
  const middle = MIDDLE_ORDER[(code >> 5) & 31]!;
  const lastBits = code & 31;
  // The code 18 is skipped.
  const last = lastBits < 18 ? lastBits - 1 : lastBits - 2;
  const isValid = first >= -1 && first < FIRST_LETTERS.length && middle > -2 && lastBits !== 18;
  if (!isValid || last < 0 || last > LAST_LETTERS.length) return REPLACEMENT;
  if (first >= 0 && middle >= 0) return FIRST_SYLLABLE + (first * MIDDLE_LETTERS.length + middle) * 28 + last;
  if (first >= 0 && last === 0) return FIRST_LETTERS.charCodeAt(first);
  if (first < 0 && middle >= 0 && last === 0) return MIDDLE_LETTERS.charCodeAt(middle);
  if (first >= 0 || middle >= 0) return REPLACEMENT;
  return last > 0 ? LAST_LETTERS.charCodeAt(last - 1) : IDEOGRAPHIC_SPACE;
}

let table: string | null = null;

/** All characters of KS X 1001, row by row. */
function standardTable(): string {
  if (table === null) {
    const pairs = Buffer.allocUnsafe(2 * ROW * ROW);
    for (let at = 0; at < ROW * ROW; at++) {
      pairs[2 * at] = 0xa1 + Math.floor(at / ROW);
      pairs[2 * at + 1] = 0xa1 + (at % ROW);
    }
    table = decodeByStandard("euc-kr", pairs);
  }
  return table;
}
