import { isCardNumber } from "./credit-card.ts";
import { matchIban } from "./iban.ts";
import { CARD_CUES, hasKeywordBefore } from "./keyword-context.ts";
import { BLANK, hasInvisible, type PlainText, plainText } from "./lookalikes.ts";

/** Characters looked at before a disguise: the longest bank account number in groups, without its last one. */
const REACH_BEFORE = 44;
/** Characters read after a line break for the rest of a number. */
const REACH_BEHIND = 40;

/** Text between the parts of a value, or between it and a word, and its meaning. */
interface Disguise {
  readonly pattern: string;
  /** Its meaning, given its text and context; null if it is literal. */
  read(found: string, before: string, behind: string): string | null;
}

/** Ends and beginnings of two lines with a broken number, and the replacement of the break. */
const BROKEN_NUMBERS: readonly (readonly [before: RegExp, behind: RegExp, read: string])[] = [
  [/(?:[0-9]-|\([0-9]{2,5}\))$/, /^[0-9]/, ""],
  [/[0-9]$/, /^-[0-9]/, ""],
  [/(?:(?<![0-9][.,-]?)|(?<![0-9])1[-. ])[2-9][0-9]{2}$/, /^[2-9][0-9]{2}[-.][0-9]{4}(?![0-9])/, " "],
  [/\([2-9][0-9]{2}\) ?[2-9][0-9]{2}$/, /^[0-9]{4}(?![0-9])/, "-"],
  [/\+(?:[ ()-]{0,2}[0-9]){1,7} ?$/, /^[0-9(]/, " "],
];

function readBreak(_found: string, before: string, behind: string): string | null {
  const broken = BROKEN_NUMBERS.find(([end, start]) => end.test(before) && start.test(behind));
  if (broken !== undefined) return broken[2];
  return isBrokenIban(before, behind) ? " " : readNamedNumber(before, behind);
}

/** True if the break splits a bank account number with a correct checksum. */
function isBrokenIban(before: string, behind: string): boolean {
  for (const { index } of before.matchAll(/(?<![0-9A-Za-z])[A-Za-z]{2}[0-9]{2}/g)) {
    const found = matchIban(`${before.slice(index)} ${behind}`, 0, 0);
    if (found !== null && found.end > before.length - index) return true;
  }
  return false;
}

/** End of a line and start of the next if the break splits a number. */
const LAST_DIGITS = /[0-9][0-9 -]{0,22}$/;
const FIRST_DIGITS = /^[0-9][0-9 -]{0,22}/;
const SSN_CUE = /(?:\bssns?\b|\bss ?#|security\b)[^0-9]{0,12}$/i;
const SSN = /^[0-9]{3}([ -]?)[0-9]{2}\1[0-9]{4}$/;

/**
 * Replacement of a line break inside a social security or card number, at a blank or, if a program wraps anywhere,
 * inside a group. Requires a word that names the number, because rows of tables look similar.
 */
function readNamedNumber(before: string, behind: string): string | null {
  const last = LAST_DIGITS.exec(before);
  const first = FIRST_DIGITS.exec(behind);
  if (last === null || first === null) return null;
  const isNamedSsn = SSN_CUE.test(before.slice(0, last.index));
  const isNamedCard = hasKeywordBefore(before, last.index, { floor: 0, cues: CARD_CUES });
  // Other numbers may follow.
  for (const { 0: group, index } of first[0].matchAll(/[0-9]+/g)) {
    const rest = first[0].slice(0, index + group.length);
    const joint = ["", " "].find((mark) => SSN.test(`${last[0]}${mark}${rest}`));
    if (isNamedSsn && joint !== undefined) return joint;
    if (isNamedCard && isCardNumber(`${last[0]}${rest}`.replaceAll(/[ -]/g, ""))) return "";
  }
  return null;
}

/** The text before the sign of an address, and the domain after it. */
const REST_OF_LOCAL_PART = /^[a-z0-9._+-]{1,30}\s{0,3}@/i;
const ENDS_LOCAL_PART = /[a-z0-9_%+-]$/i;
const BEGINS_DOMAIN = /^(?:[a-z0-9-]{1,30}\.){1,4}[a-z]{2,24}(?![a-z0-9@])/i;
/**
 * After a word such as "free" or "e-mail", a domain with its sign is the name of a service (`your free @x.example`):
 */
const ENDS_NAME: readonly RegExp[] = [
  // a name of a mailbox has a digit, a dot, an underscore or a second capital,
  /[A-Za-z0-9][._][A-Za-z0-9_+-]{1,40}$/,
  /[0-9][A-Za-z_+-]{0,10}$/,
  /(?:^|[^A-Za-z])[A-Za-z]{1,20}[a-z][A-Z][a-z]{1,20}$/,
  /(?:^|[^A-Za-z])[A-Z]{2}[a-z]{2,20}$/,
  // or begins its context.
  /(?:^|[<(,;:"'[]) {0,3}[A-Za-z][A-Za-z+-]{1,30}$/,
];

const readAt = (_found: string, before: string, behind: string): string | null =>
  ENDS_LOCAL_PART.test(before) && BEGINS_DOMAIN.test(behind) ? "@" : null;
const readAtBehindBlank = (found: string, before: string, behind: string): string | null =>
  ENDS_NAME.some((end) => end.test(before)) ? readAt(found, before, behind) : null;

/** A domain in words. */
const DOMAIN_IN_WORDS = /^[a-z0-9-]{1,30}(?: dot [a-z0-9-]{1,30}){1,4}/i;
/** The end of a mailbox name before " at ": two words with a dot or underscore, or a word with digits. */
const ENDS_MAILBOX = /(?:^|[^\w./+-])(?:[a-z]\w{0,30}[._][a-z]\w{0,30}|[a-z]{2,20}[0-9]{1,4})$/i;
const ENDS_FILE_NAME = /\.(?:html?|pdf|docx?|xlsx?|pptx?|txt|csv|zip|exe|jpe?g|gif|png)$/i;
/** A single word that begins its context, as list archives quote an author: `ann at example.org wrote:`. */
const ENDS_FIRST_WORD = /(?:^|[<(,;:"'[\n>]) {0,3}[a-z][a-z+-]{1,30}$/i;
const ENDS_QUOTED_AUTHOR = /^[\w.-]{1,40}(?:>| wrote| writes| \([A-Z][a-z]+ [A-Z])/;
/** What follows an address at the end of its context. */
const ENDS_ADDRESS = /^[\w.-]{1,40}(?:[>)\]";,]|\s*(?:$|\n)| \(| wrote| writes)/;

/** "@" for an " at " inside an address; null in a sentence ("look at example.org"). */
function readAtWord(_found: string, before: string, behind: string): string | null {
  if (!ENDS_LOCAL_PART.test(before) || ENDS_FILE_NAME.test(before)) return null;
  if (DOMAIN_IN_WORDS.test(behind)) return "@";
  const isAddress = ENDS_MAILBOX.test(before) ? ENDS_ADDRESS : ENDS_FIRST_WORD.test(before) ? ENDS_QUOTED_AUTHOR : null;
  return isAddress?.test(behind) === true && BEGINS_DOMAIN.test(behind) ? "@" : null;
}

/** True where a word and a number meet; between two numbers it is more often a path or a name of a program. */
const isAtNumber = (before: string, behind: string): boolean => /[0-9]$/.test(before) !== /^[0-9(+]/.test(behind);
const isBetweenDigits = (before: string, behind: string): boolean => /[0-9)]$/.test(before) && /^[0-9(]/.test(behind);

const DISGUISES: readonly Disguise[] = [
  // Percent-encoding of a link (RFC 3986 section 2.1): of printable ASCII.
  { pattern: "%[2-7][0-9a-f]", read: (found) => String.fromCharCode(Number.parseInt(found.slice(1), 16)) },
  // A blank of file names, and what programs write around underlined text; not in the name of an address.
  {
    pattern: "_",
    read: (_found, before, behind) => (isAtNumber(before, behind) && !REST_OF_LOCAL_PART.test(behind) ? " " : null),
  },
  // Dots of letterheads.
  {
    pattern: "[\\u00b7\\u2022\\u2027\\u2219\\u22c5]",
    read: (_found, before, behind) => (isBetweenDigits(before, behind) ? "." : null),
  },
  // The end of a line, including quotation marks of the next.
  { pattern: "[ \\t]{0,2}\\r?\\n[>| \\t]{0,8}(?=[-(0-9])", read: readBreak },
  // An address that the end of a line or blanks part at its sign.
  { pattern: "@[ \\t]{0,2}\\r?\\n[>| \\t]{0,8}(?=[a-z0-9])", read: readAt },
  { pattern: "[ \\t]{0,2}\\r?\\n[>| \\t]{0,8}@(?=[a-z0-9])", read: readAtBehindBlank },
  { pattern: "[ \\t]{1,2}@[ \\t]{0,2}(?=[a-z0-9])", read: readAtBehindBlank },
  { pattern: "@[ \\t]{1,2}(?=[a-z0-9])", read: readAt },
  // Common obfuscations of addresses.
  { pattern: " ?[[({<] ?(?:at|@|ät|arroba) ?[>})\\]] ?", read: () => "@" },
  { pattern: " ?[[({<] ?(?:dot|\\.|punkt|punto) ?[>})\\]] ?", read: () => "." },
  // The same without brackets: `ann at example dot org`, and as list archives write addresses.
  { pattern: " at (?=[a-z0-9-]{1,30}(?:\\.[a-z0-9]| dot [a-z]))", read: readAtWord },
  {
    pattern: " dot (?=[a-z])",
    read: (_found, before) => (/(?: at |@ ?)[a-z0-9-]{1,30}(?: dot [a-z0-9-]{1,30}){0,3}$/i.test(before) ? "." : null),
  },
  // Slips of the keyboard before a top-level domain, and quoted-printable text that was not decoded.
  {
    pattern: "(?:,| \\.) ?(?=(?:com|org|net|edu|gov|mil)\\b)",
    read: (_found, before) => (/@ ?[a-z0-9.-]{1,40}$/i.test(before) ? "." : null),
  },
  { pattern: "=40(?=[a-z0-9])", read: readAt },
  // Words that announce a value and touch it: columns that lost what stood between them.
  {
    pattern:
      "\\b(?:ssn|tel|phone|fax|cell|mobile|call|handy|tlf|ph|card|visa|mc|mastercard|amex|cc|ip|host|server)(?=[0-9(+])",
    read: (found) => `${found} `,
  },
  // HTML shown as text.
  { pattern: "&(?:nbsp|#0{0,4}160|#x0{0,4}a0);", read: () => " " },
  { pattern: "&commat;", read: () => "@" },
  { pattern: "&period;", read: () => "." },
  { pattern: "&plus;", read: () => "+" },
  // Any sign of printable ASCII by its number.
  {
    pattern: "&#0{0,4}(?:3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6]);",
    read: (found) => String.fromCharCode(Number(found.slice(2, -1))),
  },
  {
    pattern: "&#x0{0,4}[2-7][0-9a-f];",
    read: (found) => String.fromCharCode(Number.parseInt(found.slice(3, -1), 16)),
  },
];

const ANY_DISGUISE = DISGUISES.map(({ pattern }) => `(${pattern})`).join("|");

/** A stretch [start, end) of a text, and what it is read as. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly read: string;
}

function findDisguises(text: string): readonly Replacement[] {
  const replacements: Replacement[] = [];
  const disguise = new RegExp(ANY_DISGUISE, "gi");
  for (let match = disguise.exec(text); match !== null; match = disguise.exec(text)) {
    const { index: start } = match;
    const end = start + match[0].length;
    const kind = DISGUISES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]!;
    const before = text.slice(Math.max(0, start - REACH_BEFORE), start);
    const read = kind.read(match[0], before, text.slice(end, end + REACH_BEHIND));
    if (read !== null) replacements.push({ start, end, read });
  }
  return replacements;
}

/**
 * A second reading of a text, for numbers and addresses that are percent-encoded, broken across lines, or separated
 * by marks read as a blank, dot or "@". Zero-width characters separate words here and are ignored in the first
 * reading. Null if equal to the first reading.
 */
export function undisguisedText(text: string): PlainText | null {
  const plain = plainText(text, BLANK);
  const replacements = findDisguises(plain.text);
  if (replacements.length === 0) return hasInvisible(text) ? plain : null;
  return replacedText(plain, replacements);
}

function replacedText({ text, starts, ends }: PlainText, replacements: readonly Replacement[]): PlainText {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, read } of replacements) {
    pieces.push(text.slice(at, start), read);
    at = end;
  }
  pieces.push(text.slice(at));
  const read = pieces.join("");
  const places = { starts: new Int32Array(read.length), ends: new Int32Array(read.length) };
  // Unchanged stretches alternate with replacements.
  at = 0;
  let index = 0;
  pieces.forEach((piece, turn) => {
    const replacement = turn % 2 === 1 ? replacements[(turn - 1) / 2]! : null;
    for (let i = 0; i < piece.length; i++, index++) {
      const [start, end] = replacement === null ? [at + i, at + i + 1] : [replacement.start, replacement.end];
      places.starts[index] = starts?.[start] ?? start;
      places.ends[index] = ends?.[end - 1] ?? end;
    }
    at = replacement?.end ?? at + piece.length;
  });
  return { text: read, ...places };
}
