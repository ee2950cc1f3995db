import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_QUOTED_HEADERS, openingOf, readQuotedHeaders } from "./quoted-headers.ts";
import { splitBody } from "./split-body.ts";

const headersOf = (body: string) => readQuotedHeaders(body, splitBody(body));
const MAY_14 = Date.UTC(2001, 4, 14, 16, 39) / 60_000;

describe("the header of a quoted mail", () => {
  it("is read as Outlook writes it", () => {
    const body = `I agree.

 -----Original Message-----
From: \tReed, Ann  [mailto:ann@mill.example]
Sent:\tMonday, May 14, 2001 4:39 PM
To:\tLund, Bo; Cole, Cy;
\tDunn, Di
Cc:\tEll, Ed
Subject:\tRE: The mill wheel

Shall we repair the wheel before the harvest?

Ann
`;
    expect(headersOf(body)).toEqual([
      {
        author: "Reed, Ann  [mailto:ann@mill.example]",
        subject: "RE: The mill wheel",
        minutes: [MAY_14],
        opening: "shallwerepairthewheelbef",
      },
    ]);
  });

  it("is read as Lotus Notes writes it", () => {
    const body = `Fine.




Ann Reed@MILL
05/14/2001 04:39 PM
To: Bo Lund/HQ/MILL@MILL
cc: Cy Cole/HQ/MILL@MILL

Subject: The mill wheel

Shall we repair it?
`;
    expect(headersOf(body)).toEqual([
      { author: "Ann Reed@MILL", subject: "The mill wheel", minutes: [MAY_14], opening: "shallwerepairit" },
    ]);
  });

  it("is read as Notes writes it above forwarded mail", () => {
    const body = `---------------------- Forwarded by Bo Lund/HQ/MILL on 05/15/2001 09:00 AM ---------------------------


Ann Reed@MILL on 05/14/2001 04:39:10 PM
To:\tBo Lund/HQ/MILL@MILL
cc:\t 
Subject:\tThe mill wheel

Shall we repair it?
`;
    expect(headersOf(body)).toEqual([
      { author: "Ann Reed@MILL", subject: "The mill wheel", minutes: [MAY_14], opening: "shallwerepairit" },
    ]);
  });

  it.each([
    ["Von: Ann Reed\nGesendet: Montag, 14. Mai 2001 16:39\nAn: Bo Lund\nBetreff: AW: Mühlrad"],
    ["De : Ann Reed\nEnvoyé : lundi 14 mai 2001 16:39\nÀ : Bo Lund\nObjet : AW: Mühlrad"],
    ["Van: Ann Reed\nVerzonden: maandag 14 mei 2001 16:39\nAan: Bo Lund\nOnderwerp: AW: Mühlrad"],
    ["发件人: Ann Reed\n发送时间: 2001年5月14日 16:39\n收件人: Bo Lund\n主题: AW: Mühlrad"],
  ])("is read in other languages: %s", (block) => {
    expect(headersOf(`Ja.\n\n${block}\n\nWird es repariert?\n`)).toEqual([
      { author: "Ann Reed", subject: "AW: Mühlrad", minutes: [MAY_14], opening: "wirdesrepariert" },
    ]);
  });

  it.each([
    ["On Mon, 14 May 2001 16:39:10 -0500, Ann Reed <ann@mill.example> wrote:", "Ann Reed <ann@mill.example>"],
    ["On May 14, 2001, at 4:39 PM, Ann Reed wrote:", "Ann Reed"],
    ["Am 14.05.2001 um 16:39 schrieb Ann Reed:", "Ann Reed"],
    ["Le 14 mai 2001 à 16:39, Ann Reed <ann@mill.example> a écrit :", "Ann Reed <ann@mill.example>"],
    ["Ann Reed <ann@mill.example> schrieb am 14. Mai 2001 um 16:39:", "Ann Reed <ann@mill.example>"],
  ])("is read from a line: %s", (line, author) => {
    expect(headersOf(`Yes.\n\n${line}\n> Shall we repair it?\n>\n> Ann\n`)).toEqual([
      { author, subject: null, minutes: [MAY_14], opening: "shallwerepairitann" },
    ]);
  });

  it("is read of mail that the quoted one quotes, each with its own text", () => {
    const block = (author: string, text: string) =>
      `-----Original Message-----\nFrom: ${author}\nSent: Monday, May 14, 2001 4:39 PM\nTo: Bo Lund\nSubject: Wheel\n\n${text}\n\n`;
    const found = headersOf(`Yes.\n\n${block("Ann Reed", "One")}${block("Cy Cole", "Two")}`);
    expect(found.map(({ author, opening }) => [author, opening])).toEqual([
      ["Ann Reed", "one"],
      ["Cy Cole", "two"],
    ]);
    expect(headersOf(`Yes.\n\n${block("Ann Reed", "One").repeat(100)}`)).toHaveLength(MAX_QUOTED_HEADERS);
  });

  it("leaves the quoted text the opening that the mail itself has", () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.boolean(), (words, isMarked) => {
        const own = `${words.join(" ")}\n`;
        const head = "Mon, 14 May 2001 16:39:10 -0500";
        const reply = isMarked
          ? `Yes.\n\nOn ${head}, Ann Reed <ann@mill.example> wrote:\n${own.replace(/^/gm, "> ")}`
          : `Yes.\n\n-----Original Message-----\nFrom: Ann Reed\nSent: ${head}\nSubject: Wheel\n\n${own}`;
        expect(headersOf(reply)[0]?.opening).toBe(openingOf(own, splitBody(own)));
      }),
    );
  });

  it("bears any text", () => {
    const line = fc.constantFrom(
      "> a",
      "From: x@y.example",
      "To: b",
      "-----Original Message-----",
      "",
      "On 1/2/03 4:05 PM x wrote:",
      "05/14/2001 04:39 PM",
      "c",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        expect(headersOf(lines.join("\n")).length).toBeLessThanOrEqual(MAX_QUOTED_HEADERS);
      }),
    );
  });
});
