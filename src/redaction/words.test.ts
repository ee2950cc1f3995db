import { describe, expect, it } from "vitest";
import { redactText } from "./redact-text.ts";

const NO_TYPES = new Set<"email">();
const redacted = (text: string, ...words: readonly string[]): string => redactText(text, NO_TYPES, words).text;
const WORD = "[REDACTED:word]";

describe("words of a list", () => {
  it.each([
    ["Condor is late", "condor", `${WORD} is late`],
    ["CONDOR, condor's: (Condór)", "Condor", `${WORD}, ${WORD}'s: (${WORD})`],
    ["Müller and Mu\u0308ller and MULLER", "müller", `${WORD} and ${WORD} and ${WORD}`],
    ["STRAẞE, Straße, STRASSE", "straße", `${WORD}, ${WORD}, ${WORD}`],
    ["Con\u200bdor Con\u00addor", "condor", `${WORD} ${WORD}`],
    ["Project_Condor and condor-7", "condor", `Project_${WORD} and ${WORD}-7`],
    ["write to condor@firm.example", "condor", `write to ${WORD}@firm.example`],
    ["田中さんへ", "田中", `${WORD}さんへ`],
    ["see O’Brien or O'BRIEN", "o'brien", `see ${WORD} or ${WORD}`],
  ])("are found in %j", (text, word, expected) => {
    expect(redacted(text, word)).toBe(expected);
  });

  it("match whole words only", () => {
    expect(redacted("condors, Econdor and condor2 fly", "condor")).toBe("condors, Econdor and condor2 fly");
  });

  it("may be phrases, over white space, ends of lines and quotation marks; the longest is taken", () => {
    const text = "Ask Jon  Pike.\n> Jon\n> Pike and Jon.";
    expect(redacted(text, "jon pike")).toBe(`Ask ${WORD}.\n> ${WORD} and Jon.`);
    expect(redacted("red sea wall, red sea", "red sea", "red sea wall")).toBe(`${WORD}, ${WORD}`);
    expect(redacted("a b c d", "b c x", "c d")).toBe(`a b ${WORD}`);
  });

  it("are found next to and inside personal data, but not in markers", () => {
    const types = new Set(["email", "phone"] as const);
    const { text, counts } = redactText("condor: condor@firm.example, 206-555-0143 redacted word", types, [
      "condor",
      "redacted",
      "word",
      "email",
    ]);
    expect(text).toBe(`${WORD}: [REDACTED:email], [REDACTED:phone] ${WORD} ${WORD}`);
    expect(counts).toMatchObject({ email: 1, phone: 1, word: 3 });
    expect(redactText(text, types, ["condor", "redacted", "word", "email"]).text).toBe(text);
  });

  it("are found in linear time", () => {
    const words = Array.from({ length: 30 }, (_, index) => `${"a ".repeat(index + 1)}b`);
    expect(redacted("a ".repeat(200_000), ...words)).toBe("a ".repeat(200_000));
  });
});
