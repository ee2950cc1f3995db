import fc from "fast-check";
import { expect, it } from "vitest";
import { WIDE_HASH_WORDS, wideHash } from "./wide-hash.ts";

function hexOf(space: number, key: string): string {
  const words = new Uint32Array(WIDE_HASH_WORDS);
  wideHash(space, key, words);
  return Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
}

// Output of murmurhash3js-revisited 3.0.0 for the UTF-16LE bytes of each key, with the space as seed.
it.each([
  [0, "", "00000000000000000000000000000000"],
  [1, "a", "7d9c685cb994abb7b994abb7b994abb7"],
  [2, "harbour", "2c77589f7c36a3979a1baff208f50087"],
  [3, "crane@quay.example", "a1e78509c25466d945f6d91cb82ed465"],
  [4, "Grüße, 世界 🌍", "6ce3c0622c3976716a6bab20daf860a4"],
  [1, "<20010514.1639@harbour.example>", "ddf03e232ece8c0359edff9cadb18e51"],
])("hashes in space %i %j as MurmurHash3_x86_128 does", (space, key, hash) => {
  expect(hexOf(space, key)).toBe(hash);
});

it("distinguishes keys, spaces, and keys with trailing zeros", () => {
  const key = fc.string({ unit: "binary", maxLength: 40 });
  fc.assert(
    fc.property(fc.nat(9), key, fc.nat(9), key, (space, one, further, other) => {
      expect(hexOf(space, one) === hexOf(further, other)).toBe(space === further && one === other);
      expect(hexOf(space, one)).not.toBe(hexOf(space, `${one}\0`));
    }),
  );
});

it("distributes similar keys in both halves", () => {
  const hashes = Array.from({ length: 50_000 }, (_, number) => hexOf(1, `${number}.${number % 7}@quay.example`));
  for (const from of [0, 8, 16]) expect(new Set(hashes.map((hash) => hash.slice(from, from + 16))).size).toBe(50_000);
});
