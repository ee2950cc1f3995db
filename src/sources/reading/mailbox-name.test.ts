import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeMailboxName, maildirPlusName } from "./mailbox-name.ts";

/** RFC 3501 section 5.1.3, encoding direction. */
function encode(name: string): string {
  return name.replace(/&|[^\x20-\x7e]+/g, (run) => {
    if (run === "&") return "&-";
    return `&${Buffer.from(run, "utf16le").swap16().toString("base64").replaceAll("/", ",").replace(/=+$/, "")}-`;
  });
}

describe("modified UTF-7", () => {
  it.each([
    ["INBOX", "INBOX"],
    ["Entw&APw-rfe", "Entwürfe"],
    ["&ZeVnLIqe-", "日本語"],
    ["R&-D", "R&D"],
    ["~peter/mail/&U,BTFw-/&ZeVnLIqe-", "~peter/mail/台北/日本語"],
    ["Tom & Jerry", "Tom & Jerry"],
    ["a&b", "a&b"],
    ["&2AA-", "&2AA-"],
    ["Entwürfe", "Entwürfe"],
  ])("%s", (encoded, decoded) => expect(decodeMailboxName(encoded)).toBe(decoded));

  it("reads back its own output", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        fc.pre(!name.includes("\0"));
        expect(decodeMailboxName(encode(name))).toBe(name);
      }),
    );
  });
});

describe("Maildir++ names", () => {
  it.each([
    [".Sent", "Sent"],
    [".Projects.Alpha", "Projects/Alpha"],
    [".Entw&APw-rfe.2001", "Entwürfe/2001"],
    [".a&AC8-b", "a_b"],
    ["..", ""],
    [".mill\\3aexample.\\7eann", "mill\\3aexample/~ann"],
    [".mill\\2eexample.a\\2fb.c\\5cd", "mill.example/a_b/c\\d"],
  ])("%s", (directory, name) => expect(maildirPlusName(directory)).toBe(name));
});
