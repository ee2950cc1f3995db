import { isAsciiLetter } from "../mail/words/ascii.ts";
import { decodeWindows1252 } from "./windows-1252.ts";

/**
 * The most frequent characters of languages whose mail was often sent without a charset, most frequent first where
 * the order counts. From general knowledge, checked against the texts of the tests.
 */

/** Russian letters by frequency, then the Ukrainian ones. */
const CYRILLIC_LETTERS = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ";

/** Pairs of letters that Russian text is full of. */
const CYRILLIC_PAIRS =
  "ст но то на ен ов ни ра во ко ал ли по ре ол пр та ан ос го ер ва од ро от не ет те ор ка ла ло ел ит ти ри ес ть ве де ат че ом ин им ие ия ем";

/** Greek letters by frequency, the accented ones where they belong. */
const GREEK_LETTERS = "αοιετσνηυρπκμλςίόάωέδγχήύθώφβξζψϊ";

/** Hebrew letters by frequency. */
const HEBREW_LETTERS = "יוהלאמרתבשנדםקעחפטכגזסןצךץף";

/** About half of the signs of simplified Chinese text. */
const FREQUENT_HAN_SIMPLIFIED =
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体政美相见被利什二等产或新己制身果加西月话合回特代内信表化老给世位次度门任常先海通教原东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直资命山金指许统区保至形社便空决治展科司五基书非则听达光放强即像难且权思王完设式色路记南品住告类求据程北边该交规万取望觉术领共确传师观清今切院让识候带导争运您请谢邮询价货单客户订会议通知关于测试发票招聘公司产品价格优惠最新消息";

/** The same for traditional Chinese. */
const FREQUENT_HAN_TRADITIONAL =
  "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命山金指許統區保至形社便空決治展科司五基書非則聽達光放強即像難且權思王完設式色路記南品住告類求據程北邊該交規萬取望覺術領共確傳師觀清今切院讓識候帶導爭運您請謝郵詢價貨單客戶訂會議通知關於測試發票招聘公司產品價格優惠最新消息";

/** The syllables that make up half of Korean text. */
const FREQUENT_HANGUL =
  "이다는을의에가고하지기사로한대도서은리인자어나시들해일그정를스수아전라보과있게만국장주부제원없여상모우구것미성안마무으니와경동오까요면된려세선신트할학비유년용던거중조화치음습입합드관문내소위후방진행회계공금바며당실명개말연차되때터생물더적통업재산았었했니까녕십님메일";

/** Bytes sampled from shortly before the first non-ASCII byte: more do not change the result. */
const SAMPLE_BYTES = 2048;
const SAMPLE_LEAD = 16;

/**
 * Bits by which a charset must beat Western European text. Eight bits are odds of 256 to 1: unlabeled mail is mostly
 * Western, and a name such as `Groß` must not become Chinese by chance.
 */
const LEAD_BITS = 8;

/** Cost of one character in bits: -log2 of its frequency in such text, rounded, by class of character. */
const ASCII_BITS = 5;
const IMPOSSIBLE_BITS = 30;
/** A letter of another script next to an ASCII letter: common in CJK text (`ABC公司`), very rare in alphabets. */
const SCRIPT_SWITCH_BITS = 8;
const CJK_SWITCH_BITS = 3;
const FREQUENT_BITS = 8;
const COMMON_BITS = 11;
const SECOND_LEVEL_BITS = 17;
const EXTENSION_BITS = 19;
const HIRAGANA_BITS = 6.5;
const KATAKANA_BITS = 7.5;
const HALF_KATAKANA_BITS = 10;
const PUNCTUATION_BITS = 8;
const SYMBOL_BITS = 13;
const WESTERN_LETTER_BITS = 9;
/** Extra cost of a non-ASCII Western letter after another one: `créée`, `Größe`. */
const WESTERN_PAIR_BITS = 3;
/** Rules of dashes and bullets. */
const REPEATED_BITS = 1;
const CAPITAL_BITS = 4;
const CAPITAL_AFTER_CAPITAL_BITS = 1;
const CAPITAL_AFTER_SMALL_BITS = 7;
/**
 * Cost of the most frequent letter, and of each further rank: a linear fit of the letter frequencies of the language.
 */
const FIRST_LETTER_BITS = 3.1;
const RANK_BITS = 0.16;
/** Bits saved by a frequent pair of letters. */
const PAIR_BITS = 2;

/** Charsets that can be guessed; each a label of `decodeCharset`. */
type GuessedCharset =
  | "windows-1252"
  | "shift_jis"
  | "euc-jp"
  | "gbk"
  | "big5"
  | "euc-kr"
  | "koi8-u"
  | "windows-1251"
  | "windows-1253"
  | "windows-1255";

/** Decodes by a TextDecoder label. */
type LabelDecoder = (label: string, bytes: Buffer) => string;

/** A double-byte charset: the cost of a character, by its first byte and itself. */
interface DoubleByteModel {
  readonly label: GuessedCharset;
  /** Rarity relative to the others in unlabeled mail. */
  readonly rarityBits: number;
  /** Single bytes above 0x7F. */
  isSingle(byte: number): boolean;
  /** The least second byte of a character. */
  readonly leastTrail: number;
  bits(lead: number, character: string): number;
}

/** A charset of ASCII and one other alphabet. */
interface AlphabetModel {
  readonly label: GuessedCharset;
  readonly ranks: ReadonlyMap<string, number>;
  readonly pairs: ReadonlySet<string>;
}

const never = (): boolean => false;
const setOf = (characters: string): ReadonlySet<string> => new Set(characters);
const SIMPLIFIED = setOf(FREQUENT_HAN_SIMPLIFIED);
const TRADITIONAL = setOf(FREQUENT_HAN_TRADITIONAL);
const HANGUL = setOf(FREQUENT_HANGUL);

const DOUBLE_BYTE_MODELS: readonly DoubleByteModel[] = [
  {
    label: "shift_jis",
    rarityBits: 0,
    isSingle: (byte) => byte >= 0xa1 && byte <= 0xdf,
    leastTrail: 0x40,
    // Kanji of the first level: 0x88 to 0x98 (JIS X 0208, rows 16 to 47).
    bits: (lead, character) => japaneseBits(character) ?? (lead <= 0x98 ? COMMON_BITS : SECOND_LEVEL_BITS),
  },
  // Japanese mail was ISO-2022-JP, or Shift_JIS from broken programs.
  {
    label: "euc-jp",
    rarityBits: 6,
    isSingle: never,
    leastTrail: 0xa1,
    bits: (lead, character) => japaneseBits(character) ?? (lead <= 0xcf ? COMMON_BITS : SECOND_LEVEL_BITS),
  },
  {
    label: "gbk",
    rarityBits: 0,
    isSingle: never,
    // Digits are the second bytes of four-byte characters.
    leastTrail: 0x30,
    bits: (lead, character) => hanBits(character, SIMPLIFIED, levelOfGbk(lead)),
  },
  {
    label: "big5",
    rarityBits: 0,
    isSingle: never,
    leastTrail: 0x40,
    bits: (lead, character) => hanBits(character, TRADITIONAL, lead <= 0xc6 ? COMMON_BITS : SECOND_LEVEL_BITS),
  },
  {
    label: "euc-kr",
    rarityBits: 0,
    isSingle: never,
    leastTrail: 0x41,
    bits: (lead, character) => koreanBits(lead, character),
  },
];

const NO_PAIRS: ReadonlySet<string> = new Set();
const ALPHABET_MODELS: readonly AlphabetModel[] = [
  { label: "koi8-u", ranks: ranksOf(CYRILLIC_LETTERS), pairs: new Set(CYRILLIC_PAIRS.split(" ")) },
  { label: "windows-1251", ranks: ranksOf(CYRILLIC_LETTERS), pairs: new Set(CYRILLIC_PAIRS.split(" ")) },
  { label: "windows-1253", ranks: ranksOf(GREEK_LETTERS), pairs: NO_PAIRS },
  { label: "windows-1255", ranks: ranksOf(HEBREW_LETTERS), pairs: NO_PAIRS },
];

function ranksOf(letters: string): ReadonlyMap<string, number> {
  return new Map(Array.from(letters, (letter, rank) => [letter, rank]));
}

/**
 * Guesses the charset of bytes that are neither labeled nor UTF-8: the one that encodes the text in the fewest bits, by
 * frequency of characters in text of that charset. Defaults to Western European unless another is far likelier.
 * Supports the charsets of unlabeled mail: Shift_JIS, EUC-JP, GBK, Big5, EUC-KR, KOI8, windows-1251, -1253 (Greek) and
 * -1255 (Hebrew).
 */
export function guessCharset(bytes: Buffer, decode: LabelDecoder): GuessedCharset {
  const sample = sampleOf(bytes);
  if (!hasTwoHighBytes(sample)) return "windows-1252";
  let best: GuessedCharset = "windows-1252";
  let least = westernBits(sample) - LEAD_BITS;
  for (const model of DOUBLE_BYTE_MODELS) {
    if (hasBrokenCharacter(sample, model)) continue;
    const bits = doubleByteBits({ sample, text: decode(model.label, sample), limit: least }, model);
    if (bits < least) [best, least] = [model.label, bits];
  }
  if (!hasHighPair(sample)) return best;
  for (const model of ALPHABET_MODELS) {
    const bits = alphabetBits(decode(model.label, sample), model, least);
    if (bits < least) [best, least] = [model.label, bits];
  }
  return best;
}

function sampleOf(bytes: Buffer): Buffer {
  let first = 0;
  while (first < bytes.length && bytes[first]! < 0x80) first++;
  const start = Math.max(0, first - SAMPLE_LEAD);
  return bytes.subarray(start, start + SAMPLE_BYTES);
}

/** A single such byte is an accent in Western text, and inconclusive in others. */
function hasTwoHighBytes(sample: Buffer): boolean {
  let count = 0;
  for (let at = 0; at < sample.length && count < 2; at++) if (sample[at]! >= 0x80) count++;
  return count === 2;
}

/** One-letter words, such as the French `à`, indicate Western text. */
function hasHighPair(sample: Buffer): boolean {
  for (let at = 1; at < sample.length; at++) if (sample[at]! >= 0x80 && sample[at - 1]! >= 0x80) return true;
  return false;
}

/** Blanks and line ends are free: they are the same in every charset. */
function asciiBits(code: number): number {
  return code <= 0x20 ? 0 : ASCII_BITS;
}

/**
 * Non-letters above ASCII in Western text: quotes, dashes, euro, guillemets, section, degree, pound, inverted marks.
 */
const WESTERN_PUNCTUATION: ReadonlySet<string> = new Set("“”‘’„‚–—…•€™«»°§£¡¿©®´·\u00a0");

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one sum over a text, with a case for each kind of character
function westernBits(sample: Buffer): number {
  const text = decodeWindows1252(sample);
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bits += asciiBits(code);
    else if (code === 0xfffd) bits += IMPOSSIBLE_BITS;
    else if (WESTERN_PUNCTUATION.has(text[at]!)) bits += text[at] === text[at - 1] ? REPEATED_BITS : PUNCTUATION_BITS;
    else if (code >= 0xc0 && code <= 0xff && code !== 0xd7 && code !== 0xf7) {
      bits += WESTERN_LETTER_BITS + (at > 0 && text.charCodeAt(at - 1) >= 0xc0 ? WESTERN_PAIR_BITS : 0);
    } else bits += SYMBOL_BITS;
  }
  return bits;
}

/**
 * True where a first byte has no second one: Western text has such places, and need not be decoded to find them. The
 * last character may be broken.
 */
function hasBrokenCharacter(sample: Buffer, { isSingle, leastTrail }: DoubleByteModel): boolean {
  for (let at = 0; at + 2 < sample.length; at++) {
    const byte = sample[at]!;
    if (byte <= 0x80 || isSingle(byte)) continue;
    if (sample[at + 1]! < leastTrail) return true;
    at++;
  }
  return false;
}

/** Lead byte of a three-byte character in EUC-JP. */
const THREE_BYTES = 0x8f;

/** Bytes, and their text in a double-byte charset. */
interface DoubleByteText {
  readonly sample: Buffer;
  readonly text: string;
  /** The sum only grows: it is not continued from this value on. */
  readonly limit: number;
}

/**
 * Returns infinity if the bytes are not text of the charset. A character truncated by the end of the sample is allowed.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one sum over a text, with a case for each kind of character
function doubleByteBits({ sample, text, limit }: DoubleByteText, model: DoubleByteModel): number {
  const damage = text.indexOf("\ufffd");
  if (damage >= 0 && damage < text.length - 1) return Number.POSITIVE_INFINITY;
  let bits = model.rarityBits;
  let position = 0;
  for (let at = 0; at < text.length && bits < limit; at++) {
    const code = text.charCodeAt(at);
    const lead = sample[position]!;
    if (code < 0x80) {
      bits += asciiBits(code);
      position++;
      continue;
    }
    // Four-byte characters of GB 18030 and three-byte ones of EUC-JP do not occur in unlabeled mail.
    if ((code >= 0xd800 && code <= 0xdfff) || (lead === THREE_BYTES && model.label === "euc-jp"))
      return Number.POSITIVE_INFINITY;
    const isSingle = model.isSingle(lead);
    bits += isSingle ? HALF_KATAKANA_BITS : model.bits(lead, text[at]!);
    if (position > 0 && isAsciiLetter(sample[position - 1]!) && text.charCodeAt(at - 1) < 0x80) bits += CJK_SWITCH_BITS;
    position += isSingle ? 1 : 2;
    if (position < sample.length && isAsciiLetter(sample[position]!)) bits += CJK_SWITCH_BITS;
  }
  return bits;
}

function japaneseBits(character: string): number | null {
  const code = character.charCodeAt(0);
  if (code >= 0x3041 && code <= 0x3093) return HIRAGANA_BITS;
  if ((code >= 0x30a1 && code <= 0x30fc) || code === 0x3001 || code === 0x3002) return KATAKANA_BITS;
  return isCjkPunctuation(code) ? PUNCTUATION_BITS : isHan(code) ? null : SYMBOL_BITS;
}

function hanBits(character: string, frequent: ReadonlySet<string>, level: number): number {
  if (frequent.has(character)) return FREQUENT_BITS;
  const code = character.charCodeAt(0);
  if (isCjkPunctuation(code)) return PUNCTUATION_BITS;
  return isHan(code) ? level : SECOND_LEVEL_BITS;
}

/** GB 2312 has its first level, the frequent signs, in rows 16 to 55. */
function levelOfGbk(lead: number): number {
  if (lead >= 0xb0 && lead <= 0xd7) return COMMON_BITS;
  return lead >= 0xd8 && lead <= 0xf7 ? SECOND_LEVEL_BITS : EXTENSION_BITS;
}

function koreanBits(lead: number, character: string): number {
  if (HANGUL.has(character)) return FREQUENT_BITS - 1;
  const code = character.charCodeAt(0);
  if (code >= 0xac00 && code <= 0xd7a3) return lead >= 0xb0 ? COMMON_BITS : EXTENSION_BITS;
  return isCjkPunctuation(code) ? PUNCTUATION_BITS : SECOND_LEVEL_BITS;
}

/** Ideographic punctuation and the full-width forms of ASCII. */
function isCjkPunctuation(code: number): boolean {
  return (code >= 0x3000 && code <= 0x301f) || (code >= 0xff01 && code <= 0xff5e);
}

function isHan(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one sum over a text, with a case for each kind of character
function alphabetBits(text: string, model: AlphabetModel, limit: number): number {
  let bits = 0;
  let before = "";
  let isCapitalBefore = false;
  // The sum only grows: a pair saves less than its letter costs.
  for (let at = 0; at < text.length && bits < limit; at++) {
    const code = text.charCodeAt(at);
    const character = text[at]!;
    const small = code < 0x80 ? character : character.toLowerCase();
    const rank = code < 0x80 ? undefined : model.ranks.get(small);
    if (rank === undefined) {
      bits += code < 0x80 ? asciiBits(code) : markBits(character);
      if (before !== "" && isAsciiLetter(code) && code < 0x80) bits += SCRIPT_SWITCH_BITS;
      before = "";
      continue;
    }
    const isCapital = small !== character;
    bits += FIRST_LETTER_BITS + rank * RANK_BITS;
    if (isCapital)
      bits += before === "" ? CAPITAL_BITS : isCapitalBefore ? CAPITAL_AFTER_CAPITAL_BITS : CAPITAL_AFTER_SMALL_BITS;
    if (model.pairs.has(before + small)) bits -= PAIR_BITS;
    if (at > 0 && before === "" && isAsciiLetter(text.charCodeAt(at - 1)) && text.charCodeAt(at - 1) < 0x80)
      bits += SCRIPT_SWITCH_BITS;
    before = small;
    isCapitalBefore = isCapital;
  }
  return bits;
}

/** Characters other than letters. */
function markBits(character: string): number {
  if (character <= "\x9f" || character === "\ufffd") return IMPOSSIBLE_BITS;
  return WESTERN_PUNCTUATION.has(character) || character === "№" ? PUNCTUATION_BITS : SYMBOL_BITS;
}
