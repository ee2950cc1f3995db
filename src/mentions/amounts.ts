import { currencyCode } from "../mail/words/currencies.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { matchesOf } from "./matches.ts";

const CODES = "USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|NOK|SEK|DKK|CNY|RMB|INR|BRL|MXN|SGD|HKD|KRW|THB|ZAR|AED|PLN|RUB";

const MULTIPLIERS: Readonly<Record<string, number>> = {
  ...{ k: 1e3, tsd: 1e3, thousand: 1e3, lakh: 1e5, lakhs: 1e5, crore: 1e7, crores: 1e7 },
  ...{ m: 1e6, mm: 1e6, mn: 1e6, mio: 1e6, mil: 1e6, mln: 1e6, million: 1e6, millionen: 1e6 },
  ...{ b: 1e9, bn: 1e9, mrd: 1e9, bil: 1e9, bln: 1e9, billion: 1e9, milliarden: 1e9, trillion: 1e12 },
};

/** Groups of three digits, Indian groups (`1,00,000`), or only decimals. */
const NUMBER =
  "(?:\\d{1,2}(?:,\\d{2}){1,4},\\d{3}(?!\\d)|\\d{1,15}(?:[.,'’ \\u00a0\\u202f]\\d{3}){0,4})(?:[.,]\\d{1,4}|\\.\\d{5,6})?|\\.\\d{1,6}";
const MULTIPLIER_WORDS =
  "[Tt]housand|[MmBb]illion|[MB]ILLION|[Tt]rillion|Millionen|Milliarden|(?:Mio|Mrd|Tsd)\\b\\.?|[Ll]akhs?|[Cc]rores?";
/** Lines may be wrapped before a word. */
const MULTIPLIER = `(?:(?:[ -]?| ?\\r?\\n)(${MULTIPLIER_WORDS})(?![\\w/])|[ -]?(mi[ol]|mln|bil|bln|MM|mm|bn|mn|[KkMmBb])(?![\\w/]))?`;
const END = "(?!\\d|[.,]\\d|[-–]\\d| ?(?:-|–|to) ?\\$?\\d)";
const SIGNS = "$€£¥₹₩₽₺₪฿";
const CURRENCY = `(?:US|CA?|Cdn|AU?|NZ|HK|[RS])\\$|[${SIGNS}]`;
/** The number after a currency, and a code that decides which dollars: `$5 CAD`. No repetition is unbounded. */
const AMOUNT = ` ?(${NUMBER})${MULTIPLIER}${END}(?: (${CODES}|Cdn|CDN)(?!\\w| ?\\d))?`;
/** Looks for the sign, which is rarer than the letters before it. */
const SIGN_BEFORE = new RegExp(`[${SIGNS}](?<=(?<![\\w${SIGNS}.])(${CURRENCY}))${AMOUNT}`, "g");
const WORD_BEFORE = new RegExp(`\\b(?<![${SIGNS}.])(${CODES}|SFr\\.|Rs\\.?)(?=\\$? ?[\\d.])\\$?${AMOUNT}`, "g");
/** `100,- €` has no cents. */
const AFTER = new RegExp(
  `(?=\\d)(?<![\\w${SIGNS}.,/-])(${NUMBER})(?:,[-–]{1,2})?${MULTIPLIER} ?(€|zł(?!\\p{L})|(?:${CODES}|(?:(?:US|[Cc]anadian|[Aa]ustralian) )?[Dd]ollars?|[Ee]uros?|yen|yuan|[Rr]upees)(?!\\w))`,
  "gu",
);

/** Quick checks, each faster than a pattern of all. Most digits are not before a currency. */
const CODE_BEFORE = new RegExp(`(?:${CODES}|SFr\\.|Rs\\.?)\\$? ?[\\d.]`);
const CURRENCY_AFTER = new RegExp(
  `\\d(?:,[-–]{1,2})?${MULTIPLIER} ?(?:€|zł|${CODES}|(?:(?:US|[Cc]anadian|[Aa]ustralian) )?[Dd]ollar|[Ee]uro|yen|yuan|[Rr]upee)`,
);
const SIGN = new RegExp(`[${SIGNS}]`);

/** Maximum amount: numbers with more digits are not money. */
const MAX_AMOUNT = 1e15;

/** Amounts of a text as `USD 10000.5`. */
export function amounts(text: string): readonly string[] {
  const found: string[] = [];
  if (SIGN.test(text)) addBefore(SIGN_BEFORE, text, found);
  if (CODE_BEFORE.test(text)) addBefore(WORD_BEFORE, text, found);
  if (CURRENCY_AFTER.test(text))
    for (const [, number, word, letters, currency] of matchesOf(AFTER, text))
      addAmount(currency!, number!, word ?? letters, found);
  return found;
}

/** Adds the amounts with the currency before the number. */
function addBefore(pattern: RegExp, text: string, found: string[]): void {
  for (const { 1: currency, 2: number, 3: word, 4: letters, 5: code, index } of matchesOf(pattern, text))
    if (!isArgument(text, index, `${currency}${number}`)) addAmount(code ?? currency!, number!, word ?? letters, found);
}

/** True for `$1` in program source: next to a quote or after a slash. */
function isArgument(text: string, at: number, written: string): boolean {
  return (
    /^\$\d$/.test(written) && (/["'`/=]/.test(text[at - 1] ?? "") || /["'`]/.test(text[at + written.length] ?? ""))
  );
}

/** Currencies of countries that write decimals after a period. */
const PERIOD_IS_DECIMAL = wordSet("USD GBP CAD AUD NZD HKD SGD JPY CNY INR MXN");

function addAmount(written: string, number: string, multiplier: string | undefined, found: string[]): void {
  const currency = currencyCode(written);
  const factor = MULTIPLIERS[multiplier?.toLowerCase().replace(/\.$/, "") ?? ""] ?? 1;
  const value = readNumber(number, PERIOD_IS_DECIMAL.has(currency)) * factor;
  if (value > 0 && value < MAX_AMOUNT) found.push(`${currency} ${plain(value)}`);
}

/**
 * Reads `1,234.50`, `1.234,50`, `1'234` and `1 234`: the last mark is a decimal one unless three digits follow it. The
 * only period may be decimal also then: `$3.285`.
 */
function readNumber(written: string, periodIsDecimal: boolean): number {
  const last = Math.max(written.lastIndexOf("."), written.lastIndexOf(","));
  const isOnlyPeriod = periodIsDecimal && written[last] === "." && written.indexOf(".") === last;
  const isDecimal = last >= 0 && (isOnlyPeriod || written.length - last !== 4 || /^0?[.,]/.test(written));
  const whole = (isDecimal ? written.slice(0, last) : written).replaceAll(/\D/g, "");
  return Number(isDecimal ? `${whole}.${written.slice(last + 1)}` : whole);
}

/** At most four decimals, without trailing zeros or exponent. */
function plain(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, "");
}
