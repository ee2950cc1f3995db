import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeDeclarations } from "./css-declarations.ts";
import { safeRules } from "./safe-css.ts";

const safeStyleSheet = (css: string): string =>
  safeRules(css)
    .map((rule) => rule.css)
    .join("\n");

describe("safeDeclarations", () => {
  it("keeps properties of text", () => {
    const css = "color: rgb(1, 2, 3) !important; FONT-FAMILY: 'Segoe UI', 宋体; width: calc(100% - 4px); mso-x: 1";
    expect(safeDeclarations(css)).toBe(
      "color:rgb(1, 2, 3) !important;font-family:'Segoe UI', 宋体;width:calc(100% - 4px)",
    );
  });

  it.each([
    "background: url(http://crow.example/a.png)",
    "background: URL('http://crow.example')",
    "background: u\\72l(http://crow.example)",
    "background: image-set('http://crow.example' 1x)",
    "background: element(#a)",
    "width: expression(alert(1))",
    "color: red/* */url(x)",
    "behavior: url(#default#VML)",
    "-moz-binding: url(x)",
    "position: fixed",
    "z-index: 9",
    "content: 'x'",
    "color: var(--x)",
    "color: red}body{color:blue",
    "color: </style><script>",
    "font-family: 'open",
    "width: calc(1px",
    "background: url(//crow.example/a.png",
    "color: url\\28 x)",
    "font-family: 'a\\'; b: url(x)'",
    "font-family: 'a\nb: url(x)",
    "color: rgb(1 2 3, url(x))",
    "width: calc(1px + (2px)) url(x)",
    "width: 99999999px",
    "quotes: url(x) 'a'",
    "display: grid",
    "color: 'red'",
    "border: 1px solid attr(x)",
    "color: red) ; color(blue",
    `color: ${"a".repeat(600)}`,
  ])("drops %s", (css) => expect(safeDeclarations(css)).toBe(""));
});

describe("safeStyleSheet", () => {
  it("keeps rules and media rules, and nothing that requests a file", () => {
    const css = [
      "<!-- @import url(http://crow.example/a.css); @charset 'x';",
      "/* c */ p.MsoNormal, td > a:hover { margin: 0; position: absolute }",
      "@font-face { font-family: x; src: url(http://crow.example/f.woff) }",
      "@media only screen and (max-width: 600px) { .a { width: 100% } @import 'x'; .b { background: url(x) } }",
      "@page { size: A4 } .c { color: red } @supports (display: grid) { .d { color: blue } } -->",
    ].join("\n");
    expect(safeStyleSheet(css)).toBe(
      "p.MsoNormal,td > a:hover{margin:0}\n@media only screen and (max-width: 600px){.a{width:100%}}\n.c{color:red}",
    );
  });

  it.each(["a{color:red", ".a{color:red}}}}", "a{b{c{", "@media x{@media y{a{color:red}", "/* open", "a[b{color:red}"])(
    "is complete and closed for %s",
    (css) => {
      const sheet = safeStyleSheet(css);
      expect(sheet.split("{").length).toBe(sheet.split("}").length);
      expect(sheet).not.toMatch(/[<>\\]|url/);
    },
  );

  it.each([
    ["a:has(b)", ""],
    ["a:not(b), p", "p"],
    ["li:nth-child(2n + 1 of .b)", ""],
    ["li:nth-child(2n + 1)", "li:nth-child(2n + 1)"],
    ["a b c", "a b c"],
    ["a b > c d", ""],
    ["a ~ b", ""],
    ["a + b", "a + b"],
    ["a::before", ""],
    ["[style*='color'] td", "[style*='color'] td"],
    ["[x='</style>']", ""],
    ["a\\62", ""],
    ["svg|a", ""],
    ["> a", ""],
    ["a >", ""],
    ["a > > b", ""],
    ["* *", "* *"],
  ])("reduces %s to selectors that match fast: %s", (selector, kept) =>
    expect(safeStyleSheet(`${selector}{color:red}`)).toBe(kept === "" ? "" : `${kept}{color:red}`),
  );

  it("reads strings and blocks as a browser does", () => {
    const css = `a{content:"}b{color:red}"} p{color:"x;}";color:blue} @media print{a} b{color:red} i{x:(});color:red}`;
    expect(safeStyleSheet(css)).toBe("p{color:blue}\nb{color:red}\ni{color:red}");
  });

  it("is idempotent", () => {
    const part = fc.constantFrom(
      ...[
        "a",
        ".b",
        "#c",
        ":has(",
        "url(x)",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ":",
        "color",
        "red",
        '"',
        "'",
        "\\",
        "/*",
      ],
      ...[
        "*/",
        "@media print",
        "@import",
        "<",
        "/",
        "!important",
        ",",
        " ",
        "\n",
        "calc(",
        "1px",
        "font-family",
        "<!--",
        "~",
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const sheet = safeStyleSheet(parts.join(""));
        expect(safeStyleSheet(sheet)).toBe(sheet);
        expect(sheet.split("{").length).toBe(sheet.split("}").length);
        expect(sheet).not.toMatch(/[<\\]|url\(|@import|:has/i);
      }),
      { numRuns: 2000 },
    );
  });
});
