import { describe, expect, it } from "vitest";
import { queryTokens } from "./query-tokens.ts";

describe("queryTokens", () => {
  it.each([
    ["Mooring", ["mooring"]],
    ["annem*", ["annem*"]],
    ["*tract", ["*tract"]],
    ["con?ract", ["con?ract"]],
    ["c*t?d", ["c*t?d"]],
    ["price?", ["price?"]],
    ["a**b", ["a*b"]],
    ["anne-m*", ["anne", "m*"]],
    ["*", []],
    ["?!*", []],
    ["one *two", ["one", "*two"]],
    ["one* two", ["one*", "two"]],
    ["https://x.example/q3.pdf?dl=1", ["https", "x", "example", "q3", "pdf", "dl", "1"]],
    ["合", ["合*"]],
    ["合同", ["合同"]],
    ["图书馆", ["图书", "书馆"]],
    ["3月15日", ["3", "月", "15", "日*"]],
    ["合同2023", ["合同", "同", "2023"]],
    ["A社", ["a", "社*"]],
    ["500원", ["500", "원*"]],
    ["合*", ["合*"]],
    ["合同*", ["合同"]],
    ["", []],
  ])("%j", (text, tokens) => {
    expect(queryTokens(text, true)).toEqual(tokens);
  });

  it("reads wildcards as separators where they are not allowed", () => {
    expect(queryTokens("con?ract *now*", false)).toEqual(["con", "ract", "now"]);
  });
});
