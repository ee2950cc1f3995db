import { describe, expect, it } from "vitest";
import { renderLine, showsColors } from "./line.ts";

describe("renderLine", () => {
  it("colors sanitized text, and writes no codes without colors", () => {
    const line = ["a\u001b[31m ", { style: "match", text: "hawser\u001b[2J\n" }, " b"] as const;
    expect(renderLine(line, true)).toBe("a \u001b[1;33mhawser \u001b[22;39m b");
    expect(renderLine(line, false)).toBe("a hawser  b");
    expect(renderLine("x\u001b[2J\u202ey\nz", true)).toBe("xy z");
  });
});

describe("showsColors", () => {
  const asked = (isTerminal: boolean, changes: { noColor?: string; forceColor?: string; term?: string } = {}) =>
    showsColors({ isTerminal, noColor: undefined, forceColor: undefined, term: "xterm-256color", ...changes });

  it.each([
    ["a terminal", asked(true), true],
    ["a pipe", asked(false), false],
    ["a dumb terminal", asked(true, { term: "dumb" }), false],
    ["NO_COLOR", asked(true, { noColor: "1" }), false],
    ["an empty NO_COLOR", asked(true, { noColor: "" }), true],
    ["FORCE_COLOR in a pipe", asked(false, { forceColor: "1" }), true],
    ["FORCE_COLOR=0", asked(true, { forceColor: "0" }), false],
    ["NO_COLOR against FORCE_COLOR", asked(true, { noColor: "1", forceColor: "1" }), false],
  ])("answers for %s", (_, shown, expected) => {
    expect(shown).toBe(expected);
  });
});
