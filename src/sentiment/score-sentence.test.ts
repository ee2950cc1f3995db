import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realData } from "../../test/real-data.ts";
import { TextUnits } from "../text/tokens/text-units.ts";
import { scoreSentence as scoreWords } from "./score-sentence.ts";
import { SentenceWords } from "./sentence-words.ts";

const amazon = realData("labelled/amazon-sentences.json");

const sentence = new TextUnits();
const words = new SentenceWords();

function scoreSentence(text: string): number {
  sentence.load(text);
  words.clear();
  for (let at = 0; at < sentence.length; ) at = words.read(sentence.units, at, sentence.length);
  return scoreWords(words);
}

describe("scoreSentence", () => {
  it.each([
    ["The report is on the table.", 0],
    ["", 0],
    ["good", 1.9],
    ["not good", -0.74 * 1.9],
    ["very good", 1.9 + 0.293],
    ["This is GOOD work", 1.9 + 0.733],
    ["this is good!", 1.9 + 0.292],
    ["It was good but bad", 1.9 * 0.5 - 2.5 * 1.5],
    ["no good", -0.74 * 1.9],
    ["it won’t be good", -0.74 * 1.9],
    ["at least good", 1.9],
    ["the least good", -0.74 * 1.9],
    ["never so good", (1.9 + 0.293) * 1.25],
    ["without a doubt good", 1.9],
    ["it is kind of good", 1.9 - 0.293],
    ["now they say yeah right", -2],
  ])("rates %j as the published rules do", (text, sum) => {
    const compound = sum === 0 ? 0 : sum / Math.sqrt(sum * sum + 15);
    // The rules for idioms and for the word before "doubt" add several terms, so only the sign is compared.
    if (text.includes("doubt") || text.includes("yeah")) expect(Math.sign(scoreSentence(text))).toBe(Math.sign(sum));
    else expect(scoreSentence(text)).toBeCloseTo(compound, 6);
  });

  it("stays within -1 and 1 and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const score = scoreSentence(text);
        expect(score).toBeGreaterThanOrEqual(-1);
        expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("does not change with blanks around the words", () => {
    const lists = fc.array(
      fc.constantFrom("not", "very", "good", "bad", "but", "the", "BAD", "so", "no", "never", "great!"),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(lists, (list) => {
        expect(scoreSentence(`  ${list.join(" \t ")} \n`)).toBe(scoreSentence(list.join(" ")));
      }),
    );
  });

  it.skipIf(amazon === null)(
    "agrees with the labels of product reviews at least as often as the reference port does",
    () => {
      const reviews = (JSON.parse(readFileSync(amazon!, "utf8")) as { text: string; class?: number }[]).filter(
        (review) => review.class !== undefined,
      );
      const right = reviews.filter(({ text, class: label }) =>
        label === 1 ? scoreSentence(text) > 0 : scoreSentence(text) < 0,
      );
      expect(reviews.length).toBeGreaterThanOrEqual(990);
      // The JavaScript port that provides the lexicon reaches .678.
      expect(right.length / reviews.length).toBeGreaterThanOrEqual(0.69);
    },
  );
});
