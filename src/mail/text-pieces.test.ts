import { expect, it } from "vitest";
import { replaceLineEnds } from "./text-pieces.ts";

it("replaces in long texts what it replaces in short ones", () => {
  const replace = (text: string): string => text.replaceAll("\r\n", "\n").replace(/\r+\n?/g, "\n");
  // Pieces of odd lengths, so that every one of them lies across the end of a piece somewhere.
  for (const line of ["x\r\n", "\r\n", "\r", "ab\r\r\n", "\n", "x\ry"]) {
    const text = line.repeat(Math.ceil((2.5 * (1 << 20)) / line.length));
    for (const lead of ["", "x", "xy"]) expect(replaceLineEnds(lead + text, replace) === replace(lead + text)).toBe(true);
  }
});
