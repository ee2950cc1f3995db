import { describe, expect, it } from "vitest";
import { enrichedToText } from "./enriched-text.ts";

describe("enrichedToText", () => {
  it.each([
    ["<bold>Gate</bold> is <color><param>red</param>shut</color> at 3 << 4.", "Gate is shut at 3 < 4."],
    ["one\nline\n\nnext\n\n\nlast", "one line\nnext\n\nlast"],
    ["<nofill>a\nb</nofill>\nc", "a\nb c"],
    ["2 < 3 and <ann@mill.example>", "2 < 3 and <ann@mill.example>"],
    ["<param>never closed", ""],
    ["</param>closed", "closed"],
  ])("reads %j", (text, plain) => {
    expect(enrichedToText(text, "enriched")).toBe(plain);
  });

  it("reads richtext", () => {
    expect(enrichedToText("<Bold>a</Bold>\nb<nl>c <lt>d><comment>hidden</comment>", "richtext")).toBe("a b\nc <d>");
  });
});
