import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressRecords } from "./address-records.ts";

it("counts like records in memory, with few of them in memory", () => {
  const step = fc.record({ kind: fc.constantFrom("add", "count", "count", "read"), at: fc.nat(), name: fc.string() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.nat(12), (steps, held) => {
      const records = new AddressRecords(fewPages(1, held));
      const model: string[][] = [];
      for (const { kind, at, name } of steps) {
        const index = at % Math.max(1, model.length);
        if (kind === "add" || model.length === 0) {
          records.add();
          model.push([]);
        } else if (kind === "count") {
          const record = records.open(index);
          record.names = [...record.names, { text: name, count: 1, own: 0 }];
          model[index]!.push(name);
        } else expect(records.at(index).names).toHaveLength(model[index]!.length);
      }
      for (const [index, names] of model.entries())
        expect(records.at(index).names.map(({ text }) => text)).toEqual(names);
    }),
  );
});
