import { expect, it } from "vitest";
import { renderLine } from "../terminal/line.ts";
import { cellsOf } from "../terminal/text-columns.ts";
import { fieldLines, headingLines, textLines } from "./format-message.ts";

const shown = (lines: readonly Parameters<typeof renderLine>[0][]): readonly string[] =>
  lines.map((line) => renderLine(line, false));

it("breaks subjects and texts of every kind of record at 80 cells", () => {
  const subject = "Invitation: the mooring lines of berth nine @ Friday 13 August 2021, 4pm to 4:30pm (harbour office)";
  const url = `https://site.example/${"x".repeat(200)}`;
  for (const lines of [shown(headingLines(subject)), shown(textLines(`See\n\n${url}`))]) {
    expect(Math.max(...lines.map(cellsOf))).toBeLessThanOrEqual(80);
    expect(lines.length).toBeGreaterThan(1);
  }
  expect(shown(headingLines(subject)).join(" ")).toBe(subject);
  expect(shown(headingLines("  "))).toEqual(["(no subject)"]);
});

it("keeps a space between a long field name and its value", () => {
  expect(shown(fieldLines("Place", "Berth 2"))).toEqual(["Place:       Berth 2"]);
  expect(shown(fieldLines("business_telephone", "555 0100"))).toEqual(["business_telephone: 555 0100"]);
});
