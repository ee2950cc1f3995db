import { describe, expect, it } from "vitest";
import { unfoldFlowed } from "./flowed-text.ts";

describe("unfoldFlowed", () => {
  it.each([
    ["joins soft line ends", "a \nb\nc", false, "a b\nc"],
    ["drops the blank with DelSp", "a \nb", true, "ab"],
    ["keeps quote depth", "> a \n> b\n>> c", false, "> a b\n>> c"],
    ["does not join across depth", "> a \nb", false, "> a \nb"],
    ["removes stuffing", " From me\n >quoted?", false, "From me\n>quoted?"],
    ["keeps the signature line", "a \n-- \nsig", false, "a \n-- \nsig"],
    ["keeps a quoted signature line", "> a \n> -- \n> sig", false, "> a \n> -- \n> sig"],
    ["keeps empty lines", "a\n\n>\nb\n", false, "a\n\n>\nb\n"],
    ["ends an open paragraph", "a ", false, "a "],
  ])("%s", (_, text, isDelSp, expected) => {
    expect(unfoldFlowed(text, isDelSp)).toBe(expected);
  });

  it("limits the number of joined lines", () => {
    const flowed = "a \n".repeat(200_000);
    const joined = unfoldFlowed(`${flowed}b \nc\n`, false);
    expect(joined).toBe(`${"a ".repeat(200_000)}\nb \nc\n`);
  });
});
