import { readFileSync } from "node:fs";
import fc from "fast-check";
import stopWords from "stopwords-iso/stopwords-iso.json" with { type: "json" };
import { lexicon } from "vader-sentiment/src/vader_lexicon.js";
import { describe, expect, inject, it } from "vitest";
import { PII_TYPES, type PiiType } from "../mail/records/provenance.ts";
import { VERSION_WORDS } from "./ip.ts";
import { redactText } from "./redact-text.ts";

const ALL: ReadonlySet<PiiType> = new Set(PII_TYPES);

/**
 * Values that are recognized by their own form, whatever words surround them. All are reserved for examples.
 */
const VALUES: readonly (readonly [type: PiiType, value: string])[] = [
  ["email", "ann.lee@example.org"],
  ["email", "ann%40example.org"],
  ["phone", "(713) 555-0123"],
  ["phone", "713-555-0123"],
  ["phone", "+44 20 7946 0958"],
  ["phone", "020 7946 0958"],
  ["ssn", "219-09-9999"],
  ["iban", "DE89 3704 0044 0532 0130 00"],
  ["iban", "GB82WEST12345698765432"],
  ["credit_card", "4111 1111 1111 1111"],
  ["credit_card", "378282246310005"],
  ["ip", "198.51.100.23"],
  ["ip", "2001:db8::8a2e:370:7334"],
  ["ip", "2001:db8:0:0:0:8a2e:370:7334"],
];

/**
 * Words of many languages, also words that end or begin with a keyword of any type: "server", "Denver", "rebuild",
 * "microphone".
 */
function wordList(): readonly string[] {
  const lists = [
    Object.keys(lexicon),
    ...Object.values(stopWords),
    readFileSync("docs/reference/redaction.md", "utf8").split(/\s+/),
  ];
  const words = lists.flat().filter((word) => /^[\p{L}\p{M}]+$/u.test(word));
  const cues = [
    "ver",
    "rev",
    "sec",
    "build",
    "release",
    "version",
    "section",
    "card",
    "phone",
    "call",
    "ssn",
    "fax",
    "office",
    "cell",
  ];
  const parts = ["ser", "dri", "den", "Re", "pre", "micro", "ö", "inter", "x", "тел", "s", "ed", "ance"];
  const glued = cues.flatMap((cue) => parts.flatMap((part) => [part + cue, cue + part]));
  return [...new Set([...words, ...glued, ...cues, "Server", "driver", "Denver", "rebuild"])];
}

/** Every fourth word; the seed determines which. */
const WORDS = wordList().filter((_, index) => index % 4 === inject("propertySeed") % 4);
const BEFORE = [
  ...' |: |:| (|\n|\t|, | <|; | "| “| → |\u00a0|\u200b|\u2060|—|\u2009|\r\n> |：|。|/|#|*'.split("|"),
] as const;
const AFTER = [...' |. |) |\n|\t|, |> |; |" |” |\u00a0|\u200b|\ufeff|—|\u2029|，|/|*'.split("|")] as const;

const isVersionWord = (word: string): boolean => VERSION_WORDS.some((known) => known === word.toLowerCase());
/**
 * A word of hexadecimal letters with a colon reads as the first part of an IPv6 address. If a character of local parts
 * or nothing visible connects it to an address, it is redacted with the address.
 */
const isTakenAlong = (value: string, before: string, between: string): boolean =>
  (/^[:：]$/.test(between) && value.includes("::") && /[a-f]$/i.test(before)) ||
  (/ann/.test(value) && /^[\u200b\u2060—。#*]$/.test(between));
/** The rule in docs/reference/redaction.md: four numbers right after such a word are a version. */
const isException = (value: string, before: string, between: string): boolean =>
  /^(?:[0-9]+\.){3}[0-9]+$/.test(value) &&
  isVersionWord(before) &&
  /^(?:[.:：。]?[ \u00a0\u2009]?|\u200b|\u2060)$/.test(between);

/** Nothing visible separates the domain from the word, so the word is also redacted. */
const isTakenBefore = (value: string, between: string): boolean =>
  /ann/.test(value) && /^[\u200b\ufeff]$/.test(between);

describe("words around personal data", () => {
  it("uses enough words", () => expect(WORDS.length).toBeGreaterThan(5_000));

  it.each(VALUES)("do not hide %s %s after a word", (type, value) => {
    const wrong: string[] = [];
    for (const [index, word] of WORDS.entries()) {
      for (const between of [" ", BEFORE[index % BEFORE.length]!]) {
        const text = `${word}${between}${value} ok`;
        const redacted = redactText(text, ALL).text;
        const expected = isException(value, word, between) ? text : `${word}${between}[REDACTED:${type}] ok`;
        const isRight = isTakenAlong(value, word, between)
          ? redacted.endsWith(`[REDACTED:${type}] ok`)
          : redacted === expected;
        if (!isRight) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(VALUES)("do not hide %s %s before a word", (type, value) => {
    const wrong = WORDS.filter((word, index) => {
      const between = AFTER[index % AFTER.length]!;
      const redacted = redactText(`to ${value}${between}${word}`, ALL).text;
      return isTakenBefore(value, between)
        ? !redacted.startsWith(`to [REDACTED:${type}]`)
        : redacted !== `to [REDACTED:${type}]${between}${word}`;
    });
    expect(wrong).toEqual([]);
  });

  it("do not hide values between two words", () => {
    const word = fc.nat(WORDS.length - 1).map((index) => WORDS[index]!);
    const around = fc.tuple(
      word,
      fc.constantFrom(...BEFORE),
      fc.constantFrom(...VALUES),
      fc.constantFrom(...AFTER),
      word,
    );
    fc.assert(
      fc.property(around, ([before, open, [type, value], close, after]) => {
        const text = `${before}${open}${value}${close}${after}`;
        const once = redactText(text, ALL).text;
        // A version-like number may still be a phone number because of the word after it.
        if (isException(value, before, open)) expect(once === text || !once.includes(value)).toBe(true);
        else if (isTakenAlong(value, before, open) || isTakenBefore(value, close)) expect(once).not.toContain(value);
        else expect(once).toBe(`${before}${open}[REDACTED:${type}]${close}${after}`);
        expect(redactText(once, ALL).text).toBe(once);
      }),
      { numRuns: 5_000 },
    );
  });

  it("are cues only as whole words", () => {
    for (const text of [
      "microphone 555-0123",
      "insecurity 219099999",
      "хотел 555-0123",
      "cardinal 353011133330",
      "accountancy 353011133330",
    ]) {
      expect(redactText(text, ALL).text).toBe(text);
    }
    // The position thirty characters before the number is the end of a longer word.
    const cut = `the saxophone ${"home ".repeat(4)}to 555-0123`;
    expect(redactText(cut, ALL).text).toBe(cut);
  });
});
