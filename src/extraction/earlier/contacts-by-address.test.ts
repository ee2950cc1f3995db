import { expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import type { ContactOrdinal } from "../../mail/records/ordinal.ts";
import type { ContactAddresses } from "../../store/contract/rows.ts";
import { ContactsByAddress } from "./contacts-by-address.ts";

function contact(ordinal: number, name: string, addresses: readonly string[]): ContactAddresses {
  const [email = "", ...aliases] = addresses;
  return { ordinal: ordinal as ContactOrdinal, name, email, aliases };
}

it("finds contacts by all their addresses in lower case, and those without one by name", () => {
  const known = new ContactsByAddress(fewPages());
  known.enter(contact(1, "Ann", ["Ann@one.example", "ann@two.example"]));
  known.enter(contact(2, "The Crane Desk", []));
  known.enter(contact(3, "Bob", ["bob@one.example"]));
  known.enter(contact(4, "Robert", ["rob@one.example", "bob@one.example"]));
  expect(["ann@one.example", "ann@two.example", "ann"].map((text) => known.get(text))).toEqual([1, 1, undefined]);
  expect(["the crane desk", "bob@one.example", "rob@one.example"].map((text) => known.get(text))).toEqual([2, 4, 4]);
});
