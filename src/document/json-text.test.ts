import fc from "fast-check";
import { expect, it } from "vitest";
import { Utf8Buffer } from "../mail/utf8-buffer.ts";
import { writeJsonText } from "./json-text.ts";

it("escapes as JSON.stringify does, and leaves NUL out", () => {
  const everyAscii = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(everyAscii, everyAscii.repeat(300)));
  fc.assert(
    fc.property(texts, fc.string(), (text, before) => {
      const out = new Utf8Buffer();
      out.text(before);
      writeJsonText(Buffer.from(text), out);
      const expected = JSON.stringify(text.toWellFormed().replaceAll("\0", "")).slice(1, -1);
      expect(out.view().toString()).toBe(before + expected);
    }),
  );
});
