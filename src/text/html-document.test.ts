import { describe, expect, it } from "vitest";
import { isHtmlDocument } from "./html-document.ts";

describe("isHtmlDocument", () => {
  it.each([
    "<html><body>Hello</body></html>",
    ' \n\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0//EN">\n<HTML><p>Hello</HTML>',
    "<head><title>News</title></head>Hello",
    '<TABLE width="100%"><tr><td>Hello</td></tr></TABLE>',
  ])("knows a document: %j", (text) => {
    expect(isHtmlDocument(text)).toBe(true);
  });

  it.each([
    "",
    "Hello <html></html>",
    "<html> is how pages begin",
    "<tablet></tablet>",
    "<b>bold</b>",
    "<!-- a note --> hello",
  ])("leaves text alone: %j", (text) => {
    expect(isHtmlDocument(text)).toBe(false);
  });

  it("passes over any number of blanks", () => {
    const blanks = "\u2028\n".repeat(1 << 23);
    expect(isHtmlDocument(`${blanks}no page`)).toBe(false);
    expect(isHtmlDocument(`${blanks}<html></html>`)).toBe(true);
  });
});
