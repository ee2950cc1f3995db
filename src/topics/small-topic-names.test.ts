import { expect, it } from "vitest";
import { type NamingWords, type SubjectRuns, subjectParts } from "./small-topic-names.ts";

/** Converts words to terms and back. */
class Terms {
  private readonly words: string[] = [];

  of(word: string): number {
    if (!this.words.includes(word)) this.words.push(word);
    return this.words.indexOf(word);
  }

  wordOf(term: number): string {
    return this.words[term]!;
  }
}

/** The name of a topic with these subjects among others; a vertical bar in a subject separates words. */
function nameOf(subjects: readonly string[], others: readonly string[], keywords = ""): readonly string[] {
  const terms = new Terms();
  const runsOf = (subject: string): readonly (readonly number[])[] =>
    subject.split(" | ").map((run) => run.split(" ").map((word) => terms.of(word)));
  const all = [...subjects, ...others].map(runsOf);
  const totals = new Map<number, number>();
  for (const runs of all) for (const term of new Set(runs.flat())) totals.set(term, (totals.get(term) ?? 0) + 1);
  const runs: SubjectRuns = {
    subjectsOfTopic: [all.slice(0, subjects.length)],
    totals,
    subjects: all.length,
    terms: [],
  };
  const words: NamingWords = {
    keywords: keywords.split(" ").map((word) => terms.of(word)),
    isWeak: (term) => terms.wordOf(term) === "meeting",
    isProper: (term) => terms.wordOf(term) === "kittiwake",
  };
  return subjectParts(runs, 0, words).map((part) => part.map((term) => terms.wordOf(term)).join(" "));
}

const OTHERS = ["harbour crane", "meeting", "crane offer", "penalty", "quay lease", "desk", "fair brochure", "drawing"];

it("names a small topic by words in most of its subjects and few others", () => {
  expect(nameOf(["kittiwake hull", "kittiwake hull | drawing", "kittiwake mooring"], OTHERS)).toEqual([
    "kittiwake hull",
    "mooring",
  ]);
});

it("adds a second phrase only for further subjects, and never a word twice", () => {
  expect(nameOf(["office move | plan", "office move", "office move | desk"], OTHERS)).toEqual(["office move"]);
  expect(nameOf(["penalty clause", "price list", "penalty clause"], OTHERS)).toEqual(["penalty clause", "price list"]);
});

it("prefers keywords, and begins with no weak word", () => {
  expect(nameOf(["nightly build", "build"], OTHERS, "nightly build")).toEqual(["nightly build"]);
  expect(nameOf(["meeting protocol", "meeting"], OTHERS)).toEqual(["protocol"]);
  expect(nameOf(["meeting", "meeting"], OTHERS)).toEqual([]);
});

it("joins no words that punctuation separates in the subject", () => {
  expect(nameOf(["port | signed", "port | signed"], OTHERS)).toEqual(["port"]);
});
