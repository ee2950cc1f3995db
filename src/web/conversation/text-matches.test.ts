import { expect, it } from "vitest";
import { highlightedWords, matchedPieces } from "./text-matches.ts";

const clause = (kind: string, text: string, is_excluded = false, forms: readonly string[] = []) => ({
  ...{ kind, text, is_excluded },
  forms: [...forms],
});

it("marks words and prefixes, ignoring case and accents", () => {
  const sought = highlightedWords([clause("words", "cafe"), clause("prefix", "moor*"), clause("phrase", '"the line"')]);
  expect(matchedPieces("Café: mooring THE lines, cafeteria", sought)).toEqual([
    ["Café", true],
    [": ", false],
    ["mooring", true],
    [" ", false],
    ["THE", true],
    [" lines, cafeteria", false],
  ]);
});

it("marks words with wildcards, and the word before a question mark", () => {
  const sought = highlightedWords([clause("prefix", "con?ract"), clause("prefix", "*ing"), clause("prefix", "price?")]);
  const marked = matchedPieces("The contract: mooring prices, price, con", sought).filter(([, isMatch]) => isMatch);
  expect(marked.map(([word]) => word)).toEqual(["contract", "mooring", "price"]);
});

it("marks the forms of a stemmed word", () => {
  const sought = highlightedWords([clause("stem", "stem:contract", false, ["contract", "contracted", "vertrage"])]);
  const marked = matchedPieces("Contracted, Verträge, contrast: stem", sought).filter(([, isMatch]) => isMatch);
  expect(marked.map(([word]) => word)).toEqual(["Contracted", "Verträge"]);
});

it("marks nothing for operators and excluded words", () => {
  const sought = highlightedWords([
    clause("from", "from:ann"),
    clause("words", "-draft", true),
    clause("date", "on:2001"),
    clause("group", "from:ann OR rope"),
  ]);
  expect([...sought.words]).toEqual(["rope"]);
  expect(matchedPieces("ann draft", sought)).toEqual([["ann draft", false]]);
});

it("returns the complete text in pieces", () => {
  const text = "a b a\n\nb — a";
  const pieces = matchedPieces(text, highlightedWords([clause("words", "a")]));
  expect(pieces.map(([part]) => part).join("")).toBe(text);
  expect(pieces.filter(([, isMatch]) => isMatch)).toHaveLength(3);
});
