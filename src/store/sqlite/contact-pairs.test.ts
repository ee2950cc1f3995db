import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { ContactPairs } from "./contact-pairs.ts";

it("gives the entries of each contact, ascending, in the order in which they came, in however many parts", () => {
  const pair = fc.tuple(fc.nat(40), fc.nat(9));
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (given, pairsSorted) => {
      const pairs = new ContactPairs(fewPages());
      for (const [contact, entry] of given) pairs.push(contact, entry);
      const expected = Array.from({ length: 41 }, (_, contact) => ({
        contact,
        entries: given.filter(([one]) => one === contact).map(([, entry]) => entry),
      })).filter(({ entries }) => entries.length > 0);
      const found = Array.from(pairs.byContact(pairsSorted), ({ contact, entries }) => ({
        contact,
        entries: [...entries],
      }));
      expect(found).toEqual(expected);
    }),
  );
});
