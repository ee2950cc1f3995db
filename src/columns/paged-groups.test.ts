import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { PagedGroups } from "./paged-groups.ts";

it("returns the members of each key, ascending and in order of arrival, from any number of parts", () => {
  const pair = fc.tuple(fc.nat(40), fc.nat(9));
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (given, membersSorted) => {
      const pairs = new PagedGroups(fewPages());
      for (const [key, member] of given) pairs.push(key, member);
      const expected = Array.from({ length: 41 }, (_, key) => ({
        key,
        members: given.filter(([one]) => one === key).map(([, member]) => member),
      })).filter(({ members }) => members.length > 0);
      const found = Array.from(pairs.byKey(membersSorted), ({ key, members }) => ({
        key,
        members: [...members],
      }));
      expect(found).toEqual(expected);
    }),
  );
});
