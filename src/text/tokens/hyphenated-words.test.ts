import { expect, it } from "vitest";
import { joinedAcrossLines, joinedNames, wordsAcrossLines } from "./hyphenated-words.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

it.each([
  ["a hyphen-\nation and state-\r\nments.", "hyphenation\nstatements"],
  ["> quoted agree-\n> ment", "agreement"],
  ["Über-\nprüfung", "Überprüfung"],
  // Names, numbers, rules and signatures are not divided words.
  ["Smith-\nJones, 12-\nmonth, a-\nb, --\nann, -\nitem, word -\nnext", ""],
  ["word-", ""],
  ["word-\n", ""],
  ["word-\n\nnext", ""],
])("joins words divided at a line end: %j", (text, words) => {
  expect(wordsAcrossLines(utf8(text))).toBe(words);
  const joined = joinedAcrossLines(utf8(text));
  if (words === "") expect(joined).toBeNull();
  else for (const word of words.split("\n")) expect(Buffer.from(joined!).toString()).toContain(word);
});

it("keeps other text when it joins words", () => {
  const text = "é -\nthe agree-\r\n>> ment, a state-\nment: 12-\nb";
  expect(Buffer.from(joinedAcrossLines(utf8(text))!).toString()).toBe("é -\nthe agreement, a statement: 12-\nb");
});

it.each([
  ["Anne-Marie O'Connor <am.o'connor@mill.example>", "AnneMarie\nOConnor\noconnor"],
  ["O’Brien, D‘Arcy, OʼHara, OʻMeara, O＇Shea, O′Neill", "OBrien\nDArcy\nOHara\nOMeara\nOShea\nONeill"],
  ["Ann Lee <ann@mill-9.example>", ""],
])("joins names: %j", (text, names) => expect(joinedNames(utf8(text))).toBe(names));

it("takes linear time for a text of hyphens", () => {
  expect(wordsAcrossLines(utf8("-\n".repeat(100_000)))).toBe("");
  expect(joinedNames(utf8(`${"a-".repeat(999)}a`))).toHaveLength(1_000);
});
