import { describe, expect, it } from "vitest";
import { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { textKey } from "./text-key.ts";

const LONG = "The harbour master has moved the berth of the barge to the northern quay. ".repeat(5);

function keyOf(ownText: string, baseSubject = "berths", body = ownText): number | null {
  return textKey({ body: Buffer.from(body), ownText, baseSubject }, new Utf8Buffer());
}

describe("the key of a text", () => {
  it("is that of its letters and digits, however it was wrapped", () => {
    expect(keyOf("The barge is late again, and nobody knows why.\n")).toBe(
      keyOf("The  barge is late\nagain - and nobody knows why"),
    );
    expect(keyOf("The barge is late again, and nobody knows why 7.")).not.toBe(
      keyOf("The barge is late again, and nobody knows why 8."),
    );
  });

  it("needs the subject where the text is short", () => {
    const text = "The list of all berths is in the file below.";
    expect(keyOf(text, "may")).not.toBe(keyOf(text, "june"));
    expect(keyOf(LONG, "may")).toBe(keyOf(LONG, "june"));
  });

  it("is the same in either case", () => {
    expect(keyOf(LONG.toUpperCase())).toBe(keyOf(LONG.toLowerCase()));
    expect(keyOf("Thanks, Jo")).toBe(keyOf("thanks jo"));
  });

  it("looks at what is quoted where its author wrote little", () => {
    expect(keyOf("Thanks", "berths", "Thanks\n> one")).not.toBe(keyOf("Thanks", "berths", "Thanks\n> two"));
    expect(keyOf("Thanks", "berths", "Thanks\n> one")).toBe(keyOf("", "berths", "Thanks\n> one"));
    expect(keyOf(LONG, "berths", `${LONG}\n> one`)).toBe(keyOf(LONG, "berths", `${LONG}\n> two`));
  });

  it("is none where nothing is said", () => {
    expect(keyOf("")).toBeNull();
    expect(keyOf(" -- \n***\n")).toBeNull();
  });

  it("is a number that every column holds", () => {
    expect(keyOf(LONG)).toBeLessThan(2 ** 49);
    expect([keyOf(LONG)! % 2, keyOf("Thanks")! % 2]).toEqual([1, 0]);
    expect(Number.isSafeInteger(keyOf(LONG))).toBe(true);
  });
});
