import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRtf } from "./rtf-text.ts";

const rtf = (text: string) => readRtf(Buffer.from(text, "latin1"));

describe("readRtf", () => {
  it.each([
    ["plain paragraphs", "{\\rtf1\\ansi\\ansicpg1252 One\\par Two\\tab three\\line four}", "One\nTwo\tthree\nfour"],
    [
      "words in capitals",
      "{\\RTF1\\ANSI\\ANSICPG1251{\\FONTTBL{\\F0 Arial;}}\\F0 \\'c4\\PAR {\\V gone}\\U8364?}",
      "Д\n€",
    ],
    ["symbols and dashes", "{\\rtf1 a\\{b\\}c\\\\d\\~e\\emdash f \\ldblquote q\\rdblquote}", "a{b}c\\d\u00a0e—f “q”"],
    ["no text after the document", "{\\rtf1 {\\b one} two}\r\ntrailing bytes\\par", "one two"],
    ["text after the last brace of a cut document", "{\\rtf1 {\\b one} two", "one two"],
    ["text after a brace too many", "{\\rtf1 one} two {\\b three}}", "one two three"],
    ["bytes of windows-1252", "{\\rtf1\\ansicpg1252 caf\\'e9 \\'80}", "café €"],
    ["Unicode with a fallback", "{\\rtf1\\uc1 x\\u8364?y\\u-10179?\\u-8704?z}", "x€y😀z"],
    ["Unicode with a longer fallback", "{\\rtf1\\uc2\\u960\\'a0\\'b0 end}", "π end"],
    [
      "a font of another charset",
      "{\\rtf1{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset128 B;}}\\f1\\'83\\'65\\'83X\\f0 ok}",
      "テスok",
    ],
    [
      "no header tables",
      "{\\rtf1{\\fonttbl{\\f0 Arial;}}{\\colortbl;\\red1;}{\\stylesheet{Normal;}}{\\*\\generator X;}{\\info{\\title T}}text}",
      "text",
    ],
    ["text behind a star that opens no group", "{\\rtf1 {\\loch\\*\\cs7 kept text}{\\*\\cs7 gone}}", "kept text"],
    ["fields by their result", "{\\rtf1{\\field{\\*\\fldinst PAGE}{\\fldrslt 3}} after}", "3 after"],
    [
      "links with where they lead",
      '{\\rtf1 {\\field{\\*\\fldinst {HYPERLINK "https://teams.example/l?a=1" \\\\o "Join"}}{\\fldrslt {\\ul Join now}}} after}',
      "Join now (https://teams.example/l?a=1) after",
    ],
    [
      "links without quotes",
      "{\\rtf1{\\field\\flddirty{\\*\\fldinst HYPERLINK mailto:ann@x.example }{\\fldrslt Ann}}}",
      "Ann (mailto:ann@x.example)",
    ],
    [
      "links that show where they lead",
      '{\\rtf1{\\field{\\*\\fldinst HYPERLINK "http://x.example/"}{\\fldrslt http://x.example}} after}',
      "http://x.example after",
    ],
    [
      "links to a place of the same text",
      '{\\rtf1{\\field{\\*\\fldinst HYPERLINK \\\\l "top"}{\\fldrslt up}} after}',
      "up after",
    ],
    [
      "tables inside tables",
      "{\\rtf1\\intbl\\itap2 a\\nestcell b\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}\\intbl c\\cell\\row}",
      "a\tb\t\nc\t\n",
    ],
    [
      "objects by their result",
      "{\\rtf1 a {\\object\\objemb{\\*\\objclass Excel.Sheet.8}{\\*\\objdata 0105}{\\result {total 42}}} b}",
      "a total 42 b",
    ],
    ["footnotes", "{\\rtf1 text{\\footnote note} end}", "text note end"],
    [
      "soft line ends, columns and marks",
      "{\\rtf1 a\\softline b\\column c\\zwj d\\ltrmark e}",
      "a\nb\nc\u200dd\u200ee",
    ],
    ["numbers of lists", "{\\rtf1{\\listtext\\plain 1.\\tab}One\\par}", "1.\tOne\n"],
    ["hidden and deleted text left out", "{\\rtf1 a{\\v h}b\\v i\\v0 c{\\deleted d}\\v j\\plain k}", "abck"],
    [
      "text boxes, without their settings",
      "{\\rtf1 a{\\shp{\\*\\shpinst{\\sp{\\sn fill}{\\sv 0}}{\\shptxt  boxed}}{\\shprslt boxed}} b}",
      "a boxed b",
    ],
    ["a font with a code page", "{\\rtf1\\ansi{\\fonttbl{\\f1\\cpg1251 A;}}\\f1\\'cf\\'f0}", "Пр"],
    ["binary data left out", "{\\rtf1 a{\\pict\\bin3 }}}}b}", "ab"],
    ["one code page a document", "{\\rtf1{\\ansicpg1251 \\'ef}\\'ef}", "пп"],
    ["no code page of wide strings", "{\\rtf1\\ansicpg1200 caf\\'e9 cr\\'e8me is ready}", "café crème is ready"],
    ["no code page 0", "{\\rtf1\\ansicpg0 caf\\'e9}", "café"],
    ["the charset of the default font", "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fcharset204 A;}}\\'cf\\'f0}", "Пр"],
    [
      "the default font after \\plain",
      "{\\rtf1\\deff0{\\fonttbl{\\f0\\fcharset204 A;}{\\f1\\fcharset161 B;}}\\f1\\'e1\\plain\\'cf}",
      "αП",
    ],
    ["the Unicode half of two", "{\\rtf1 name {\\upr{????}{\\*\\ud{\\u1055?\\u1088?\\u1080?}}} end}", "name При end"],
    ["a backslash as half a character", "{\\rtf1\\ansicpg932 \\'95\\\\ end\\\\}", "表 end\\"],
    [
      "letters of symbol fonts as symbols",
      "{\\rtf1\\ansicpg1251{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset2{\\*\\panose 05}Wingdings;}{\\f2\\fnil Symbol;}}" +
        "\\f0 J\\'e9{\\f1 J}\\f2\\'b7\\tab a\\f1\\'e0\\u-4022 ?\\'8c\\plain\\'e9 J}",
      "Jй☺•\tα→☺➊й J",
    ],
    [
      "symbol fields",
      '{\\rtf1 a{\\field{\\*\\fldinst SYMBOL 74 \\\\f "Wingdings" \\\\s 11}{\\fldrslt\\f1\\fs22}}{\\field{\\*\\fldinst SYMBOL 183 \\\\f Symbol}}' +
        "{\\field{\\*\\fldinst SYMBOL 65}}{\\field{\\*\\fldinst SYMBOLS 65}}b}",
      "a☺•Ab",
    ],
    ["the older words for a character set", "{\\rtf1\\mac caf\\'8e}", "café"],
  ])("%s", (_, source, content) => {
    expect(rtf(source)).toEqual({ kind: "text", content });
  });

  it("uses the code page of the message if RTF has none", () => {
    const bytes = Buffer.from("{\\rtf1\\ansi \\'cf\\'f0}", "latin1");
    expect(readRtf(bytes, ["utf-8", "windows-1251"]).content).toBe("Пр");
  });

  it("returns the wrapped HTML ([MS-OXRTFEX] 4.1)", () => {
    const source = [
      "{\\rtf1\\ANSI\\ansicpg1251\\fromhtml1 \\deff0",
      "{\\fonttbl {\\f0\\fmodern Courier New;}{\\f1\\fswiss Arial;}}",
      "{\\colortbl\\red0\\green0\\blue0;}",
      "{\\*\\htmltag64}",
      "\\uc1\\pard\\plain\\deftab360 \\f0\\fs24",
      "{\\*\\htmltag <HTML>\\par",
      "<head>\\par",
      "</head>\\par",
      "}",
      "{\\*\\htmltag84 <p>}\\htmlrtf {\\b \\htmlrtf0 bold \\'e6\\'e8",
      "\\htmlrtf }\\htmlrtf0 {\\*\\htmltag92 </p>}{\\*\\mhtmltag84 <ignored>}",
      "{\\*\\htmltag244 <!-- a\\{b\\} -->}\\~x",
      "{\\*\\htmltag </HTML>}}",
    ].join("\r\n");
    expect(rtf(source)).toEqual({
      kind: "html",
      content: "<HTML>\n<head>\n</head>\n<p>bold жи</p><!-- a{b} -->&nbsp;x</HTML>",
    });
  });

  it("leaves out bullets and numbers, which the HTML has as lists", () => {
    const item = "{\\*\\htmltag64 <li>}{\\pntext\\f1\\'b7\\tab}{\\listtext 1.\\tab}One{\\*\\htmltag72 </li>}";
    expect(rtf(`{\\rtf1\\fromhtml1 ${item}}`).content).toBe("<li>One</li>");
  });

  it("returns the text of RTF made from text", () => {
    expect(rtf("{\\rtf1\\ansi\\fromtext \\deff0 Hello\\par world}")).toEqual({ kind: "text", content: "Hello\nworld" });
  });

  it("never throws, not for depth and not for noise", () => {
    expect(rtf("{".repeat(200_000) + "x" + "}".repeat(200_000)).content).toBe("x");
    const token = fc.constantFrom(
      "{",
      "}",
      "\\par ",
      "\\'8",
      "\\u99999 ",
      "\\uc-5 ",
      "\\bin99 ",
      "\\*",
      "\\f1",
      "\\fcharset128 ",
      "text",
      "\\htmltag1 ",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) =>
        rtf(`{\\rtf1\\fromhtml1 ${tokens.join("")}`).content.isWellFormed(),
      ),
    );
  });
});
