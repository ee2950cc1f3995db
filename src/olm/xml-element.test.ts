import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemPieces, kindOfFile } from "./item-pieces.ts";
import { childOf, fieldOf, readXml, type XmlElement } from "./xml-element.ts";

const read = (text: string): XmlElement => readXml(text)!;

describe("an element", () => {
  it.each([
    ["text", "<a>x</a>", "x"],
    ["what five entities stand for", "<a>&lt;b&gt; &amp;&quot;&apos;</a>", "<b> &\"'"],
    ["characters by their numbers", "<a>&#233;&#x1F600;</a>", "é😀"],
    ["what is no entity as it is", "<a>&nbsp; &#0; &#x110000; & &lol;</a>", "&nbsp; &#0; &#x110000; & &lol;"],
    ["sections of text as they are", "<a><![CDATA[<b>&amp;]]></a>", "<b>&amp;"],
    ["no comments and instructions", "<a>x<!-- <b> --><?php <c> ?>y</a>", "xy"],
    ["a mark that begins nothing", "<a>1 < 2</a>", "1 < 2"],
    ["what is there of a text that ends early", "<a>x", "x"],
  ])("has %s", (_, xml, text) => expect(read(xml).text).toBe(text));

  it("has attributes, with either quotes and with marks in them", () => {
    const element = read(`<o:a one="1 > 0" o:two='"&amp;'  three = "3"/>`);
    expect(element.name).toBe("a");
    expect(Object.fromEntries(element.attributes)).toEqual({ one: "1 > 0", two: '"&', three: "3" });
  });

  it("has children, those that are not closed as well", () => {
    const element = read("<a>1<b>2<c/></b><b>3<br>4</b>5</a>");
    expect(element.children.map(({ name }) => name)).toEqual(["b", "b"]);
    expect(element.text).toBe("15");
    expect(childOf(element, "b")?.markup).toBe("2<c/>");
    expect(fieldOf(element, "b")).toBe("2");
    expect(childOf(element, "none")).toBeNull();
  });

  it("ignores entities that a document declares", () => {
    const laughs = `<!DOCTYPE a [<!ENTITY l "ha"><!ENTITY m "&l;&l;&l;">]>`;
    expect(readXml(`${laughs}<a>&m;</a>`)?.text).toBe("&m;");
  });

  it("nests to a depth that is bounded, and no text is lost below", () => {
    const deep = read(`${"<a>".repeat(50_000)}x${"</a>".repeat(50_000)}`);
    let depth = 0;
    let last = deep;
    for (; last.children.length > 0; last = last.children[0]!) depth++;
    expect([depth, last.text]).toEqual([63, "x"]);
  });

  it("never throws", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("<a", ">", "</a>", "<!--", "-->", "<![CDATA[", "]]>", '"', "'", "=", " b", "&#", ";", "<"),
        ),
        (pieces) => {
          readXml(pieces.join(""));
        },
      ),
    ));
});

describe("the items of a file", () => {
  const pieces = (xml: string): readonly string[] => {
    const bytes = Buffer.from(xml);
    const kind = kindOfFile(bytes);
    return kind === null ? [] : [...itemPieces(bytes, kind)].map(String);
  };

  it.each([
    [
      "one behind the other",
      "<emails><email>1</email><email a=''>2</email></emails>",
      ["<email>1</email>", "<email a=''>2</email>"],
    ],
    [
      "where addresses begin alike",
      "<emails><email><emailAddress/></email></emails>",
      ["<email><emailAddress/></email>"],
    ],
    ["of one that stands alone", "<?xml version='1.0'?><email>1</email>", ["<email>1</email>"]],
    ["in a namespace", "<o:notes><o:note>1</o:note></o:notes>", ["<o:note>1</o:note>"]],
    [
      "as far as to the next, where one is not closed",
      "<notes><note>1<note>2</note></notes>",
      ["<note>1", "<note>2</note>"],
    ],
    ["as far as to the end", "<notes><note>1", ["<note>1"]],
    ["of no list", "<categories><category/></categories>", []],
  ])("are found %s", (_, xml, items) => expect(pieces(xml)).toEqual(items));
});
