import { describe, expect, it } from "vitest";
import type { ContactOrdinal } from "../mail/records/ordinal.ts";
import { PersonIndex } from "./person-index.ts";
import { MentionResolver } from "./resolve-mentions.ts";

const contact = (ordinal: number, name: string, email = "x@kai.example", messages = 1) => ({
  ordinal: ordinal as ContactOrdinal,
  name,
  email,
  messages,
});
const PEOPLE = [
  contact(1, "Ann Kettering"),
  contact(2, "Robert Lundqvist"),
  contact(3, "Eva Hafner"),
  contact(4, "Hafner, Eva"),
  contact(5, "Jack Miller"),
  contact(6, "Kai Billing"),
  contact(7, "Special Offers"),
  contact(8, "kai lines", "kai.lines@lines.example"),
  contact(9, "Bo Orting", "bo@quay.example"),
];

function resolved(
  messages: readonly (readonly string[])[],
  author: number | null = null,
  people = PEOPLE,
): readonly (readonly string[])[] {
  const resolver = new MentionResolver(new PersonIndex(people));
  for (const found of messages) resolver.count(found);
  resolver.finishSketch();
  for (const found of messages) resolver.count(found);
  return messages.map((found) =>
    resolver
      .resolve(found, author as ContactOrdinal | null)
      .map(({ kind, value }) => resolver.valuesOf(kind)[value]!.join("#")),
  );
}

it.each([
  ["mAnn Kettering", "Ann Kettering#1"],
  ["fAnn Kettering", "Ann Kettering#1"],
  ["mA. Kettering", "Ann Kettering#1"],
  ["tKettering", "Ann Kettering#1"],
  ["mBob Lundqvist", "Robert Lundqvist#2"],
  ["mPeter Aldrin", ""],
  ["mEva Hafner", "Eva Hafner"],
  ["mJohn Miller", ""],
  ["tMiller", ""],
  ["mKai Billing", ""],
  ["mJack Miller", ""],
  ["mSpecial Offers", ""],
  ["mKai Lines", ""],
  ["cBob Lundqvist", "Robert Lundqvist#2"],
  ["cEva Hafner", ""],
  ["cPeter Aldrin", ""],
])("%s resolves to %j", (found, expected) => expect(resolved([[found]])).toEqual([expected === "" ? [] : [expected]]));

it.each([
  [["tKettering", "wPeter Kettering"], []],
  [["tKettering", "wAnn Kettering"], ["Ann Kettering#1"]],
  [["tKettering", "wPeter Aldrin"], ["Ann Kettering#1"]],
])("takes a title and family name for a person named in full in the same message: %j", (found, expected) =>
  expect(resolved([found])).toEqual([expected]),
);

it("resolves family names of several words, and excludes names that begin with a word of lists", () => {
  const people = [
    contact(1, "Carol St. Clair"),
    contact(2, "Kim Van Horn"),
    contact(3, "Market Participants", "market@iso.example"),
    contact(4, "Market Relations", "relations@iso.example"),
  ];
  expect(resolved([["mCarol St\u00a0Clair", "fKim Van\u00a0Horn", "mMarket Participants"]], null, people)).toEqual([
    ["Carol St Clair#1", "Kim Van Horn#2"],
  ]);
});

it("excludes the author's own name", () => expect(resolved([["mAnn Kettering"]], 1)).toEqual([[]]));

it("resolves a common name only to a person of the author's organization", () => {
  expect(resolved([["mJack Miller"]], 1)).toEqual([["Jack Miller#5"]]);
  expect(resolved([["mJack Miller"]], 9)).toEqual([[]]);
});

describe("a name that several contacts have", () => {
  const namesakes = [
    contact(1, "Kenneth Orting", "kenneth@kai.example", 40),
    contact(2, "Ken Orting", "ken@quay.example", 5),
    contact(3, "Ken Orting", "orting@lines.example", 5),
    contact(4, "James Hafner", "james@kai.example", 3),
    contact(5, "Jim Hafner", "jim@quay.example", 2),
    contact(6, "Eva Hafner", "eva@kai.example", 3),
    contact(7, "Eva Hafner", "eva@quay.example", 3),
    contact(8, "Ann Kettering", "ann@kai.example", 3),
    contact(9, "Ann Miller", "ann@kai.example", 40),
    contact(10, "Ann Miller", "miller@kai.example", 2),
    contact(11, "Bo Miller", "bo@kai.example", 2),
    contact(12, "Bo Miller", "miller@kai.example", 2),
    contact(13, "Jeff Miller", "jeff@kai.example", 2),
    contact(14, "Jeff Miller", "jeff@quay.example", 2),
  ];
  it.each([
    ["wKen Orting", 8, "Kenneth Orting#1"],
    ["fKenneth Orting", null, "Kenneth Orting#1"],
    ["mKen Orting", 3, ""],
    ["mJim Hafner", null, "Jim Hafner#5"],
    ["mJames Hafner", null, "James Hafner"],
    ["mEva Hafner", null, "Eva Hafner"],
    ["mEva Hafner", 8, "Eva Hafner#6"],
    ["mE. Hafner", 8, ""],
    ["tHafner", 8, ""],
    ["mAnn Miller", 8, "Ann Miller#9"],
    ["mAnn Miller", 2, ""],
    ["mBo Miller", 8, "Bo Miller"],
    ["mJeff Miller", 8, "Jeff Miller"],
    ["mJeff Miller", 3, ""],
  ])("%s by author %j resolves to %j", (found, author, expected) => {
    const means = expected === "" ? [] : [expected];
    expect(resolved([[found]], author, namesakes)).toEqual([means]);
    expect(resolved([[found]], author, namesakes.toReversed())).toEqual([means]);
  });
});

it("excludes names that begin with words of a heading", () => {
  const often = Array.from({ length: 4 }, () => ["oHarbor Inc."]);
  expect(resolved([...often, ["oChronicle Harbor Inc"]]).at(-1)).toEqual([]);
  expect(resolved([["oHarbor Inc."], ["oEast Harbor Inc"]]).at(-1)).toEqual(["East Harbor Inc"]);
});

it("removes a heading in capitals from names that other messages contain", () => {
  const messages = [["oHarbor Inc."], ["oHarbor Inc."], ["oCONFIDENTIAL Harbor Inc."], ["oKAI Lines Inc."]];
  expect(resolved(messages).slice(2)).toEqual([["Harbor Inc."], ["KAI Lines Inc."]]);
});

it("accepts document numbers in at least two messages", () => {
  expect(resolved([["rinvoice 77-1"]])).toEqual([[]]);
  expect(resolved([["rinvoice 77-1"], ["rinvoice 77-1"]])).toEqual([["invoice 77-1"], ["invoice 77-1"]]);
});

describe("people who are not contacts", () => {
  const three = (...found: readonly string[]) => Array.from({ length: 3 }, () => found);

  it("are mentioned by three messages at least", () => {
    expect(resolved(three("wPeter Aldrin"))).toEqual(three("Peter Aldrin"));
    expect(resolved(three("wPeter Aldrin").slice(1)).flat()).toEqual([]);
    expect(resolved([...three("wPeter Aldrin"), ["fPeter Aldrin"]]).at(-1)).toEqual(["Peter Aldrin"]);
    expect(resolved([...three("wPeter Aldrin").slice(1), ["fPeter Aldrin"]]).at(-1)).toEqual([]);
  });

  it("exclude names of contacts and organizations, and beginnings of other names", () => {
    for (const name of ["John Miller", "Kai Billing", "Special Offers"])
      expect([name, resolved(three(`w${name}`)).flat()]).toEqual([name, []]);
    expect(resolved(three("wPeter Aldrin", "oPeter Aldrin LLP")).flat()).not.toContain("Peter Aldrin");
    expect(resolved([...three("wMary Ann"), ["bMary Ann"], ["bMary Ann"]]).flat()).toEqual([]);
    expect(resolved(three("bMary Ann")).flat()).toEqual([]);
  });

  it("may have two given names, unless a contact has the first", () => {
    const names = ["wPeter\u00a0Paul Aldrin", "wAnn\u00a0Mary Kettering"];
    expect(resolved([names, names, names])[0]).toEqual(["Peter Paul Aldrin"]);
  });

  it("exclude beginnings of longer names", () =>
    expect(resolved([...three("wPeter Reed"), ["bPeter Reed"], ["bPeter Reed"]]).flat()).toEqual([]));

  it("may share a common name with a contact", () => {
    expect(resolved(three("wJack Miller"), 9)).toEqual(three("Jack Miller"));
    expect(resolved(three("wJack Miller"), 1)).toEqual(three("Jack Miller#5"));
  });
});

it("joins the spellings of an organization", () =>
  expect(resolved([["oKai & Sons, Inc."], ["oKai and Sons Inc"]])).toEqual([
    ["Kai & Sons, Inc."],
    ["Kai & Sons, Inc."],
  ]));
