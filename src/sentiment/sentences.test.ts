import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SentenceWords } from "./sentence-words.ts";
import { ToneSentences } from "./sentences.ts";

const sentences = new ToneSentences();
const words = new SentenceWords();

/** Words of each sentence of a text. */
function countsOf(text: string): number[] {
  const counts: number[] = [];
  sentences.load(text);
  while (sentences.next(words)) counts.push(words.count);
  return counts;
}

describe("ToneSentences", () => {
  it.each([
    ["The plan. It works", [2, 2]],
    ["The plan.\nIt works", [2, 2]],
    ["The plan\nworks.  Or not?  \n\nSo it is", [3, 2, 3]],
    ["The plan\n \t\n\u3000\nworks", [2, 1]],
    ["Version 2.0 is a file.tar", [5]],
    ["The plan.\tIt works", [4]],
    ["The plan.\u3000\nIt works", [2, 2]],
    ["Is it? ! No", [2, 1, 1]],
    ["\n \n", []],
  ])("counts the words of %j", (text, counts) => {
    expect(countsOf(text)).toEqual(counts);
  });

  it("divides after a full stop, exclamation mark or question mark, at any line end", () => {
    const word = fc.constantFrom("plan", "It", "12", "works.", "no!", "why?", "...", "o.k", "“plan”");
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 40 }),
        fc.array(fc.constantFrom(" ", "\n", " \n "), { minLength: 40 }),
        (list, gaps) => {
          const text = list.map((part, index) => part + gaps[index]!).join("");
          const cut = list.join(" ").split(/(?<=[.!?]) /);
          expect(countsOf(`So:\n\n${text}`)).toEqual([1, ...cut.map((sentence) => sentence.split(" ").length)]);
        },
      ),
    );
  });

  it("reads at most the first 300 words of a list, with their punctuation", () => {
    expect(countsOf(`${"12 ".repeat(400)}! Fine`)).toEqual([300, 1]);
    sentences.load(`${"12 ".repeat(400)}word !!!`);
    expect(sentences.next(words)).toBe(true);
    expect([words.exclamationMarks, words.hasLetters]).toEqual([0, true]);
  });
});
