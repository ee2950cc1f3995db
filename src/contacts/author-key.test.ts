import { describe, expect, it } from "vitest";
import { authorKey } from "./author-key.ts";

describe("the author a quoted header names", () => {
  it.each([
    ["Ann Reed", "reed a", ""],
    ["Reed, Ann M.", "reed a", ""],
    ["Ann Reed/HQ/MILL@MILL", "reed a", ""],
    ["Ann Reed@MILL", "reed a", ""],
    ["Ann Reed <Ann@Mill.example>", "reed a", "ann@mill.example"],
    ["Reed, Ann [mailto:ann@mill.example]", "reed a", "ann@mill.example"],
    ['"Ann Reed" [SMTP:ann@mill.example]', "reed a", "ann@mill.example"],
    ["ann@mill.example", "", "ann@mill.example"],
    ["Mill Office On Behalf Of Ann Reed", "reed a", ""],
    ["ann", "ann", ""],
    ["", "", ""],
  ])("%s", (text, name, address) => expect(authorKey(text)).toEqual({ name, address }));
});
