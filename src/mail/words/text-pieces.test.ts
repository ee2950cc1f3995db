import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { replaceLineEnds, StringBuilder } from "./text-pieces.ts";

it("replaces the same in long and short texts", () => {
  const replace = (text: string): string => text.replaceAll("\r\n", "\n").replace(/\r+\n?/g, "\n");
  const piece = 1 << 20;
  for (const line of ["x\r\n", "\r\n", "\r", "ab\r\r\n", "\n", "x\ry"]) {
    const lines = (units: number): string => line.repeat(Math.ceil(units / line.length));
    // Line ends only at ends of pieces: replacing millions of them would take seconds.
    const text = "x".repeat(piece - 30) + lines(60) + "x".repeat(piece - 200) + lines(400);
    for (const lead of ["", "x", "xy"])
      expect(replaceLineEnds(lead + text, replace) === replace(lead + text)).toBe(true);
  }
});

it("returns the added text in any number of pieces", () => {
  const text = new StringBuilder();
  const added: string[] = [];
  text.add("");
  for (const piece of ["a", "\u{1f600}", "bc\ud83d", "\ude00", "\n".repeat(1 << 19)]) {
    for (let count = 0; count < 40_000 / piece.length; count++) {
      text.add(piece);
      added.push(piece);
    }
  }
  expect(text.toString() === added.join("")).toBe(true);
  expect(text.length).toBe(added.join("").length);
});

it("needs little more memory than its characters", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const text = new StringBuilder();
  for (let count = 0; count < 1 << 20; count++) text.add("ab"[count & 1]!);
  collect();
  // As one string, it has 32 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8 << 20);
  expect(text.length).toBe(1 << 20);
});
