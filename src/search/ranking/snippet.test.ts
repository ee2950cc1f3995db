import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensOf } from "../../text/tokens/tokens.ts";
import { SnippetRenderer } from "./snippet.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const snippet = (body: string, query: string, patterns: readonly string[] = []): string =>
  new SnippetRenderer({ tokens: tokensOf(query), patterns }).render(utf8(body));

it("marks a word divided at a line end as one", () => {
  expect(snippet("The purchase agree-\nment of Kai.", "agreement")).toBe("The purchase **agreement** of Kai.");
  expect(snippet("The purchase agree-\nment of Kai.", "purchase")).toBe("The **purchase** agree- ment of Kai.");
});

it("finds the same words with and without letters beyond ASCII", () => {
  const words = fc.constantFrom("a", "A", "bee", "beef", "to", "Tom", "x".repeat(70), "y1", "1", "the", "agree-\nment");
  const signs = fc.constantFrom(" ", "\n", "-", ", ", "_", "*", "\t");
  const renderer = new SnippetRenderer({ tokens: ["a", "to", "y1", "agreement"], patterns: ["be*", "x*", "t?m"] });
  fc.assert(
    fc.property(fc.array(fc.tuple(words, signs)), (pairs) => {
      const text = pairs.flat().join("") + " end".repeat(500);
      expect(renderer.render(utf8(text))).toBe(renderer.render(utf8(`${text} \u00fc`)));
    }),
  );
});

describe("renderOwnSnippet", () => {
  const own = (body: string, query: string): string =>
    new SnippetRenderer({ tokens: tokensOf(query), patterns: [] }).renderAuthor(utf8(body));
  const quotation = "> The berth is free, and the pilot knows the berth.\n> The berth costs nothing.\n";

  it.each([
    ["above", `On 3 May 2001, Ann Example wrote:\n${quotation}\nThe pilot is late.\n`],
    ["below", `The pilot is late.\n\nOn 3 May 2001, Ann Example wrote:\n${quotation}`],
    [
      "by Outlook",
      "The pilot is late.\n\n-----Original Message-----\nFrom: Ann Example\nSent: Monday, May 14, 2001 4:39 PM\nTo: Bob Example\nSubject: Berth\n\nThe berth is free, and the pilot knows the berth.\n",
    ],
    [
      "on a list",
      `The pilot is late.\n\nAnn Example via Harbour wrote:\n${quotation}\n_______________________________________________\nHarbour mailing list\nharbour@lists.kai.example\n`,
    ],
  ])("shows the author's own text if it matches, even if the quotation %s has more matches", (_, body) => {
    expect(own(body, "berth pilot")).toBe("The **pilot** is late.");
  });

  it("shows a quotation if nothing else matches", () => {
    expect(own(`The pilot is late.\n\nOn 3 May 2001, Ann Example wrote:\n${quotation}`, "berth")).toContain(
      "**berth** is free",
    );
    expect(own(quotation, "")).toContain("The berth is free");
  });

  it("begins with the author's own text for a query without words", () => {
    expect(own(`On 3 May 2001, Ann Example wrote:\n${quotation}\nThe pilot is late.\n`, "")).toBe("The pilot is late.");
  });
});

describe("renderSnippet", () => {
  it.each([
    ["Please send the budget.", "budget", "Please send the **budget**."],
    ["CAFÉ au lait, Café!", "cafe", "**CAFÉ** au lait, **Café**!"],
    ["one\r\n\ttwo\u0000three\u2028four", "two", "one **two** three four"],
    ["2*3*4 and **bold** words", "bold", "2∗3∗4 and ∗∗**bold**∗∗ words"],
    ["no match here", "absent", "no match here"],
    ["", "x", ""],
    [" \n\t ", "x", ""],
    ["東京都の予算", "東京", "**東京**都の予算"],
  ])("%j for %j", (body, query, expected) => {
    expect(snippet(body, query)).toBe(expected);
  });

  it("marks beginnings of words", () => {
    expect(snippet("Reports by reporters.", "", ["report*"])).toBe("**Reports** by **reporters**.");
  });

  it("shows the part with most different words, divided at spaces", () => {
    const filler = "lorem ipsum dolor sit amet ".repeat(20);
    const text = snippet(`alpha ${filler}alpha alpha alpha ${filler}beta and alpha ${filler}`, "alpha beta");
    expect(text).toContain("**beta** and **alpha**");
    expect(text).toMatch(/^…(lorem|ipsum|dolor|sit|amet) .* (lorem|ipsum|dolor|sit|amet)…$/);
  });

  it("is about 180 characters in any script", () => {
    for (const word of ["budget ", "予算会議", "смета "]) {
      const text = snippet(word.repeat(400), "absent");
      expect(text.length).toBeGreaterThan(150);
      expect(text.length).toBeLessThan(200);
    }
  });

  it("is one line of complete characters with only matches marked", () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom("alpha", "Bêta", "*", "\n", "予算", "😀"),
        fc.string({ unit: "grapheme", maxLength: 9 }),
      ),
      {
        maxLength: 120,
      },
    );
    fc.assert(
      fc.property(words, (parts) => {
        const text = snippet(parts.join(" "), "alpha beta 予算");
        expect(text).not.toMatch(/[\n\r\u2028\u2029\0]/);
        expect(text.isWellFormed()).toBe(true);
        // Half a character would be decoded as U+FFFD, which a text may also contain.
        if (!parts.some((part) => part.includes("\ufffd"))) expect(text).not.toContain("\ufffd");
        const pieces = text.split("**");
        expect(pieces.length % 2).toBe(1);
        pieces.forEach((piece, i) => {
          if (i % 2 === 1) expect(["alpha", "beta", "予算"]).toContain(tokensOf(piece)[0]);
          expect(piece).not.toContain("*");
        });
        expect(text.replaceAll("**", "").length).toBeLessThan(260);
      }),
      { numRuns: 300 },
    );
  });

  it("survives invalid bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(new SnippetRenderer({ tokens: ["a"], patterns: ["b*"] }).render(bytes)).not.toContain("\n");
      }),
    );
  });
});
