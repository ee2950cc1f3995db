import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddressList } from "./address-list.ts";
import { firstField, parseHeaderBlock } from "./header-block.ts";
import { simpleAddresses } from "./simple-addresses.ts";

describe("simpleAddresses", () => {
  it("gives what the full reader gives, or nothing", () => {
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
      "é",
      "/",
      "?",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("");
        const simple = simpleAddresses(text, 0, text.length);
        const whole = firstField(parseHeaderBlock(Buffer.from(`X: ${text}\n\n`, "latin1")), "x");
        if (simple !== null) expect(simple).toEqual(parseAddressList(whole));
      }),
      { numRuns: 2000 },
    );
  });

  it("reads addresses between commas across folds", () => {
    const text = "To: a@b.example,\r\n\tc@d.example , e@f.example,";
    expect(simpleAddresses(text, 3, text.length)?.map(({ email }) => email)).toEqual(["a@b.example", "c@d.example", "e@f.example"]);
  });

  it.each(["a@b.example c@d.example", "Ann <a@b.example>", "'a@b.example'", "ann", "a@b.example, bob"])(
    "leaves %j to the full reader",
    (text) => {
      expect(simpleAddresses(text, 0, text.length)).toBeNull();
    },
  );
});
