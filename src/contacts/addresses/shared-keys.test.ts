import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { SharedKeys } from "./shared-keys.ts";

it("reports the owners of a key like a map of lists", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "c", "d", "e")), fc.nat(3), fc.nat(4), (keys, held, leftOut) => {
      const shared = new SharedKeys(fewPages(1, held));
      const model = new Map<string, number[]>();
      for (const [address, key] of keys.entries()) {
        shared.add(key, address);
        model.set(key, [...(model.get(key) ?? []), address]);
      }
      const isLeftOut = (address: number): boolean => address % 5 === leftOut;
      for (const key of ["a", "b", "c", "d", "e", "f"]) expect(shared.of(key)).toEqual(model.get(key) ?? []);
      const others = [...model].map(([key, addresses]) => ({
        key,
        addresses: addresses.filter((one) => !isLeftOut(one)),
      }));
      expect([...shared.shared(isLeftOut)]).toEqual(others.filter(({ addresses }) => addresses.length > 1));
    }),
  );
});
