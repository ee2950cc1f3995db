import { expect, it } from "vitest";
import { queryProblemHeaders } from "./query-problems-header.ts";

it("has no header without problems", () => {
  expect(queryProblemHeaders([])).toEqual({});
});

it("writes sentences with everything that is not ASCII as in a URL", () => {
  expect(queryProblemHeaders(['"fro:é" is no operator', "\ud83d is half"])).toEqual({
    "x-query-problems": "%22fro:%C3%A9%22%20is%20no%20operator;%20%EF%BF%BD%20is%20half",
  });
});

it("counts the sentences that the header has no room for", () => {
  const { "x-query-problems": text } = queryProblemHeaders(Array.from({ length: 1000 }, () => "x".repeat(98)));
  expect(text).toMatch(/^x+;%20.*;%20961%20more$/);
  expect(text!.length).toBeLessThan(4_100);
});
