import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddressList } from "./address-list.ts";
import { firstField, parseHeaderBlock } from "./header-block.ts";
import { simpleAddresses } from "./simple-addresses.ts";

describe("simpleAddresses", () => {
  it("agrees with the full parser, or returns null", () => {
    const piece = fc.constantFrom(
      "a@b.example",
      "c",
      "@",
      " ",
      ",",
      "\n ",
      "\r\n\t",
      "'",
      '"',
      "<",
      ">",
      "(",
      ")",
      ";",
      ":",
      "=?utf-8?q?x?=",
      "\\",
      "x@y",
      '"',
      '"Last, First" <l@f.example>',
      "Ann ",
      "Lee <",
      "=",
      "é",
      "/",
      "?",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = pieces.join("");
        const simple = simpleAddresses(text, 0, text.length);
        const whole = firstField(parseHeaderBlock(Buffer.from(`X: ${text}\n\n`, "latin1")), "x");
        if (simple !== null) expect(simple).toEqual(parseAddressList(whole));
      }),
      { numRuns: 5000 },
    );
  });

  it("reads addresses between commas across folds", () => {
    const text = "To: a@b.example,\r\n\tc@d.example , e@f.example,";
    expect(simpleAddresses(text, 3, text.length)?.map(({ email }) => email)).toEqual([
      "a@b.example",
      "c@d.example",
      "e@f.example",
    ]);
  });

  it("reads names before brackets, with quotes and without", () => {
    const text = '"Last, First" <a@b.example>,\r\n Ann B. Lee\t<c@d.example>, <e@f.example>, "" <g@h.example>';
    expect(simpleAddresses(text, 0, text.length)).toEqual([
      { name: "Last, First", email: "a@b.example" },
      { name: "Ann B. Lee", email: "c@d.example" },
      { name: "", email: "e@f.example" },
      { name: "", email: "g@h.example" },
    ]);
  });

  it.each([
    "a@b.example c@d.example",
    "'a@b.example'",
    "ann",
    "a@b.example, bob",
    "\"'Ann'\" <a@b.example>",
    '"Ann" Lee <a@b.example>',
    "Ann  Lee <a@b.example>",
    '" Ann" <a@b.example>',
    '"Ann \\"A\\" Lee" <a@b.example>',
    "=?utf-8?q?x?= <a@b.example>",
    "Ann <a@b.example",
    "Ann <>",
    "Ann <a@b.example> Lee",
  ])("returns null for %j", (text) => {
    expect(simpleAddresses(text, 0, text.length)).toBeNull();
  });
});
