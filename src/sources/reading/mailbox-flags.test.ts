import { describe, expect, it } from "vitest";
import { headerFlags, maildirFlags, unnamedFlags } from "./mailbox-flags.ts";

describe("flags in Maildir names", () => {
  it.each([
    ["1.a.host:2,S", ["seen"]],
    ["1.a.host:2,DFPRST", ["seen", "replied", "flagged", "draft", "deleted", "forwarded"]],
    ["1.a.host;2,RS", ["seen", "replied"]],
    ["1.a.host!2,F", ["flagged"]],
    ["1.a.host\uf03a2,T", ["deleted"]],
    ["1.a.host,S=10956:2,Sab", ["seen"]],
    ["1.a.host:2,", []],
    ["1.a.host", []],
    ["1.a.host12,S", []],
    ["1.a.host:1,S", []],
  ])("%s", (name, flags) => expect(maildirFlags(name)).toEqual(flags));
});

it.each([
  ["1700000000.eml", ["seen", "flagged"]],
  ["1.a.host:2,", []],
  ["1.a.host:2,R", []],
])("flags in the header count if the name %s has none", (name, flags) => {
  expect(unnamedFlags(name, Buffer.from("X-Mozilla-Status: 0005\n\n"))).toEqual(flags);
});

describe("flags in headers", () => {
  it.each([
    ["Status: RO\nX-Status: A\n\n", ["seen", "replied"]],
    ["STATUS: R\n\n", []],
    ["Subject: a\r\nStatus: O\r\nX-Status: FDT\r\n\r\n", ["flagged", "draft", "deleted"]],
    ["X-Mozilla-Status: 0007\n\n", ["seen", "replied", "flagged"]],
    ["X-Mozilla-Status: zzzz\n\n", []],
    ["X-Evolution: 00000001-0019\n\n", ["seen", "replied", "flagged"]],
    ["X-Evolution: 00000001\n\n", []],
    ["X-Mozilla-Status: 10000000000\n\n", []],
    ["Subject: Status: R\n\nStatus: R\n", []],
    ["Status", []],
    ["Status: R", ["seen"]],
  ])("%j", (header, flags) => {
    expect(headerFlags(Buffer.from(header))).toEqual(flags);
    // A long message.
    for (const body of ["\n\nStatus: A\n", "\r\n\r\nX-Status: A\r\n"])
      expect(headerFlags(Buffer.from(header.trimEnd() + body + "x".repeat(9_000)))).toEqual(flags);
  });
});
