import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frontMatter, inline, paragraphs, table } from "./markdown.ts";

/** Characters that CommonMark, GFM or Obsidian interpret unless a backslash precedes them. */
function unescaped(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") {
      at++;
      continue;
    }
    if (/[`*_[\]{}<>#|~=$%^&!]/.test(text[at]!)) found.push(text[at]!);
  }
  return found;
}

describe("escaping", () => {
  it("escapes every active character of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(unescaped(inline(text))).toEqual([]);
        expect(unescaped(paragraphs(text))).toEqual([]);
        expect(inline(text)).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it.each([
    ["<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"],
    ["[[wiki/contacts/contact-000001|me]]", "\\[\\[wiki/contacts/contact-000001\\|me\\]\\]"],
    ["a | b", "a \\| b"],
    ["see http://evil.example", "see http\\://evil.example"],
    ["a@b.example", "a\\@b.example"],
    ["10:30", "10:30"],
    ["![x](y)", "\\!\\[x\\](y)"],
    ["#tag %%hidden%% $x$", "\\#tag \\%\\%hidden\\%\\% \\$x\\$"],
  ])("%s", (text, expected) => expect(inline(text)).toBe(expected));

  it("keeps lines, and creates no blocks", () => {
    expect(paragraphs("- one\n2. two\n\n\n\n    four\n---\n===\n> quoted")).toBe(
      "\\- one  \n2\\. two\n\n\u00a0\u00a0\u00a0\u00a0four  \n\\---  \n\\=\\=\\=  \n\\> quoted",
    );
  });
});

it("writes front matter that no value can end", () => {
  expect(frontMatter({ title: 'a "b"\n---\nc', count: 3, last: null })).toBe(
    '---\ntitle: "a \\"b\\"\\n---\\nc"\ncount: 3\nlast: null\n---\n\n',
  );
});

it("escapes front matter for YAML", () => {
  expect(frontMatter({ title: "a\u0085b\u2028c\ufeff\u007f" })).toBe(
    '---\ntitle: "a\\u0085b\\u2028c\\ufeff\\u007f"\n---\n\n',
  );
});

it("removes direction marks from front matter", () => {
  expect(frontMatter({ title: "a\u202egpj\u202c \u2067b\u2069 \u200ec\u200f\u061c" })).toBe(
    '---\ntitle: "agpj b c"\n---\n\n',
  );
});

it("allows no template command in front matter", () => {
  const text = frontMatter({ title: "<%* await tp.system.prompt() %>" });
  expect(text).not.toContain("<%");
  expect(JSON.parse(/title: (.*)/.exec(text)?.[1] ?? "")).toBe("<%* await tp.system.prompt() %>");
});

it("writes tables", () => expect(table(["a", "b"], [["1", "2"]])).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |\n"));
