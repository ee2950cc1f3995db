import { describe, expect, it } from "vitest";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { splitBody, textOf } from "../quoting/split-body.ts";
import { authoredText, textKey } from "./text-key.ts";

const LONG = "The harbour master has moved the berth of the barge to the northern quay. ".repeat(5);

function keyOf(written: string, baseSubject = "berths", body = written, author = "Ann <ann@x.example>"): number | null {
  return textKey({ body: Buffer.from(body), written, baseSubject, author }, new Utf8Buffer());
}

describe("the key of a text", () => {
  it("depends on letters and digits only, not on line breaks", () => {
    expect(keyOf("The barge is late again, and nobody knows why.\n")).toBe(
      keyOf("The  barge is late\nagain - and nobody knows why"),
    );
    expect(keyOf("The barge is late again, and nobody knows why 7.")).not.toBe(
      keyOf("The barge is late again, and nobody knows why 8."),
    );
  });

  it("omits the subject, unless the text is one or two words", () => {
    const text = "The list of all berths is in the file below.";
    for (const same of [LONG, text, "Let me know what you think."])
      expect(keyOf(same, "may")).toBe(keyOf(same, "june"));
    for (const other of ["FYI", "See the file", "Thanks, Jo"])
      expect(keyOf(other, "may")).not.toBe(keyOf(other, "june"));
  });

  it("includes the author if there is no subject", () => {
    const [ann, other] = ["Ann <ann@x.example>", "Reed <ANN@x.example>"];
    expect(keyOf("FYI", "", "FYI", ann)).toBe(keyOf("FYI", "", "FYI", other));
    expect(keyOf("FYI", "", "FYI", ann)).not.toBe(keyOf("FYI", "", "FYI", "Bo <bo@x.example>"));
    expect(keyOf(LONG, "", LONG, ann)).toBe(keyOf(LONG, "", LONG, "Bo <bo@x.example>"));
    expect(keyOf("FYI", "ann", "FYI", ann)).not.toBe(keyOf("FYI", "", "FYI", "ann"));
  });

  it("is the same in either case", () => {
    expect(keyOf(LONG.toUpperCase())).toBe(keyOf(LONG.toLowerCase()));
    expect(keyOf("Thanks, Jo")).toBe(keyOf("thanks jo"));
  });

  it("includes quoted text if the own text is short", () => {
    expect(keyOf("Thanks", "berths", "Thanks\n> one")).not.toBe(keyOf("Thanks", "berths", "Thanks\n> two"));
    expect(keyOf("Thanks", "berths", "Thanks\n> one")).toBe(keyOf("", "berths", "Thanks\n> one"));
    expect(keyOf(LONG, "berths", `${LONG}\n> one`)).toBe(keyOf(LONG, "berths", `${LONG}\n> two`));
  });

  it("is null without text", () => {
    expect(keyOf("")).toBeNull();
    expect(keyOf(" -- \n***\n")).toBeNull();
  });

  it("fits into a column of integers", () => {
    expect(keyOf(LONG)).toBeLessThan(2 ** 48);
    expect(Number.isSafeInteger(keyOf(LONG))).toBe(true);
  });
});

describe("the text that is compared", () => {
  const NOTE = "The barge is late again, and nobody knows why.";
  const written = (body: string, author: string) => authoredText(body, splitBody(body, author));

  it("keeps a card that only the author's name identifies, so that all senders have equal keys", () => {
    const card = "Ann Reed\nHarbour Lines\n555-0101";
    const body = `${NOTE}\n\n${card}\n`;
    expect(textOf(body, splitBody(body, "Ann Reed <ann@x.example>"), "own")).toBe(NOTE);
    for (const author of ["Ann Reed <ann@x.example>", "Bo Lund <bo@x.example>", ""])
      expect(written(body, author)).toBe(`${NOTE}\n\n${card}`);
  });

  it("omits quotations and marked signatures", () => {
    expect(written(`${NOTE}\n\n-- \nAnn\n`, "Ann Reed <ann@x.example>")).toBe(NOTE);
    expect(written(`${NOTE}\n\n> Where is it?\n`, "")).toBe(NOTE);
  });
});
