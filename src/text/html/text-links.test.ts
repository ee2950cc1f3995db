import { describe, expect, it } from "vitest";
import { linksIn } from "./text-links.ts";

const targets = (text: string): readonly string[] => linksIn(text).map(({ target }) => target);

describe("addresses in text", () => {
  it.each([
    ["See https://site.example/a?b=c#d, please.", ["https://site.example/a?b=c#d"]],
    ["(see http://site.example/wiki/Mail_(post))", ["http://site.example/wiki/Mail_(post)"]],
    ["(http://site.example/a).", ["http://site.example/a"]],
    ["<https://site.example/x> and “http://site.example/y”!", ["https://site.example/x", "http://site.example/y"]],
    [
      "HTTP://SITE.EXAMPLE/A mailto:ann@site.example?subject=hi...",
      ["HTTP://SITE.EXAMPLE/A", "mailto:ann@site.example?subject=hi"],
    ],
    ["http://site.example/[REDACTED:email]/x", ["http://site.example/"]],
    ["http://a.example;http://b.example", ["http://a.example;http://b.example"]],
    ["xhttp://site.example http:// mailto: mailto:none https://", []],
    ["javascript:alert(1) data:text/html,x file:///etc ftp://site.example vbscript:x", []],
    ["JaVaScRiPt://site.example/%0aalert(1)", []],
    [`http://site.example/${"a".repeat(3000)}`, []],
  ])("%s", (text, expected) => expect(targets(text)).toEqual(expected));

  it("have their places in the text", () => {
    const text = "Go to https://site.example. Now.";
    expect(linksIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(["https://site.example"]);
  });
});

describe("Message-IDs in text", () => {
  it.each([
    ["In <20240102.abc$1@lists.example> you wrote", ["20240102.abc$1@lists.example"]],
    ["Link: https://lore.example/r/a@b.example <a@b.example>", ["https://lore.example/r/a@b.example", "a@b.example"]],
    ["<a b@c> <@c> <a@> <a@b@c> < a@b>", []],
  ])("%s", (text, expected) => expect(targets(text)).toEqual(expected));

  it("are distinguished from addresses", () => {
    expect(linksIn("<a@b.example> http://c.example").map(({ kind }) => kind)).toEqual(["message", "address"]);
  });
});

it("reads hostile text once", () => {
  for (const piece of ["<", "<a@", "http://(", "mailto:", "(((", ")))", "<a"])
    expect(linksIn(piece.repeat(200_000)).length).toBeLessThan(2);
});
