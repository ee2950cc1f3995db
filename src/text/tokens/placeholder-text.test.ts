import { describe, expect, it } from "vitest";
import { isPlaceholder } from "./placeholder-text.ts";

const HTML = "The cormorants nest on the harbour wall again, and the inspector wants to see them on Friday morning.";

describe("a plain part that is a placeholder for the HTML part", () => {
  it.each([
    ["English", "Your mail program does not support HTML."],
    ["German", "Diese Nachricht ist im HTML-Format. Bitte aktivieren Sie die HTML-Ansicht."],
    ["Japanese", "このメールはHTML形式です。"],
    ["one word", "OK"],
    ["an address", "View it online: https://news.mill.example/4711"],
  ])("is detected by the words it lacks: %s", (_language, plain) => expect(isPlaceholder(plain, HTML)).toBe(true));

  it.each([
    ["the same text", HTML, HTML],
    ["the text without a picture's name", "See you on Friday.", "[logo] See you on Friday. Mill"],
    ["the same Japanese text in other lines", "来週の月曜日に港の検査\nを行います", "来週の月曜日に港の検査を行います"],
    ["the text without a long signature", "Please see the inspector on Friday morning at the harbour wall", HTML],
    ["a long text of its own", "Something else entirely was written here. ".repeat(30), HTML],
    ["a part next to HTML that says nothing", "Hello", ""],
  ])("is not %s", (_what, plain, html) => expect(isPlaceholder(plain, html)).toBe(false));
});
