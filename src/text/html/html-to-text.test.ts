import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_LAID_OUT_LENGTH } from "../quoting/text-layout.ts";
import { htmlToText, readPage } from "./html-to-text.ts";

describe("htmlToText", () => {
  const cases: readonly (readonly [name: string, html: string, text: string])[] = [
    [
      "shows letters of symbol fonts as symbols",
      "<p style='font-family:Arial'>J <span style='font-family:Wingdings'>J</span> <font face=Wingdings color=red>&agrave;</font> " +
        "<span style=\"mso-ascii-font-family:Calibri;font-family: 'Wingdings',serif\">\u00fc</span> " +
        '<i style="font-family:&quot;Wingdings&quot;;color:red">L</i> <b style="font:11.0pt Symbol">abg&#61623;<span style="font:7pt &quot;Times New Roman&quot;">a</span></b> J',
      "J ☺ → ✓ ☹ αβγ•a J",
    ],
    [
      "shows letters of symbol fonts of style sheets",
      "<style>p.x, .wing{font-family:Wingdings} #g{font:9pt Symbol} .wing.y{color:red} .lost{font-family:Webdings} .lost{font-family:Arial}</style>" +
        "<span class='b Wing'>J</span> <i id=G>a</i> <p class=x>L <b class=lost>a</b> <b class=wing style='font-family:Arial'>J</b></p>",
      "☺ α\n\n☹ a J",
    ],
    [
      "keeps letters of other fonts",
      "<p style='font-family:\"Segoe UI Symbol\",Wingdings'>J <font face='Arial, Symbol'>a</font></p>",
      "J a",
    ],
    ["collapses white space", "<p>Hello\n   <b>dear</b>\tWorld </p>", "Hello dear World"],
    ["keeps words apart only where they are", "un<b>believ</b>able <i>news</i>", "unbelievable news"],
    ["parts paragraphs by a blank line", "<p>one</p><p>two</p>three", "one\n\ntwo\n\nthree"],
    ["takes a lone line break for a line end", "a<br>b<br><br>c<br><br><br><br>d", "a\nb\n\nc\n\nd"],
    ["does not count the break that closes a block", "<div>a<br></div><div>b</div>", "a\nb"],
    ["keeps Gmail's blank lines", "<div>a</div><div><br></div><div>b</div>", "a\n\nb"],
    [
      "keeps Word's lines and blank lines",
      "<p class=MsoNormal>one</p>\n<p class=MsoNormal>two</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>three</p>",
      "one\ntwo\n\nthree",
    ],
    [
      "drops what is not shown",
      "<head><title>T</title><style>p>a{}</style></head><script>if(a<b)x()</script>seen<!-- <b>no</b> -->",
      "seen",
    ],
    ["follows conditional comments", "<!--[if mso]><p>Outlook</p><![endif]--><![if !mso]>all<![endif]>", "all"],
    [
      "drops a hidden preheader",
      '<span style="color:#fff; display: none">peek <span>a</span> boo</span>Dear Ann',
      "Dear Ann",
    ],
    ["keeps everything when a hidden element never ends", '<div style="display:none">Dear Ann', "Dear Ann"],
    [
      "decodes character references once",
      "&lt;b&gt; caf&eacute; &amp;amp; &#8364; &#x80;&#146; &unknown; AT&T",
      "<b> café &amp; € €’ &unknown; AT&T",
    ],
    ["removes invisible filling", "a\u200bb\u00adc&#65279;", "abc"],
    [
      "shows a link that differs from its text",
      '<a href="https://example.org/a?b=1&amp;c=2">here</a>.',
      "here (https://example.org/a?b=1&c=2).",
    ],
    [
      "does not repeat a link",
      '<a href="http://www.example.org/">example.org</a> <a href=mailto:ann@example.org?subject=x>Ann@example.org</a>',
      "example.org Ann@example.org",
    ],
    [
      "hides links that lead nowhere",
      '<a href="javascript:x()">a</a> <a href="#top">b</a> <a href="https://t.example/p"><img src="p.gif"></a>',
      "a b",
    ],
    ["reads an image aloud", 'see<img src="x" alt="a &quot;cat&quot;">there', 'see a "cat" there'],
    ["marks list items", "<ul><li>a<li>b<ul><li>c</li></ul></li></ul>end", "- a\n- b\n  - c\n\nend"],
    ["counts numbered items", "<ol start=3><li>a</li><li value=9>b</li><li>c</li></ol>", "3. a\n9. b\n10. c"],
    [
      "sets cells side by side",
      "<table><tr><th>Name</th><th>Sum</th></tr><tr><td><p>Ann</p></td><td><p>12</p></td></tr></table>",
      "Name  Sum\nAnn  12",
    ],
    ["sets cells of several lines below each other", "<table><tr><td>a<br>b</td><td>c</td></tr></table>", "a\nb\nc"],
    ["keeps preformatted text", "<pre>\na  b\n\n\n  c\n</pre>d", "a  b\n\n\n  c\n\nd"],
    [
      "quotes blockquotes",
      "<p>Yes.</p><blockquote type=cite>Well?<br><br><blockquote>Hm.</blockquote></blockquote>Bye",
      "Yes.\n\n> Well?\n>\n> > Hm.\n\nBye",
    ],
    [
      "takes a borderless blockquote for an indent",
      '<blockquote style="margin:0 0 0 40px;border:none;padding:0">mine</blockquote>',
      "mine",
    ],
    [
      "quotes Outlook's bar",
      "<div>Yes</div><div style='border:none;border-left:solid blue 1.5pt;padding:0 0 0 4pt'><div>Well?</div></div><div>Bye</div>",
      "Yes\n> Well?\nBye",
    ],
    [
      "rules off Outlook's quoted header",
      "<p class=MsoNormal>Yes</p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>From:</b> Ann<br><b>Sent:</b> Monday</p></div></div>",
      `Yes\n${"_".repeat(32)}\nFrom: Ann\nSent: Monday`,
    ],
    ["draws one rule only", '<hr><div id="divRplyFwdMsg"><b>From:</b> Ann</div>', `${"_".repeat(32)}\nFrom: Ann`],
    ["reads `>` in attributes", `<a title="a>b" href='https://example.org/>'>x</a>`, "x (https://example.org/>)"],
    ["does not trust an unbalanced quote", '<a href="x><b>bold</b> tail', "bold tail"],
    ["shows text behind an unclosed comment", "a <!-- b> c", "a c"],
    ["takes a lone sign for text", "1 < 2 && 3 > 2 <3 </ p>", "1 < 2 && 3 > 2 <3"],
    ["gives nothing for nothing", "", ""],
  ];
  it.each(cases)("%s", (_name, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  const hiding: readonly (readonly [style: string, isHidden: boolean])[] = [
    ["display:none", true],
    ["DISPLAY : none !important", true],
    ["display:none;display:block", false],
    ["display:block!important;display:none", false],
    ["mso-hide:all", true],
    ["visibility:hidden", true],
    ["font-size:0", true],
    ["font-size: 0px; line-height:0", true],
    ["font-size:1px;color:#fefefe", true],
    ["font:0/0 a", true],
    ["font:12px/1.5 Arial", false],
    ["font-size:0.8em", false],
    ["font-size:1.5px", false],
    ["max-height:0;overflow:hidden", true],
    ["height:0px; width:0px; overflow:hidden", true],
    ["max-height:0", false],
    ["height:1px;overflow:hidden", true],
    ["height:100px;overflow:hidden", false],
    ["line-height:0", false],
    ["opacity:0", true],
    ["opacity:0.9", false],
    ["color:#ffffff;background:#ffffff", false],
    ["margin:0;padding:0;border:none", false],
  ];
  it.each(hiding)("of style %s hides: %s", (style, isHidden) => {
    for (const element of ["div", "span", "p", "td"]) {
      const { text, hidesText } = readPage(`<${element} style="${style}">peek <b>boo</b></${element}><p>Dear Ann</p>`);
      expect([text.includes("boo"), hidesText, text.includes("Dear Ann")]).toEqual([!isHidden, isHidden, true]);
    }
  });

  it.each([
    ["by its attribute", "<div hidden>peek</div>Dear Ann", "Dear Ann"],
    [
      "by a class",
      "<style>p{} .pre, .x {display:none!important}</style><div class='a pre'>peek</div>Dear Ann",
      "Dear Ann",
    ],
    [
      "by an id of an element",
      "<style>/* a */ div#pre {font-size:0}</style><div id=pre>peek</div>Dear Ann",
      "Dear Ann",
    ],
    [
      "not by a rule for other screens",
      "<style>@media print{.pre{display:none}} b{}</style><p class=pre>Dear Ann</p>",
      "Dear Ann",
    ],
    [
      "not by a rule that its style replaces",
      "<style>.pre{display:none}</style><p class=pre style='display:block'>Dear Ann</p>",
      "Dear Ann",
    ],
    [
      "not by a later rule",
      "<style>.pre{display:none} .pre{display:block}</style><p class=pre>Dear Ann</p>",
      "Dear Ann",
    ],
    ["up to its end tag", "<div style='display:none'>a<div>b</div>c</div>Dear<div> Ann</div>", "Dear\nAnn"],
    ["where a paragraph ends without an end tag", "<p style='display:none'>peek<p>Dear Ann", "Dear Ann"],
    [
      "where a cell ends without an end tag",
      "<table><tr><td style='display:none'>peek<td>Dear<tr><td>Ann</table>",
      "Dear\nAnn",
    ],
    [
      "with its image and style sheet",
      "<div style='display:none'><style>b{}</style><img alt=peek></div>Dear Ann",
      "Dear Ann",
    ],
    [
      "but for letters of a size",
      "<td style='font-size:0'>peek<div style='font-size:13px'>Dear Ann</div></td>",
      "Dear Ann",
    ],
    [
      "but for a part that is visible",
      "<div style='visibility:hidden'>peek<b style='visibility:visible'>Dear Ann</b></div>",
      "Dear Ann",
    ],
    ["and never all of it", "<div style='display:none'>Dear Ann</div><img src=x>", "Dear Ann"],
    ["and not the style of a style sheet", "<style style='display:none'>b{}</style>Dear Ann", "Dear Ann"],
  ])("hides %s", (_name, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it("stops at the limit of text", () => {
    const text = htmlToText(`<p>${"x".repeat(1 << 20)}`.repeat(70));
    expect(text.length).toBeGreaterThan(MAX_LAID_OUT_LENGTH);
    expect(text.length).toBeLessThan(MAX_LAID_OUT_LENGTH + (2 << 20));
    const hidden = `<p style="display:none">${"y".repeat(10)}`;
    expect(htmlToText(`<p>${"x".repeat(1 << 20)}`.repeat(70) + hidden)).toHaveLength(text.length);
  });

  it("renders hostile nesting within a bounded multiple of its length", () => {
    for (const [piece, factor] of [
      ["<div>", 1],
      ["<blockquote>x", 4],
      ["<ul><li>x", 4],
      ["<table><tr><td>x", 1],
      ['<a href="', 1],
      ["<!--", 1],
      ["<", 1],
      ["<pre>\n", 1],
    ] as const) {
      const html = piece.repeat(20_000);
      expect(htmlToText(html).length).toBeLessThanOrEqual(html.length * factor);
    }
  });

  it("never throws, keeps all words, and leaves no white space at line ends", () => {
    const markup = fc.constantFrom(
      "<p>",
      "</p>",
      "<div>",
      "</div>",
      "<br>",
      "<td>",
      "<tr>",
      "<table>",
      "</table>",
      "<li>",
      "<ul>",
      "</ul>",
      "<b>",
      "&nbsp;",
      " ",
      "\n",
    );
    const document = fc.array(fc.oneof(markup, fc.stringMatching(/^[a-z]{1,5}$/)), { maxLength: 40 });
    fc.assert(
      fc.property(document, (pieces) => {
        const text = htmlToText(pieces.join(""));
        const letters = pieces.filter((piece) => /^[a-z]+$/.test(piece)).join("");
        expect(text.replaceAll(/[^a-z]/g, "")).toBe(letters);
        expect(text).not.toMatch(/[ \t]\n|\n{3}|^\s|\s$/);
      }),
    );
    const noise = fc.array(
      fc.constantFrom(
        "<",
        ">",
        '"',
        "'",
        "=",
        "a",
        "/",
        "!",
        "--",
        "&",
        ";",
        " ",
        "href",
        "style",
        "blockquote",
        "pre",
        "<a ",
        "<pre>",
        "\0",
        "\ud800",
      ),
    );
    fc.assert(fc.property(noise, (pieces) => typeof htmlToText(pieces.join("")) === "string"));
    fc.assert(fc.property(fc.string({ unit: "binary" }), (html) => typeof htmlToText(html) === "string"));
  });
});
