/** ISO 4217 codes by sign and word; a plain dollar sign is read as US dollars. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ $: "USD", us$: "USD", c$: "CAD", ca$: "CAD", cdn$: "CAD", a$: "AUD", au$: "AUD", nz$: "NZD", hk$: "HKD" },
  ...{ s$: "SGD", r$: "BRL", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW" },
  ...{ "₽": "RUB", "₺": "TRY", "₪": "ILS", "฿": "THB", zł: "PLN", rs: "INR", sfr: "CHF", rmb: "CNY" },
  ...{ dollar: "USD", dollars: "USD", "us dollars": "USD", "canadian dollars": "CAD", "australian dollars": "AUD" },
  ...{ cdn: "CAD", euro: "EUR", euros: "EUR", yen: "JPY", yuan: "CNY", rupees: "INR" },
};

/** The ISO 4217 code of a sign, word or code, with or without a period. */
export function currencyCode(written: string): string {
  const word = written.toLowerCase().replace(/\.$/, "");
  return CURRENCIES[word] ?? word.toUpperCase();
}
