import { expect, it } from "vitest";
import { type Identified, supersededOf } from "./superseded.ts";

const thing = (group: string, subject: string, isSure = true): Identified => ({ group, subject, isSure });

it("finds items that changed in place, also under another subject", () => {
  expect(supersededOf([thing("a", "Plan")], [thing("a", "Plan, new")])).toEqual([0]);
  expect(supersededOf([thing("a", "Plan"), thing("b", "List")], [thing("b", "List")])).toEqual([1]);
  expect(supersededOf([thing("a", "1"), thing("a", "2")], [thing("a", "3"), thing("a", "4"), thing("a", "5")])).toEqual(
    [0, 1],
  );
});

it("keeps items that may have been deleted", () => {
  expect(supersededOf([thing("a", "Plan")], [])).toEqual([]);
  expect(supersededOf([thing("a", "Plan"), thing("a", "List")], [thing("a", "Other")])).toEqual([]);
  // The subject shows which of the two was replaced.
  expect(supersededOf([thing("a", "Plan"), thing("a", "List")], [thing("a", "List")])).toEqual([1]);
  expect(supersededOf([thing("a", "Plan"), thing("a", "Plan")], [thing("a", "Plan")])).toEqual([]);
});

it("requests the subject if the group alone is ambiguous", () => {
  expect(supersededOf([thing("a", "Plan", false)], [thing("a", "Other", false)])).toEqual([]);
  expect(supersededOf([thing("a", "Plan", false)], [thing("a", "Plan", false)])).toEqual([0]);
  expect(supersededOf([thing("a", "", false)], [thing("a", "", false)])).toEqual([]);
});
