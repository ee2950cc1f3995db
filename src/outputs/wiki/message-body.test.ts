import { describe, expect, it } from "vitest";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { writeBody } from "./message-body.ts";
import { pageLinks } from "./page-links.ts";

function markdownOf(body: string): string {
  const out = new Utf8Buffer();
  writeBody(Buffer.from(body), pageLinks("wiki", "emails"), out);
  return out.view().toString();
}

const quoted = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `> line ${line} of the *crane*\n`).join("");

describe("writeBody", () => {
  it("reports missing text", () => {
    expect(markdownOf("")).toBe("*(no text)*");
    expect(markdownOf(" \n\t\n")).toBe("*(no text)*");
    expect(markdownOf("\u00a0\n")).toBe("*(no text)*");
  });

  it.each(["", " Grüße"])("folds a long quotation, and keeps the text around it%s", (sign) => {
    const body = `Yes.${sign}\n\nOn Monday, Ann Reed wrote:\n${quoted(8)}\nThanks,\nBo${sign}\n`;
    const [own, fold, rest] = markdownOf(body).split("\n\n");
    expect(own).toBe(`Yes.${sign}`);
    expect(fold!.split("\n").slice(0, 3)).toEqual([
      "> [!quote]- 9 quoted lines",
      "> On Monday, Ann Reed wrote:  ",
      "> \\> line 0 of the \\*crane\\*  ",
    ]);
    expect(fold!.split("\n").every((line) => line.startsWith(">"))).toBe(true);
    expect(rest).toBe(`Thanks,  \nBo${sign}`);
  });

  it("keeps short quotations with answers between them expanded", () => {
    const body = `> Is it ready?\nYes.\n\n> When does it come?\nOn Monday.\n`;
    expect(markdownOf(body)).toBe("\\> Is it ready?  \nYes.\n\n\\> When does it come?  \nOn Monday.");
  });

  it("keeps patches and tables unchanged, without active characters", () => {
    const table = "Berth   Ship      Tons\n1       An*na*    400\n2       <%Bo%>   1,200\n";
    expect(markdownOf(`See:\n${table}\nBo\n`)).toBe(
      `See:\n\n\`\`\`text\n${table.trimEnd().replace("<%", "<\u200b%")}\n\`\`\`\n\nBo`,
    );
    const patch = "@@ -1,2 +1,2 @@\n-```` [[x]]\u0007\n+b\u001b[1m\n";
    expect(markdownOf(patch)).toBe("`````diff\n@@ -1,2 +1,2 @@\n-```` [[x]]\n+b[1m\n`````");
  });

  it("truncates very long texts with a note, even inside a quotation", () => {
    expect(markdownOf("a".repeat(100_003))).toBe(
      `${"a".repeat(100_000)}\n\n*(truncated: 3 more characters in the archive)*`,
    );
    expect(markdownOf(quoted(9_000)).endsWith("more characters in the archive)*")).toBe(true);
  });
});
