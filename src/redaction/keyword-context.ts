import { wordSet } from "../mail/words/word-table.ts";
import { DIGIT, hasClass, LETTER } from "./characters.ts";

/** Maximum distance of a cue before its number, in characters. */
const REACH = 30;
/** Longest keyword after a number, in characters. */
const LONGEST_CUE = 12;
/** Letters read beyond the limit to the start of a word, so that "microphone" does not count as "phone". */
const WORD_REACH = 24;

/** Words that announce a telephone number, in the languages of the stop-word lists most used in mail. */
export const PHONE_CUES = wordSet(
  "phone phones telephone telephones tel tele cell cells cellular cellphone mobile mobil mob fax faxes faxed faxing facsimile telefax telefacsimile call calls called calling " +
    "dial dialin dialing ring reach reached answering pager paged page beeper hotline helpline voicemail ph fon fone gsm sms whatsapp telefon telefono teléfono telefone " +
    "tél téléphone téléphoner appeler appelez handy handynummer rufnummer durchwahl anrufen móvil movil cellulare celular telemóvel portable llamar tfno telefoon mobiel bellen puh puhelin " +
    "message messages text texts texting tlf tlph tfn telp cep gsm faks komórka komórkowy thoại đt телефон телефона телефону тел телефакс факс факсу моб мобильный мобільний сотовый звоните " +
    "τηλέφωνο τηλ κινητό φαξ هاتف جوال موبايل تليفون تلفون تلفن טל טלפון נייד פקס फ़ोन फोन मोबाइल",
);
/** Pictures of telephones, as far as mail uses them: telephones, mobile phones, fax, and the signs TEL and FAX. */
const PHONE_SIGNS =
  /(?:[\u260e\u260f\u2706\u2121\u213b]|\ud83d[\udcde-\udce0\udcf1\udcf2]|\ud83d[\udd7b-\udd7f])\ufe0f?$/;
/** Most code units of a sign: an emoji and its variation selector. */
const LONGEST_SIGN = 3;
/** The same in scripts without spaces: searched at the end of a word. */
const PHONE_ENDINGS = (
  "电话 電話 手机 手機 传真 傳真 携帯 전화 휴대폰 핸드폰 팩스 โทร โทรศัพท์ มือถือ แฟกซ์ " +
  "电话号码 電話號碼 手机号 手机号码 手機號碼 传真号码 傳真號碼 電話番号 携帯番号 전화번호 휴대폰번호"
).split(" ");
/** Words that announce a social security number or the taxpayer number that replaces it (ITIN). */
export const SSN_CUES = wordSet("ssn ssns socialsecurity security itin itins tin taxpayer");

/** Words that announce an IPv4 address with zero-padded numbers: without one, it is a large number with dots. */
export const IP_CUES = wordSet(
  "ip ipv address addresses addr server servers host hosts hostname gateway router dns ping",
);

/** Words that announce the number of a payment card. */
export const CARD_CUES = wordSet(
  "card cards creditcard creditcards cc ccn credit debit visa mastercard amex maestro jcb unionpay kreditkarte kreditkarten kreditkartennummer kartennummer karte " +
    "carte tarjeta tarjetas cartão cartao kaart kaartnummer kort kortnummer karta karty карта карты карту",
);

/** Words that are keywords before a colon, as in a signature, and before a local number; elsewhere they are locations. */
const COLON_CUES = wordSet("desk office home work direct");
/** Seven digits as North American mail writes them without the area code. */
const LOCAL_NUMBER = /^[2-9][0-9]{2}[-.][0-9]{4}(?![0-9-])/;
/** Longest local number, and the character after it. */
const LOCAL_LENGTH = 9;
/** "My number" is a telephone number; the number of an order or a case is not. */
const POSSESSIVES = wordSet("my our your his her their mine");
const NUMBER_WORDS = wordSet("number numbers");
/** Letters that are cues before a colon or full stop, as in a signature: `T: 020 7946 0000`. */
const LETTER_CUES = wordSet("t p m f c o h w d");
/** Words allowed between the cue and its number. */
const FILLERS = wordSet(
  "a an and at or on is are was be my me mine us our him his her them their your you the this to via by no nos nr num number numbers nummer numero número " +
    "please direct directly home office work business main desk toll free local us usa uk int intl international new local anytime back again either e r l",
);
/** Words that, right after a number, identify it as a telephone number. */
const CUES_AFTER = wordSet(
  "office fax mobile cell cellular home work direct desk pager phone tel telephone voice facsimile mobil",
);

/** Limit and keywords of a search backwards. */
interface CueSearch {
  /** End of the last redacted span. */
  readonly floor: number;
  readonly cues: ReadonlySet<string>;
}

/**
 * Ranges of non-ASCII characters that are not letters: signs of Latin-1, punctuation and symbols, CJK punctuation,
 * halves of emoji, variation selectors.
 */
const NO_LETTERS: readonly (readonly [first: number, last: number])[] = [
  [0x80, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2000, 0x2bff],
  [0x3000, 0x303f],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe0f],
  [0xfff0, 0xffff],
];

/** True for a letter of any script, as far as cue words go. */
function isLetter(code: number): boolean {
  if (code < 0x80) return hasClass(code, LETTER);
  return !NO_LETTERS.some(([first, last]) => code >= first && code <= last);
}

function isCue(word: string, following: string, cues: ReadonlySet<string>): boolean {
  if (cues.has(word)) return true;
  if (cues === SSN_CUES) return word === "ss" && following === "#";
  if (cues !== PHONE_CUES) return false;
  if (word.length === 1) return LETTER_CUES.has(word) && (following === ":" || following === ".");
  if (following === ":" && COLON_CUES.has(word)) return true;
  return word.charCodeAt(word.length - 1) >= 0x80 && PHONE_ENDINGS.some((ending) => word.endsWith(ending));
}

/** Start of the word that ends at `end`; `end` if there is none. */
function wordStart(text: string, end: number, floor: number): number {
  const lowest = Math.max(floor, end - REACH - WORD_REACH);
  let index = end;
  while (index > lowest && isLetter(text.charCodeAt(index - 1))) index--;
  return index;
}

/** True for a word or a letter in parentheses that announces a local number: `Home 555-0123`, `(h) 555-0123`. */
function isLocation(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end).toLowerCase();
  return COLON_CUES.has(word) || (LETTER_CUES.has(word) && text[start - 1] === "(" && text[end] === ")");
}

/** True if a picture of a telephone ends at `end`. */
function isPhoneSign(text: string, end: number, floor: number): boolean {
  return text.charCodeAt(end - 1) >= 0x80 && PHONE_SIGNS.test(text.slice(Math.max(floor, end - LONGEST_SIGN), end));
}

/**
 * True if a cue word shortly precedes `start`, with only filler words between ("call me at", "phone (home):"). Never
 * reads before `floor`, so that redacting that text cannot change the answer.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk back over words, with each reason to stop
export function hasCueBefore(text: string, start: number, search: CueSearch): boolean {
  const lowest = Math.max(search.floor, start - REACH);
  const isPhone = search.cues === PHONE_CUES;
  const isLocal = isPhone && LOCAL_NUMBER.test(text.slice(start, start + LOCAL_LENGTH));
  let index = start;
  let next = "";
  for (;;) {
    while (index > lowest && !isLetter(text.charCodeAt(index - 1))) {
      if (hasClass(text.charCodeAt(index - 1), DIGIT)) return false;
      if (isPhone && isPhoneSign(text, index, lowest)) return true;
      index--;
    }
    if (index <= lowest) return false;
    const end = index;
    index = wordStart(text, end, search.floor);
    const word = text.slice(index, end).toLowerCase();
    if (isCue(word, text[end] ?? "", search.cues) || (isLocal && next === "" && isLocation(text, index, end)))
      return true;
    if (isPhone && NUMBER_WORDS.has(next) && POSSESSIVES.has(word)) return true;
    if (!FILLERS.has(word)) return false;
    next = word;
  }
}

/** True if a cue word ends within reach before `start`, regardless of the text between. Never reads before `floor`. */
export function hasKeywordBefore(text: string, start: number, search: CueSearch): boolean {
  const lowest = Math.max(search.floor, start - REACH);
  for (let index = start; index > lowest; ) {
    const begin = wordStart(text, index, search.floor);
    if (begin < index && search.cues.has(text.slice(begin, index).toLowerCase())) return true;
    index = begin < index ? begin : index - 1;
  }
  return false;
}

/**
 * True if a cue word begins and ends within reach after `end`. A bracket ends the search: a marker may follow, if not
 * now, then in the next pass.
 */
export function hasKeywordAfter(text: string, end: number, cues: ReadonlySet<string>): boolean {
  const highest = Math.min(text.length, end + REACH);
  for (let index = end; index < highest && text[index] !== "["; index++) {
    const begin = index;
    while (index < highest && isLetter(text.charCodeAt(index))) index++;
    const isWhole = index < highest || index === text.length;
    if (isWhole && index > begin && cues.has(text.slice(begin, index).toLowerCase())) return true;
    if (text[index] === "[") return false;
  }
  return false;
}

/** True if a word right after `end` identifies the number: `555 1234 office`, `555-1234-Fax`, `555 1234 (h)`. */
export function cueAfter(text: string, end: number): boolean {
  let index = end;
  while (index < end + 3 && " \t-,;/(".includes(text[index] ?? "x")) index++;
  const begin = index;
  while (index < begin + LONGEST_CUE && hasClass(text.charCodeAt(index), LETTER)) index++;
  if (index === begin) return false;
  const word = text.slice(begin, index).toLowerCase();
  const after = text[index] ?? "";
  if (word.length === 1) return LETTER_CUES.has(word) && text[begin - 1] === "(" && after === ")";
  return CUES_AFTER.has(word) && !/[\w@.']/.test(after === "." && !/\w/.test(text[index + 1] ?? "") ? "" : after);
}
