import { expect, it } from "vitest";
import { corpusSource } from "../../../test/search-corpus.ts";
import { Searcher } from "../searcher.ts";

const searcher = new Searcher(
  corpusSource([
    {
      body: "",
      mentions: { mentions: ["Ann Reed"], phone: ["+14155550132"], amount: ["USD 12000"], site: ["harbor.tx.example"] },
    },
    {
      body: "",
      mentions: { mentions: ["Ann Reed Lund"], phone: ["+442079460958"], amount: ["EUR 10000"], site: ["tx.example"] },
    },
    { body: "", mentions: { org: ["Acme Lines, Inc.", "Acme"], iban: ["DE89370400440532013000"] } },
    {
      body: "",
      mentions: {
        org: ["Acme Lines, Inc."],
        others: ["Eva Quist"],
        site: ["kai.example"],
        reference: ["invoice 2001-77"],
      },
    },
  ]),
);

it.each([
  ['mentions:"Ann Reed"', [1]],
  ["mentions:reed", [1, 2]],
  ["mentions:lund", [2]],
  ["others:quist", [4]],
  ["org:Acme", [3]],
  ["org:lines", [3, 4]],
  ["phone:+14155550132", [1]],
  ['phone:"(415) 555-0132"', [1]],
  ["phone:415.555.0132", [1]],
  ["phone:415-555-0132", [1]],
  ['phone:"415 555 0132"', [1]],
  ["phone:4155550132", [1]],
  ['phone:"+1 415 555 0132"', [1]],
  ["phone:+1.415.555.0132", [1]],
  ['phone:"1 (415) 555-0132"', [1]],
  ["phone:555-0132", [1]],
  ["phone:+4155550132", []],
  ['phone:"011 44 20 7946 0958"', [2]],
  ['phone:"+44 (0)20 7946 0958"', [2]],
  ['phone:"020 7946 0958"', [2]],
  ["amount:>10000", [1]],
  ['amount:">= 10k EUR"', [2]],
  ["amount:10000..12000", [1, 2]],
  ["amount:>12000", []],
  ["amount:12k", [1]],
  ['amount:"USD 12,000"', [1]],
  ['amount:"EUR 12000"', []],
  ['iban:"de89 3704 0044 0532 0130 00"', [3]],
  ["iban:de89370400440532013000", [3]],
  ["iban:GB82WEST12345698765432", []],
  ["site:www.kai.example", [4]],
  ["site:kai.example", [4]],
  ["site:other.example", []],
  ["site:harbor.tx.example", [1]],
  ["site:x.harbor.tx.example", [1, 2]],
  ["reference:2001-77", [4]],
  ['reference:"invoice 2001-77"', [4]],
  ["reference:2001-78", []],
  ["has:phone", [1, 2]],
  ["-has:org", [1, 2]],
])("%s", async (query, found) =>
  expect([...(await searcher.matching(query))].sort((left, right) => left - right)).toEqual(found),
);
