import { describe, expect, it } from "vitest";
import { isHtmlDocument } from "./html-document.ts";

describe("isHtmlDocument", () => {
  it.each([
    "<html><body>Hello</body></html>",
    ' \n\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0//EN">\n<HTML><p>Hello</HTML>',
    "<head><title>News</title></head>Hello",
    '<TABLE width="100%"><tr><td>Hello</td></tr></TABLE>',
    '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html><body>Hello</body></html>',
    "<!--\nYour program shows no pages.\n-->\n<html><body>Hello</body></html>",
    '<META HTTP-EQUIV="Content-Type" CONTENT="text/html">\n<html><head></head>Hello</html>',
    "<! >\n<! ATTENTION!>\n<html><body>Hello</body></html>",
    "<html><body>Hello</body></html >",
    `<!doctype html><html><head></head><body>${"<font>cut off</font>".repeat(5)}`,
    `<P>&nbsp;<BR><FONT SIZE=2>${"<B>Ann</B><BR>".repeat(4)}</FONT></P>\n`,
    `<!-- hidden --><div align="center">${"<p>Hello</p>".repeat(4)}</div>`,
  ])("detects a document: %j", (text) => {
    expect(isHtmlDocument(text)).toBe(true);
  });

  it.each([
    "",
    "Hello <html></html>",
    "<html> is how pages begin",
    "<tablet></tablet>",
    "<b>bold</b>",
    `<p>a</p> is a paragraph${", <p>another</p>".repeat(9)}, and so on.`,
    "<html><b>begins</b> a page, <p>...</p> goes on",
    `<code>${"<x>1</x>".repeat(9)}</code>`,
    "<!-- a note --> hello",
    "<!-- a note that does not end <html></html>",
    "<!-- pages begin with <html> and end with </html> --> hello",
    "<?xml version='1.0'?><table-of-contents></table-of-contents>",
  ])("ignores text: %j", (text) => {
    expect(isHtmlDocument(text)).toBe(false);
  });

  it("passes over any number of comments", () => {
    const comments = "<!-- -->\n".repeat(1 << 20);
    expect(isHtmlDocument(`${comments}no page`)).toBe(false);
    expect(isHtmlDocument(`${comments}<html></html>`)).toBe(true);
    expect(isHtmlDocument("<!--".repeat(1 << 20))).toBe(false);
  });

  it("passes over any number of blanks", () => {
    const blanks = "\u2028\n".repeat(1 << 23);
    expect(isHtmlDocument(`${blanks}no page`)).toBe(false);
    expect(isHtmlDocument(`${blanks}<html></html>`)).toBe(true);
  });
});
