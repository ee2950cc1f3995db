import { describe, expect, it } from "vitest";
import { addressText, formatAddress } from "../records/address.ts";
import { itemDate } from "../records/item.ts";
import { addToOrdinal, FIRST_MESSAGE, indexOf, type MessageOrdinal, ordinalAt } from "../records/ordinal.ts";
import { hashOfSources } from "../records/source-hashes.ts";
import { sharedMailboxNames } from "../shared-mailboxes.ts";
import { isAsciiLetter, isDigit, isLowerLetterOrDigit } from "./ascii.ts";
import { wellFormed } from "./unicode.ts";
import { rowOfWord, wordSet } from "./word-table.ts";

describe("tables of words", () => {
  it("are sets, or the row of each word", () => {
    expect([...wordSet("a bc d")]).toEqual(["a", "bc", "d"]);
    expect([...rowOfWord({ image: "png jpg", pdf: "pdf" })]).toEqual([
      ["png", "image"],
      ["jpg", "image"],
      ["pdf", "pdf"],
    ]);
  });

  it("ignore properties of Object.prototype", () => {
    expect(rowOfWord({ image: "png" }).get("constructor")).toBeUndefined();
  });
});

describe("characters of ASCII", () => {
  const texts = (is: (code: number) => boolean): string =>
    Array.from({ length: 0x250 }, (_, code) => code)
      .filter(is)
      .map((code) => String.fromCharCode(code))
      .join("");

  it("are letters, digits, or letters in lower case and digits", () => {
    expect(texts(isAsciiLetter)).toBe("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    expect(texts(isDigit)).toBe("0123456789");
    expect(texts(isLowerLetterOrDigit)).toBe("0123456789abcdefghijklmnopqrstuvwxyz");
  });

  it("do not exist beyond the end of a text", () => {
    const beyond = "".charCodeAt(0);
    expect([isAsciiLetter(beyond), isDigit(beyond), isDigit(undefined), isLowerLetterOrDigit(beyond)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("an address", () => {
  it.each([
    ["Ann Reed", "areed@x.example", "Ann Reed <areed@x.example>"],
    ["", "areed@x.example", "areed@x.example"],
    ["areed@x.example", "areed@x.example", "areed@x.example"],
    ["Ann Reed", "", "Ann Reed"],
  ])("of `%s` at `%s` is shown as `%s`", (name, email, text) => {
    expect(formatAddress({ name, email })).toBe(text);
  });

  it("is searched with both parts", () => {
    expect(addressText({ name: "", email: "areed@x.example" })).toBe(" <areed@x.example>");
  });
});

it("counts ordinals from 1 and indexes from 0", () => {
  const first = ordinalAt(FIRST_MESSAGE);
  expect([first, indexOf(first), addToOrdinal(first, 4), indexOf(5 as MessageOrdinal)]).toEqual([1, 0, 5, 4]);
});

it("finds mailbox names of several sources", () => {
  const mailboxes = [
    { source: 0, mailbox: "INBOX" },
    { source: 0, mailbox: "INBOX" },
    { source: 1, mailbox: "Sent" },
    { source: 1, mailbox: "INBOX" },
  ];
  expect([...sharedMailboxNames(mailboxes)]).toEqual(["INBOX"]);
});

it("hashes sources in any order, and returns a single hash unchanged", () => {
  expect(hashOfSources(["aa"])).toBe("aa");
  expect(hashOfSources(["aa", "bb"])).toBe(hashOfSources(["bb", "aa"]));
  expect(hashOfSources(["aa", "bb"])).not.toBe(hashOfSources(["aa", "bc"]));
});

it("replaces characters that are not valid", () => {
  expect(wellFormed("plain")).toBe("plain");
  expect(wellFormed("a\0b\ud83d")).toBe("ab\ufffd");
});

describe("the date of an item", () => {
  const dated = (fields: Readonly<Record<string, string>>): number | null => itemDate({ fields });

  it("is that of the first field that exists", () => {
    expect(dated({ due_date: "2001-05-14", created: "2000-01-01T00:00:00Z" })).toBe(Date.UTC(2001, 4, 14));
    expect(dated({ start: "2001-05-14T16:39:00Z" })).toBe(Date.UTC(2001, 4, 14, 16, 39));
  });

  it("is null without a field or with an unreadable one", () => {
    expect([dated({}), dated({ start: "soon" })]).toEqual([null, null]);
  });
});
