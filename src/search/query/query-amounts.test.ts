import { describe, expect, it } from "vitest";
import { isAmountWithin, parseAmounts } from "./query-amounts.ts";

describe("amounts", () => {
  it.each([
    [">10000", "USD 10000.01", true],
    [">10000", "USD 10000", false],
    [">=10k", "EUR 10000", true],
    ["<1,000", "USD 999.5", true],
    ["<=1.5m EUR", "EUR 1500000", true],
    ["<=1.5m EUR", "USD 5", false],
    [">USD10000", "USD 10000.01", true],
    [">= eur 10k", "USD 10000", false],
    ["USD 500", "USD 500", true],
    ["500", "CHF 500", true],
    ["100..200", "USD 200", true],
    ["100..", "USD 99", false],
    ["..2b", "USD 2000000000", true],
  ])("%s contains %s: %s", (text, amount, holds) => expect(isAmountWithin(amount, parseAmounts(text)!)).toBe(holds));

  it.each(["", "much", ">", "..", "USD 5 EUR", ">1..2", "1 2", "-5"])("%j is not an amount", (text) =>
    expect(parseAmounts(text)).toBeNull(),
  );
});
