import { describe, expect, it } from "vitest";
import { readMessageId, readMessageIds } from "./message-ids.ts";

describe("ids as encoded words", () => {
  it("are read, folded ones as well", () => {
    expect(readMessageId("=?us-ascii?Q?=3Ca1=40mill=2Eexample=3E?=")).toBe("a1@mill.example");
    expect(readMessageId("<=?utf-8?Q?a1=40mill.example?=>")).toBe("a1@mill.example");
    expect(readMessageIds("=?utf-8?Q?=3Ca1=40mill.ex?=\r\n =?utf-8?Q?ample=3E_=3Cb2=40mill.example=3E?=")).toEqual([
      "a1@mill.example",
      "b2@mill.example",
    ]);
  });
});

describe("readMessageIds", () => {
  it.each([
    ["<a@b> <c@d>", ["a@b", "c@d"]],
    ["<a@b><a@b>,<c@d>", ["a@b", "c@d"]],
    ["a@b c@d", ["a@b", "c@d"]],
    ["Bob's message a@b", []],
    ["<a@ b>", ["a@b"]],
    ["<a@b <c@d>", ["a@b", "c@d"]],
    ["<>", []],
    ["", []],
  ])("reads %j", (field, ids) => {
    expect(readMessageIds(field)).toEqual(ids);
  });

  it("keeps the first and the newest ids above the limit", () => {
    const ids = readMessageIds(Array.from({ length: 5000 }, (_, at) => `<${at}@x>`).join(" "));
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([2000, "0@x", "4999@x"]);
  });
});

describe("readMessageId", () => {
  it.each([
    ["<a@b>", "a@b"],
    ["<<a@b>>", "a@b"],
    ["&lt;a@b&gt;", "a@b"],
    ["< <a@b> (added by a relay)", "a@b"],
    ["<a@b", "a@b"],
    ["a@b", "a@b"],
  ])("reads %j", (field, id) => {
    expect(readMessageId(field)).toBe(id);
  });

  it.each([
    ["<a@b>", "a@b"],
    ["a@b>", "a@b"],
    ["<a@b", "a@b"],
    ["m", "m"],
    ["<>", null],
    ["", null],
  ])("reads %j", (field, id) => {
    expect(readMessageId(field)).toBe(id);
  });
});
