import { eld } from "eld/extrasmall";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LANGUAGE_NGRAMS } from "../../extraction/preparing/language-table.ts";
import { languageOfNgrams, packNgrams, readWeights, unpackNgrams } from "./language-ngrams.ts";

/** First letters of scripts, and code points where UTF-8 and UTF-16 need more units. */
const SCRIPTS = [
  0x41, 0x61, 0x7f, 0xe0, 0x370, 0x400, 0x5d0, 0x620, 0x7f0, 0x900, 0xe00, 0x2010, 0x3040, 0x4e00, 0xac00, 0xffe0,
  0x1_f600,
];
const letter = fc
  .tuple(fc.constantFrom(...SCRIPTS), fc.nat({ max: 60 }))
  .map(([first, more]) => String.fromCodePoint(first + more));
const word = fc.oneof(
  fc.string({ unit: letter, maxLength: 90 }),
  fc.string({ unit: fc.constantFrom(..."abcdefghilmnorstuvé'’ñß-"), maxLength: 12 }),
);
const text = fc.oneof(
  fc.array(word, { maxLength: 60 }).map((words) => words.join(" ")),
  fc.string({ unit: "binary", maxLength: 400 }),
);

it("answers as eld does", () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(languageOfNgrams(written, LANGUAGE_NGRAMS)).toBe(eld.detect(written).language || null);
    }),
    { numRuns: 3_000 },
  );
});

it("reads weights, quoted or not", () => {
  const { languages, placeOf, weights } = readWeights(
    "x = {languages:{0:'de',1:'fr'},ngrams:{'l\\'a ':{1:7},cion:{0:2,1:3},'a:{b':{0:4}}}",
  );
  expect(languages).toEqual(["de", "fr"]);
  expect([...placeOf]).toEqual([
    ["l'a ", 0],
    ["cion", 3],
    ["a:{b", 8],
  ]);
  expect([...weights]).toEqual([1, 1, 7, 2, 0, 2, 1, 3, 1, 0, 4]);
  expect(() => readWeights("export default {}")).toThrow(RangeError);
});

it("packs a table, and unpacks the same", () => {
  expect(unpackNgrams(packNgrams(LANGUAGE_NGRAMS))).toEqual(LANGUAGE_NGRAMS);
  expect(() => packNgrams({ ...LANGUAGE_NGRAMS, weights: Uint16Array.of(1, 0, 256) })).toThrow(RangeError);
});
