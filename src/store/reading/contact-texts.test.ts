import { expect, it } from "vitest";
import { foldKey } from "../../mail/words/fold-key.ts";
import { contactTexts, findContacts } from "./contact-texts.ts";

it("finds a name with any apostrophe or hyphen", () => {
  const names = ["Sean O’Brien", "Anne-Marie Roux", "Anne Marie Roux", "Łukasz Øster"];
  const texts = contactTexts(names.map((name, at) => [at + 1, foldKey(name)]));
  const found = (text: string): readonly number[] =>
    findContacts(texts, { text, order: Uint32Array.of(0, 1, 2, 3), page: { offset: 0, limit: 10 } }).ordinals;
  expect([
    found("o'brien"),
    found("O`Brien"),
    found("Oʻbrien"),
    found("anne-marie"),
    found("anne marie"),
    found("lukasz o"),
  ]).toEqual([[1], [1], [1], [2, 3], [2, 3], [4]]);
});
