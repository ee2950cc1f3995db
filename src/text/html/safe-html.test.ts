import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safePage } from "./safe-html.ts";

const bodyOf = (html: string): string => /<body>([\s\S]*)<\/body>/.exec(safePage(html, () => null).html)![1]!;

describe("safePage", () => {
  it("keeps the look of a mail", () => {
    const html = `<html><head><title>x</title><style>.a{color:red}</style></head><body bgcolor="#EEEEEE">
<table width=600 cellpadding="4" align=center><tr><td class=a style="padding:4px;position:fixed">Grüße &amp; &lt;b&gt;</td></tr></table><br><hr></body></html>`;
    expect(safePage(html, () => null).html).toContain("<style>.a{color:red}</style>");
    expect(bodyOf(html)).toBe(`<div bgcolor="#EEEEEE">
<table align="center" width="600" cellpadding="4"><tr><td class="a" style="padding:4px">Grüße &amp; &lt;b&gt;</td></tr></table><br><hr></div>`);
  });

  it("shows attached images, counts remote ones, and removes tracking pixels", () => {
    const page = safePage(
      `<img src="cid:logo%40x" alt="Logo"><img src="data:image/png;base64,AAAA"><img src="https://crow.example/a.png?b" alt="A &quot;b&quot;"><img src="//crow.example/t.gif" width="1" height=1><img src="data:image/svg+xml;base64,AAAA"><img src="/etc/passwd">`,
      (id) => (id === "logo@x" ? "../../1" : null),
    );
    expect(page.remoteImages).toBe(2);
    expect(page.html).toContain('<html data-remote-images="2">');
    expect(page.html).toContain(
      '<body><img src="../../1" alt="Logo" loading="lazy"><img src="data:image/png;base64,AAAA" alt="" loading="lazy"><span class="archivetool-image">[image 1: A &quot;b&quot;]</span></body>',
    );
  });

  it("shows letters of symbol fonts on computers without these fonts", () => {
    const html = '<p>J &lt;<font face="Wingdings">J&agrave;</font> <b style="font-family:Symbol">&lt;a</b> J</p>';
    expect(bodyOf(html)).toBe(
      '<p>J &lt;<font face="Wingdings">☺→</font> <b style="font-family:Symbol">&lt;α</b> J</p>',
    );
  });

  it("shows link targets, and removes scripts", () => {
    expect(bodyOf('<a href="https://crow.example/a?b=1&amp;c" title="https://bank.example">Bank</a>')).toBe(
      '<a href="https://crow.example/a?b=1&amp;c" title="https://crow.example/a?b=1&amp;c" rel="noreferrer noopener" target="_blank">Bank</a>',
    );
    expect(bodyOf('<a name="x" href="#part-2">on</a>')).toBe('<a href="#part-2">on</a>');
    for (const href of [
      "javascript:alert(1)",
      " java\tscript:alert(1)",
      "&#106;avascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "/api/export",
      "blob:x",
    ])
      expect(bodyOf(`<a href="${href}">x</a>`)).toBe("<a>x</a>");
  });

  it.each([
    ["<script>alert(1)</script>x", "x"],
    ["<svg><style><img src=x onerror=alert(1)></style></svg>x", "x"],
    ["<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></math>x", "x"],
    ["<form action=/api/export><input name=q><button>Go</button></form>", "Go"],
    ["<iframe srcdoc='<script>1</script>'></iframe><object data=x></object><embed src=x>x", "x"],
    [
      "<base href=//crow.example><meta http-equiv=refresh content='0;url=//crow.example'><link rel=stylesheet href=x>x",
      "x",
    ],
    ["<p onclick=alert(1) STYLE='background:url(x)'>x</p>", "<p>x</p>"],
    [
      "<p class='\"><script>alert(1)</script>'>x</p>",
      '<p class="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</p>',
    ],
    ["x<img src=x onerror=alert(1)", "x&lt;img src=x onerror=alert(1)"],
    ["<scr<script>ipt>alert(1)</script>", "ipt&gt;alert(1)"],
    ["<!--><img src=//crow.example onerror=alert(1)>-->x", '<span class="archivetool-image">[image 1]</span>--&gt;x'],
    ["<![CDATA[<script>alert(1)</script>]]>x", "alert(1)]]&gt;x"],
    [
      "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>x</p></noscript>",
      '<p title="&lt;/noscript&gt;&lt;img src=x onerror=alert(1)&gt;">x</p>',
    ],
    ["<textarea><p></textarea><template><img src=//x></template><title></title>x", "x"],
    ["</body></html></div>x", "</div></div>x"],
    ["<plaintext>x<b>y</b>", "x<b>y</b>"],
  ])("makes %s harmless", (html, expected) => {
    const body = bodyOf(html);
    expect(body.replace(/^(?:<\/\w+>)*/, "")).toBe(expected.replace(/^(?:<\/\w+>)*/, ""));
  });

  it("writes only tags and attributes of its tables", () => {
    const piece = fc.constantFrom(
      ...["<", ">", '"', "'", "=", " ", "/", "&lt;", "&quot;", "script", "img", "src", "onerror", "style", "svg", "a"],
      ...[
        "href",
        "javascript:",
        "<!--",
        "-->",
        "</",
        "<p ",
        "<style>",
        "</style>",
        "url(",
        "{",
        "}",
        "\u0000",
        "title",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const body = bodyOf(pieces.join(""));
        const rest = body.replace(/<\/?[a-z0-9]+(?: [a-z-]+="[^"<>]*")*>/g, "");
        expect(rest).not.toMatch(/[<>]/);
        expect(body).not.toMatch(/<[^>]* (?:on\w+|srcdoc|action)=/);
        expect(body).not.toMatch(/<(?:script|svg|style|iframe)/);
        expect(body).not.toMatch(/(?:href|src)="(?:javascript|\/)/);
      }),
      { numRuns: 2000 },
    );
  });

  it("writes no markup that blocks a browser", () => {
    const depth = (html: string): number => {
      let [deep, most] = [0, 0];
      for (const [tag] of bodyOf(html).matchAll(/<\/?div/g)) most = Math.max(most, (deep += tag === "<div" ? 1 : -1));
      return most;
    };
    const nested = `${"<div>".repeat(100_000)}deep${"</div>".repeat(100_000)}`;
    expect(depth(nested)).toBe(200);
    expect(bodyOf(`${nested}<p>behind</p>`)).toMatch(/deep(?:<\/div>){200}<p>behind<\/p>$/);
    for (const many of ["<td>x", "<p>x", "<br>", "<img src=cid:x>", "<b>x</b>"])
      expect(safePage(`<table>${many.repeat(50_000)}</table>`, () => "../1").html).toBe("");
  });

  it("takes linear time", () => {
    const hostile = [
      "<a ".repeat(300_000),
      "<style>".repeat(100_000),
      `<style>${"a{".repeat(300_000)}`,
      `<p style="${"a:(;".repeat(200_000)}">`,
    ];
    for (const html of hostile) expect(safePage(html, () => null).remoteImages).toBe(0);
  });
});
