import { wordSet } from "../mail/words/word-table.ts";
import { matchesOf } from "./matches.ts";

/** Currencies by sign and by word; a plain dollar sign is read as US dollars. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ $: "USD", us$: "USD", c$: "CAD", a$: "AUD", "€": "EUR", "£": "GBP", "¥": "JPY" },
  ...{ dollar: "USD", dollars: "USD", euro: "EUR", euros: "EUR" },
};
/** First letters of codes and of `US$`, `C$` and `A$`. */
const FIRST_LETTERS = "UEGCJANSDIBM";
const CODES = "USD|EUR|GBP|CHF|JPY|CAD|AUD|NOK|SEK|DKK|CNY|INR|BRL|MXN";

const MULTIPLIERS: Readonly<Record<string, number>> = {
  ...{ k: 1e3, thousand: 1e3, m: 1e6, mm: 1e6, mn: 1e6, mio: 1e6, million: 1e6 },
  ...{ b: 1e9, bn: 1e9, billion: 1e9, trillion: 1e12 },
};

const NUMBER = "\\d{1,15}(?:[.,' ]\\d{3}){0,4}(?:[.,]\\d{1,4})?";
/** Lines may be wrapped before a word. */
const MULTIPLIER =
  "(?:(?:[ -]?|\\r?\\n)([Tt]housand|[MmBb]illion|[MB]ILLION|[Tt]rillion)(?![\\w/])|[ -]?(mio|MM|mm|bn|mn|[KkMmBb])(?![\\w/]))?";
const END = "(?!\\d|[.,]\\d|[-–]\\d| ?(?:-|–|to) ?\\$?\\d)";
/** A currency before the number, or after it. No repetition is unbounded. */
const AMOUNT = ` ?(${NUMBER})${MULTIPLIER}${END}`;
const CURRENCY = "US\\$|C\\$|A\\$|[$€£¥]";
/** Looks for the sign, which is rarer than the letters before it. */
const SIGN_BEFORE = new RegExp(`[$€£¥](?<=(?<![\\w$€£¥.])(${CURRENCY}))${AMOUNT}`, "g");
const BEFORE = new RegExp(`(?=[$€£¥${FIRST_LETTERS}])(?<![\\w$€£¥.])(${CURRENCY}|(?:${CODES})(?= ?\\d))${AMOUNT}`, "g");
const AFTER = new RegExp(
  `(?=\\d)(?<![\\w$€£¥.,/-])(${NUMBER})${MULTIPLIER} ?(€|(?:${CODES}|[Dd]ollars?|[Ee]uros?)(?!\\w))`,
  "g",
);

/** Quick checks, each faster than a pattern of all. */
const CODE = new RegExp(CODES);
const CURRENCY_WORD = /[Dd]ollar|[Ee]uro/;
const SIGN = /[$€£¥]/;

/** Maximum amount: numbers with more digits are not money. */
const MAX_AMOUNT = 1e15;

/** Amounts of a text as `USD 10000.5`. */
export function amounts(text: string): readonly string[] {
  const hasCode = CODE.test(text);
  const found: string[] = [];
  if (hasCode || SIGN.test(text)) addBefore(hasCode ? BEFORE : SIGN_BEFORE, text, found);
  if (hasCode || CURRENCY_WORD.test(text) || text.includes("€"))
    for (const [, number, word, letters, currency] of matchesOf(AFTER, text))
      addAmount(currency!, number!, word ?? letters, found);
  return found;
}

/** Adds the amounts with the currency before the number. */
function addBefore(pattern: RegExp, text: string, found: string[]): void {
  for (const { 1: currency, 2: number, 3: word, 4: letters, index } of matchesOf(pattern, text))
    if (!isArgument(text, index, `${currency}${number}`)) addAmount(currency!, number!, word ?? letters, found);
}

/** True for `$1` in program source: next to a quote or after a slash. */
function isArgument(text: string, at: number, written: string): boolean {
  return (
    /^\$\d$/.test(written) && (/["'`/=]/.test(text[at - 1] ?? "") || /["'`]/.test(text[at + written.length] ?? ""))
  );
}

/** Currencies of countries that write decimals after a period. */
const PERIOD_IS_DECIMAL = wordSet("USD GBP CAD AUD JPY CNY INR MXN");

function addAmount(written: string, number: string, multiplier: string | undefined, found: string[]): void {
  const currency = CURRENCIES[written.toLowerCase()] ?? written;
  const value =
    readNumber(number, PERIOD_IS_DECIMAL.has(currency)) * (MULTIPLIERS[multiplier?.toLowerCase() ?? ""] ?? 1);
  if (value > 0 && value < MAX_AMOUNT) found.push(`${currency} ${plain(value)}`);
}

/**
 * Reads `1,234.50`, `1.234,50`, `1'234` and `1 234`: the last mark is a decimal one unless three digits follow it. The
 * only period may be decimal also then: `$3.285`.
 */
function readNumber(written: string, periodIsDecimal: boolean): number {
  const last = Math.max(written.lastIndexOf("."), written.lastIndexOf(","));
  const isOnlyPeriod = periodIsDecimal && written[last] === "." && written.indexOf(".") === last;
  const isDecimal = last >= 0 && (isOnlyPeriod || written.length - last !== 4 || /^0[.,]/.test(written));
  const whole = (isDecimal ? written.slice(0, last) : written).replaceAll(/\D/g, "");
  return Number(isDecimal ? `${whole}.${written.slice(last + 1)}` : whole);
}

/** At most four decimals, without trailing zeros or exponent. */
function plain(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, "");
}
