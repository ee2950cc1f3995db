import { expect, it } from "vitest";
import { groupNameVariants } from "./name-variants.ts";
import { parsePersonName } from "./person-name.ts";

const grouped = (...names: string[]) =>
  groupNameVariants(names.map((text, at) => ({ name: parsePersonName(text)!, addresses: [at] }))).map((group) =>
    group.map((variant) => names[variant.addresses[0]!]),
  );

it("groups spellings of one person", () => {
  expect(grouped("Jim Doe", "Rick Doe", "James Doe", "James M. Doe")).toEqual([
    ["Jim Doe", "James Doe", "James M. Doe"],
    ["Rick Doe"],
  ]);
});

it("does not join a spelling that fits two people", () => {
  expect(grouped("James M. Doe", "James Doe", "James T. Doe")).toEqual([
    ["James M. Doe"],
    ["James Doe"],
    ["James T. Doe"],
  ]);
  expect(grouped("Chris Doe", "Christine Doe", "Christopher Doe")).toEqual([
    ["Chris Doe"],
    ["Christine Doe"],
    ["Christopher Doe"],
  ]);
});

it("treats many spellings as many people", () => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const crowd = letters.flatMap((one) => letters.map((two) => `James ${one}${two}x Doe`));
  expect(grouped("James Doe", ...crowd)).toHaveLength(crowd.length + 1);
});
