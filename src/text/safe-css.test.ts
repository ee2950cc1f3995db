import { describe, expect, it } from "vitest";
import { safeDeclarations, safeStyleSheet } from "./safe-css.ts";

describe("safeDeclarations", () => {
  it("keeps what says how text looks", () => {
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
    `color: ${"a".repeat(600)}`,
  ])("drops %s", (css) => expect(safeDeclarations(css)).toBe(""));
});

describe("safeStyleSheet", () => {
  it("keeps rules and those of media, and nothing that asks for a file", () => {
    const css = [
      "<!-- @import url(http://crow.example/a.css); @charset 'x';",
      "/* c */ p.MsoNormal, td > a:hover { margin: 0; position: absolute }",
      "@font-face { font-family: x; src: url(http://crow.example/f.woff) }",
      "@media only screen and (max-width: 600px) { .a { width: 100% } @import 'x'; .b { background: url(x) } }",
      "@page { size: A4 } .c { color: red } @supports (display: grid) { .d { color: blue } } -->",
    ].join("\n");
    expect(safeStyleSheet(css)).toBe(
      "p.MsoNormal, td > a:hover{margin:0}\n@media only screen and (max-width: 600px){\n.a{width:100%}\n}\n.c{color:red}",
    );
  });

  it.each(["a{color:red", ".a{color:red}}}}", "a{b{c{", "@media x{@media y{a{color:red}", "/* open", "a[b{color:red}"])(
    "is whole and closed for %s",
    (css) => {
      const sheet = safeStyleSheet(css);
      expect(sheet.split("{").length).toBe(sheet.split("}").length);
      expect(sheet).not.toMatch(/[<>\\]|url/);
    },
  );
});
