import { expect, it } from "vitest";
import { subjectMark } from "./subject-mark.ts";

it.each([
  ["Re: plan", "reply"],
  ["Fwd: Re: plan", "forward"],
  [" RE[2]: FW: plan", "reply"],
  ["WG: Plan", "forward"],
  ["转发：计划", "forward"],
  ["[team] Re: plan", "reply"],
  ["plan: fw", null],
  ["", null],
])("%j: %s", (subject, expected) => {
  expect(subjectMark(subject)).toBe(expected);
});
