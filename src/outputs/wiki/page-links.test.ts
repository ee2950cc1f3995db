import { describe, expect, it } from "vitest";
import { paragraphs } from "./markdown.ts";
import { pageLinks } from "./page-links.ts";

describe("links of Obsidian", () => {
  const { page, file, quotation } = pageLinks("wiki", "emails");

  it("cannot be broken by their text", () => {
    expect(page("wiki/threads/thread-000001", "a ]] | <b> [[x", false)).toBe(
      "[[wiki/threads/thread-000001|a )) / ‹b› ((x]]",
    );
    expect(page("a", "100%%% %% `= this` <%* code %>", false)).toBe("[[a|100% % % % % '= this' ‹%* code %›]]");
    expect(file("wiki/attachments/msg-000001/a`b.txt", "a`b.txt", false)).toBe("a\\`b.txt");
    expect(page("a", "x|y", true)).toBe("[[a\\|x/y]]");
    expect(file("wiki/attachments/event-000001/a.txt", "a.txt", true)).toBe(
      "[[wiki/attachments/event-000001/a.txt\\|a.txt]]",
    );
    expect(page("a", "  ", false)).toBe("[[a|(none)]]");
  });

  it("fold a quotation as a callout", () =>
    expect(quotation(paragraphs("> a\n\n> b"), 2)).toBe("> [!quote]- 2 quoted lines\n> \\> a\n> \n> \\> b"));
});

describe("links of CommonMark", () => {
  const { page, file, quotation } = pageLinks("markdown", "wiki/threads");

  it("begin at the directory of the page", () => {
    expect(page("wiki/contacts/contact-000001", "Ann", false)).toBe("[Ann](../contacts/contact-000001.md)");
    expect(page("index", "Home", true)).toBe("[Home](../../index.md)");
    expect(page("wiki/threads/thread-000001-0002", "", false)).toBe("[(none)](thread-000001-0002.md)");
    expect(pageLinks("markdown", "").page("emails/all", "All", false)).toBe("[All](emails/all.md)");
  });

  it("cannot be broken by their text", () => {
    expect(page("index", "a](http://x.example) | <b> `c`", true)).toBe(
      "[a\\](http\\://x.example) \\| \\<b\\> \\`c\\`](../../index.md)",
    );
    expect(file("wiki/attachments/msg-000001/a) [b] `c` #1?|é%.txt", "a", false)).toBe(
      "[a](../attachments/msg-000001/a%29%20%5Bb%5D%20%60c%60%20%231%3F%7C%C3%A9%25.txt)",
    );
    expect(file("wiki/attachments/msg-000001/\ud800.txt", "a", true)).toContain("%EF%BF%BD.txt");
  });

  it("fold a quotation in a details element that no text can close", () =>
    expect(quotation(paragraphs("</details>\n<b>"), 1)).toBe(
      "<details><summary>1 quoted line</summary>\n\n\\</details\\>  \n\\<b\\>\n\n</details>",
    ));
});
