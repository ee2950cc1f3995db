import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitBody, textOf } from "./split-body.ts";

const ANN = "Ann Reed <areed@harbor.example>";

/** The signature detected in a mail by Ann Reed. */
function signatureOf(body: string, author = ANN): string {
  return textOf(body, splitBody(body, author), "signature");
}

describe("a signature without a delimiter", () => {
  const cards: readonly (readonly [what: string, card: string])[] = [
    ["name and number", "Ann Reed\n555-0101"],
    ["name and extension", "Ann Reed\nx35512"],
    ["given name and address", "Ann\nareed@harbor.example"],
    ["closing and name on one line", "Thks, Ann\nTel: (555) 010-1234"],
    ["a dash before the name", "- Ann\n(555) 010-1234"],
    [
      "a card with title, company, street and numbers",
      [
        "Ann M. Reed",
        "Director of Operations",
        "Harbor Lines, Inc.",
        "12 Quay Street, Suite 7",
        "Port Ellen, TX 77002",
        "(555) 010-1234 office",
        "fax: 555-010-1235",
        "email address: areed@harbor.example",
      ].join("\n"),
    ],
    ["name and title without any number", "Ann Reed\nAssistant to the Harbor Master\nHarbor Lines"],
    ["name and extension on one line", "Ann x39194"],
    ["name and number on one line", "Ann Reed - ext. 555-010-7294"],
    ["an extension in two pieces", "Ann\next. 5-3853"],
    ["the name of the company in the Internet", "Ann Reed\nHarborLines.example.com\n555-010-1234"],
    ["ordinals and words with figures", "Ann Reed\nOne q2 Place, 3rd Floor\n555-010-1234"],
    ["an initial, where the local part holds the family name alone", "Edna A. Reed\nHarbor Lines\n555-010-1234"],
    ["blank lines between", "Ann Reed\n\nHarbor Lines\n\n555-010-1234"],
  ];

  it.each(cards)("is found: %s", (_, card) => {
    expect(signatureOf(`The barge is late again.\nRegards,\n\n${card}\n`)).toBe(card);
  });

  it("is found above attachment names, a legal notice and a quotation", () => {
    const card = "Ann Reed\n555-010-1234";
    expect(signatureOf(`See the list.\n\n${card}\n\n - berths.xls\n - cranes of May.doc\n`)).toContain(card);
    const notice = "This e-mail is confidential and intended only for the addressee; any use by others is prohibited.";
    expect(signatureOf(`See the list.\n\n${card}\n\n${notice}\n`)).toBe(`${card}\n\n${notice}`);
    expect(signatureOf(`See the list.\n\n${card}\n\n-----Original Message-----\nFrom: Ben\n\nWhere is it?\n`)).toBe(
      card,
    );
  });

  it("is detected by the local part if the name is unknown", () => {
    expect(signatureOf("Late again.\n\nReed\n555-010-1234", " <areed@harbor.example>")).toBe("Reed\n555-010-1234");
    expect(signatureOf("Late again.\n\nAnn R.\n555-010-1234", " <ann.reed@harbor.example>")).toBe(
      "Ann R.\n555-010-1234",
    );
  });
});

describe("text that resembles a signature", () => {
  const texts: readonly (readonly [what: string, body: string])[] = [
    ["a name alone", "The barge is late.\n\nAnn Reed"],
    ["a closing and a name", "The barge is late.\n\nRegards\nAnn"],
    ["somebody else's card", "Please call the pilot:\n\nBen Hale\nPilot\n555-010-7777"],
    ["a salutation", "Hello all,\nAnn,\nplease call 555-010-7777"],
    ["a sentence with a number", "The barge is late.\nAnn Reed\nCall me at work today. My phone # is 555-010-1234."],
    ["a number in a sentence without full stop", "It is late.\nAnn\nyou can reach the pilot at home on 555-010-1234"],
    ["a mail that is nothing but the card", "Ann Reed\nHarbor Lines\n555-010-1234"],
    ["a list of people and numbers", "The crew:\nBen Hale 555-010-1111\nAnn Reed 555-010-1234\nIda Moss 555-010-2222"],
    ["a list of people and numbers that ends with the author", "Call one of us\nBen Hale x35511\nAnn Reed x35512"],
    ["somebody else's number", "Please call the pilot\nBen Hale x35511"],
    ["the author's number in a sentence", "It is late.\nPlease call Ann at 555-010-1234"],
    ["a form", "Please fill in\nName: Ann Reed\nTelephone:\nFax:"],
    ["a number of the social security", "Please enrol my wife:\nIda M. Reed\n219-09-9999"],
    ["initials alone", "It is late.\nA. R.\n555-010-1234"],
    ["the company alone", "We meet there.\nHarbor Lines\n555-010-1234"],
    ["a postscript", "Late again.\nAnn Reed\n555-010-1234\nPS the pilot has the keys, ask him before you leave"],
  ];

  it.each(texts)("is kept: %s", (_, body) => expect(signatureOf(body)).toBe(""));

  it("is kept if the author is unknown", () => {
    expect(signatureOf("Late again.\n\nAnn Reed\n555-010-1234", "")).toBe("");
  });

  it("leaves at least one line of text above it", () => {
    const line = fc.constantFrom(
      "Ann Reed",
      "Ann",
      "555-010-1234",
      "Harbor Lines",
      "",
      "The barge is late.",
      "ann,",
      " - a.xls",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const body = lines.join("\n");
        const parts = splitBody(body, ANN);
        expect(parts.map(({ start, end }) => body.slice(start, end)).join("")).toBe(body);
        expect(textOf(body, parts, "signature")).not.toContain("The barge is late.");
        if (body.trim() !== "") expect(textOf(body, parts, "own")).not.toBe("");
      }),
    );
  });
});
