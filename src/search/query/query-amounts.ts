import { currencyCode } from "../../mail/words/currencies.ts";

/** Amounts of money in a query, both ends inclusive, in one currency or any. */
interface AmountSpan {
  readonly low: number;
  readonly high: number;
  /** ISO 4217; null for any. */
  readonly currency: string | null;
}

const NUMBER = "(\\d{1,15}(?:,\\d{3}){0,4}(?:\\.\\d{1,4})?)(k|m|b)?";
const CURRENCY = "([a-z]{3}|[a-z]{0,3}\\p{Sc})?";
/** `EUR >10k`, `>10k EUR` and `>€10k`. */
const WRITTEN = new RegExp(
  `^${CURRENCY} ?(>=|<=|>|<|=)? ?(?:${NUMBER})? ?(\\.\\.)? ?(?:${NUMBER})? ?${CURRENCY}$`,
  "iu",
);
/** A currency after a comparison, which is moved to the front. */
const CURRENCY_AFTER_COMPARISON = /^([<>=]{1,2}) ?([a-z]{0,3}\p{Sc}|[a-z]{3}(?= ?\d))/iu;
const MULTIPLIERS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, b: 1e9 };
/** The next larger amount: stored amounts have at most four decimals. */
const STEP = 0.0001;

/** Reads `10000`, `>10k`, `<=1.5m EUR`, `USD 500` and `100..200`; null for anything else. */
export function parseAmounts(text: string): AmountSpan | null {
  const match = WRITTEN.exec(text.trim().replace(CURRENCY_AFTER_COMPARISON, "$2$1"));
  if (match === null) return null;
  const [, before, sign = "", first, firstUnit, dots, last, lastUnit, after] = match;
  if ((before !== undefined && after !== undefined) || (dots === undefined && last !== undefined)) return null;
  if ((first ?? last) === undefined || (dots !== undefined && sign !== "")) return null;
  const [low, high] = [amountOf(first, firstUnit), amountOf(last, lastUnit)];
  const written = before ?? after;
  const currency = written === undefined ? null : currencyCode(written);
  if (dots !== undefined) return { low: low ?? 0, high: high ?? Number.POSITIVE_INFINITY, currency };
  const value = low!;
  switch (sign) {
    case ">":
      return { low: value + STEP / 2, high: Number.POSITIVE_INFINITY, currency };
    case ">=":
      return { low: value, high: Number.POSITIVE_INFINITY, currency };
    case "<":
      return { low: 0, high: value - STEP / 2, currency };
    case "<=":
      return { low: 0, high: value, currency };
    default:
      return { low: value, high: value, currency };
  }
}

function amountOf(number: string | undefined, unit = ""): number | null {
  return number === undefined ? null : Number(number.replaceAll(",", "")) * MULTIPLIERS[unit.toLowerCase()]!;
}

/** True if an amount such as `USD 10000.5` is in a range. */
export function isAmountWithin(label: string, { low, high, currency }: AmountSpan): boolean {
  const [own, number] = label.split(" ");
  const value = Number(number);
  return (currency === null || currency === own) && value >= low && value <= high;
}
