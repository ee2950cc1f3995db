import { expect, it } from "vitest";
import { plainLine, plainText } from "./plain-text.ts";

/** Characters of each Unicode plane that can hide a sentence. */
const HIDING = "\u200b\u200e\u202e\u2066\u2060\u00ad\ufeff\ufe0f\u3164\ufff9\u{e0041}\u{e0100}";

it("removes invisible characters from lines and texts, and keeps the rest", () => {
  expect(plainLine(`Pay${HIDING}ments, Grüße, 支払い, اختبار`)).toBe("Payments, Grüße, 支払い, اختبار");
  expect(plainText(`One${HIDING}\r\n\ttwo\u001b[2J\u2028three\u0007 `)).toBe("One\n two\nthree");
});

it("folds a header to one line of bounded length", () => {
  expect(plainLine("Re: plan\r\nFrom: boss@x.example\u2029\u0085msg-000001")).toBe(
    "Re: plan From: boss@x.example msg-000001",
  );
  const long = plainLine("😀".repeat(2000));
  expect(long.length).toBeLessThanOrEqual(300);
  expect(long.isWellFormed()).toBe(true);
});

it("is idempotent", () => {
  const text = plainText(`a ${HIDING}\n\n b\r`);
  expect(plainText(text)).toBe(text);
});
