import { encode } from "iconv-lite";
import { expect, it } from "vitest";
import { fittingCharset } from "./alphabet-fit.ts";

it("distinguishes KOI8-R from windows-1251, which swap capitals and small letters", () => {
  const text = "Привет, это письмо из Москвы";
  for (const charset of ["koi8-r", "windows-1251"]) {
    expect(fittingCharset(encode(text, charset), ["koi8-r", "windows-1251"])).toBe(charset);
    expect(fittingCharset(encode(text, charset), ["windows-1251", "koi8-r"])).toBe(charset);
  }
});
