import { describe, expect, it } from "vitest";
import { parseMessage } from "../parse-message.ts";
import { convertedFiles, readEudoraBody } from "./eudora-text.ts";

describe("readEudoraBody", () => {
  it.each([
    ["<x-flowed>One long \nline.\n</x-flowed>\n", { text: "One long line.\n\n", html: null }],
    ["\n<x-html>\n<p>Gate</p>\n</x-html>\n", { text: null, html: "<p>Gate</p>\n" }],
    ["<x-rich><bold>Gate</bold> shut\n</x-rich>", { text: "Gate shut ", html: null }],
    ["<X-HTML><p>never closed", { text: null, html: "<p>never closed" }],
    ["<x-html><p>a</p></x-html>\n1 < 2", { text: null, html: "<p>a</p>\n<pre>\n1 &lt; 2</pre>" }],
    ["<x-html><p>a</p></x-html>\n<x-html><p>b</p></x-html>\n", { text: null, html: "<p>a</p>\n<p>b</p>" }],
    ["<x-flowed>a\n</x-flowed>\n<x-html><p>b</p></x-html>", { text: null, html: "<pre>a\n</pre>\n<p>b</p>" }],
    ["text with <x-html> inside", null],
  ])("reads %j", (text, body) => {
    expect(readEudoraBody(text)).toEqual(body);
  });
});

it("lists the files that Eudora took out", () => {
  expect(
    convertedFiles('Hi\nAttachment Converted: "C:\\EUDORA\\Attach\\sluice 01.jpg"\nAttachment Converted: Mac:a.doc\n'),
  ).toEqual(["C:\\EUDORA\\Attach\\sluice 01.jpg", "Mac:a.doc"]);
});

it("lists those of a Mac without their types", () => {
  expect(convertedFiles("Attachment converted: Disk:plan.doc (WDBN/MSWD) (0001A2B3)\n")).toEqual(["Disk:plan.doc"]);
});

it("keeps text that resembles a note", () => {
  expect(convertedFiles("attachment converted: a.doc\nMy Attachment Converted: b.doc\n")).toEqual([]);
});

it("reads a message of Eudora with its files as links", () => {
  const read = parseMessage(
    Buffer.from(
      'Content-Type: multipart/mixed; boundary="=====_98=_"\n\n<x-html>\n<p>Gate</p></x-html>\n\n' +
        'Attachment Converted: "C:\\EUDORA\\Attach\\sluice 01.jpg"\n',
    ),
  );
  expect([read.textBody, read.htmlBody?.startsWith("<p>Gate</p>")]).toEqual([null, true]);
  expect(read.attachments.map(({ filename, linkTarget }) => [filename, linkTarget])).toEqual([
    ["sluice 01.jpg", "C:\\EUDORA\\Attach\\sluice 01.jpg"],
  ]);
});
