import fc from "fast-check";
import { expect, it } from "vitest";
import { mixWord, PackedTokens } from "./packed-tokens.ts";
import { MAX_TOKEN_BYTES, TokenScanner } from "./tokens.ts";

/** All tokens of a text, unpacked, with their hashes. */
function unpack(tokens: PackedTokens, utf8: Uint8Array): { readonly texts: string[]; readonly hashes: number[] } {
  const texts: string[] = [];
  const hashes: number[] = [];
  tokens.reset(utf8);
  while (tokens.next()) {
    for (let n = 0; n < tokens.count; n++) {
      const words = tokens.words.subarray(n === 0 ? 0 : tokens.ends[n - 1]!, tokens.ends[n]!);
      const bytes = Buffer.alloc(words.length * 4);
      words.forEach((word, at) => {
        bytes.writeInt32BE(word, at * 4);
      });
      texts.push(bytes.toString("utf8").replace(/\0+$/, ""));
      hashes.push(tokens.hashes[n]!);
    }
  }
  return { texts, hashes };
}

function scan(utf8: Uint8Array): string[] {
  const scanner = new TokenScanner();
  const texts: string[] = [];
  scanner.reset(utf8);
  while (scanner.next()) texts.push(scanner.text());
  return texts;
}

const tokens = new PackedTokens();
const PIECES = [
  "a",
  "Zeb",
  "pipeline",
  "é",
  "\u0301",
  "\u00ad",
  "株式会社",
  "가",
  "“",
  " ",
  ".",
  "\n",
  "7",
  "x".repeat(MAX_TOKEN_BYTES),
  "\ud83d\ude00",
];

/** Inverse of 0x9e3779b1, modulo 2^32. */
const INVERSE_SPREAD = 0xe8b2f51;

it("returns the tokens of TokenScanner", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 60 }), (text) => {
      const utf8 = new TextEncoder().encode(text);
      expect(unpack(tokens, utf8).texts).toEqual(scan(utf8));
    }),
    { numRuns: 1_000 },
  );
});

it("does so beyond a batch, and for any bytes", () => {
  const long = new TextEncoder().encode(
    Array.from({ length: 3_000 }, (_, n) => (n % 7 === 0 ? `é${n}株式` : `word${n}`)).join(" "),
  );
  expect(unpack(tokens, long).texts).toEqual(scan(long));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(unpack(tokens, bytes).texts.length).toBe(scan(bytes).length);
    }),
  );
});

it("hashes equal tokens equally, and others differently", () => {
  const text = Array.from({ length: 2_000 }, (_, n) => `w${n} W${n} é${n}`).join(" ");
  const { texts, hashes } = unpack(tokens, new TextEncoder().encode(text));
  const known = new Map<string, number>();
  texts.forEach((token, at) => {
    expect(known.get(token) ?? hashes[at]).toBe(hashes[at]);
    known.set(token, hashes[at]!);
  });
  expect(new Set(known.values()).size).toBe(known.size);
});

it("hashes single words differently", () => {
  // A hash step can be inverted: its last half is the value into which the first half was mixed.
  fc.assert(
    fc.property(fc.integer(), (word) => {
      const hash = mixWord(0, word);
      const mixed = hash ^ (hash >>> 15) ^ (hash >>> 30);
      expect(Math.imul(mixed, INVERSE_SPREAD)).toBe(word | 0);
    }),
  );
});
