import { describe, expect, it } from "vitest";
import { MarkRunBreaker } from "./html-mark-runs.ts";
import { markRunPieces } from "./mark-runs.ts";

const ACUTE = "\u0301";

describe("markRunPieces", () => {
  it("keeps ordinary text", () => {
    const text = "Zoe\u0308 देवनागरी 👨‍👩‍👧";
    expect(markRunPieces(text)).toEqual([text]);
  });

  it("divides a long run of marks without loss", () => {
    const text = `before a${ACUTE.repeat(100)}b after e${ACUTE.repeat(40)}`;
    const pieces = markRunPieces(text);
    expect(pieces.join("")).toBe(text);
    expect(pieces.length).toBeGreaterThan(4);
    expect(pieces.every((piece) => !new RegExp(`${ACUTE}{33}`).test(piece))).toBe(true);
  });
});

describe("MarkRunBreaker", () => {
  const breaks = (...texts: string[]): number => {
    const breaker = new MarkRunBreaker();
    return (
      texts
        .map((text) => breaker.write(text))
        .join("")
        .split("<wbr>").length - 1
    );
  };

  it("counts marks, references to marks, and both across elements", () => {
    expect(breaks(`a${ACUTE.repeat(64)}`)).toBe(1);
    expect(breaks(`a${"&#769;".repeat(64)}`)).toBe(1);
    expect(breaks(`a${"&#x301;".repeat(20)}`, ACUTE.repeat(20), "", "&DownBreve;".repeat(30))).toBe(2);
  });

  it("keeps references to letters, and marks between letters", () => {
    expect(breaks("&#1588;".repeat(100), "&amp;".repeat(100))).toBe(0);
    expect(breaks(`e${ACUTE}`.repeat(100))).toBe(0);
    expect(breaks(...Array.from({ length: 100 }, () => `${ACUTE} `))).toBe(0);
  });
});
