import { describe, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "./address-book.ts";

describe("AddressBook", () => {
  it("interns addresses by key in order of first appearance and keeps their spellings", () => {
    const book = new AddressBook(fewPages());
    expect(book.observe({ name: "Ann", email: "Ann@X.org" }, "from", 5)).toBe(0);
    expect(book.observe({ name: "Bob", email: "bob@x.org" }, "to", null)).toBe(1);
    expect(book.observe({ name: "Ann", email: "ann@x.org" }, "cc", 9)).toBe(0);
    expect(book.observe({ name: "", email: "Ann@X.org" }, "to", 7)).toBe(0);
    expect(book.size).toBe(2);
    expect(book.keyOf(0)).toBe("ann@x.org");
    expect(book.spellingsOf(0)).toEqual([
      { text: "Ann@X.org", count: 2, own: 0 },
      { text: "ann@x.org", count: 1, own: 0 },
    ]);
    expect(book.namesOf(0)).toEqual([{ text: "Ann", count: 2, own: 1 }]);
    expect(book.usesOf(0)).toBe(3);
    expect(book.lastUsedOf(0)).toBe(9);
    expect(book.lastUsedOf(1)).toBe(Number.NEGATIVE_INFINITY);
  });

  it("interns a name without an address by its folded text, and reads a name that is an address as one", () => {
    const book = new AddressBook(fewPages());
    expect(book.observe({ name: "Jane  Doe", email: "" }, "to", null)).toBe(0);
    expect(book.observe({ name: "jane doe", email: " " }, "to", null)).toBe(0);
    expect(book.keyOf(0)).toBe("");
    expect(book.observe({ name: "jane@x.org", email: "" }, "to", null)).toBe(1);
    expect(book.observe({ name: "", email: "JANE@x.org" }, "to", null)).toBe(1);
    expect(book.namesOf(1)).toEqual([]);
    expect(book.observe({ name: "/O=X/CN=JDOE", email: "" }, "to", null)).toBe(2);
    expect(book.keyOf(2)).toBe("/o=x/cn=jdoe");
  });

  it("ignores the name of a Reply-To address", () => {
    const book = new AddressBook(fewPages());
    book.observe({ name: "Jane Doe", email: "list@x.org" }, "reply_to", null);
    expect(book.namesOf(0)).toEqual([{ text: "Jane Doe", count: 0, own: 0 }]);
    expect(book.usesOf(0)).toBe(1);
  });

  it("uses names of an address book only for addresses in mail", () => {
    const book = new AddressBook(fewPages());
    book.observe({ name: "", email: "ann@x.org" }, "from", 5);
    book.observeEntry({ name: "Ann Reed", email: "ANN@X.org" });
    book.observeEntry({ name: "Bo Lund", email: "bo@x.org" });
    expect(book.size).toBe(1);
    expect(book.namesOf(0)).toEqual([{ text: "Ann Reed", count: 1, own: 0 }]);
    expect(book.spellingsOf(0)).toEqual([{ text: "ann@x.org", count: 1, own: 0 }]);
    expect([book.usesOf(0), book.lastUsedOf(0)]).toEqual([1, 5]);
  });

  it("separates names from exports, so that names in headers come first in any order, and returns them for storage", () => {
    const book = new AddressBook(fewPages());
    const ann = book.observe({ name: "", email: "Ann@X.org" }, "from", 5);
    book.observeExportedName(ann, "Reed, Ann", { times: 1, own: 1 });
    book.observeExportedName(ann, "Reed, Ann", { times: 2, own: 0 });
    book.observe({ name: "Ann Reed", email: "ann@x.org" }, "from", 5);
    expect(book.namesOf(ann)).toEqual([
      { text: "Ann Reed", count: 1, own: 1 },
      { text: "Reed, Ann", count: 3, own: 1 },
    ]);
    expect([...book.exportedNames()]).toEqual([{ key: "ann@x.org", names: [{ text: "Reed, Ann", count: 3, own: 1 }] }]);
    expect([book.indexOf("ann@x.org"), book.indexOf("bo@x.org")]).toEqual([ann, undefined]);
  });

  it("stores a limited number of spellings and names, and continues counting", () => {
    const book = new AddressBook(fewPages());
    for (let bits = 0; bits < 64; bits++) {
      const email =
        [..."abcdef"].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join("") + "@x.org";
      expect(book.observe({ name: `Name ${bits}`, email }, "to", null)).toBe(0);
    }
    expect(book.usesOf(0)).toBe(64);
    expect(book.spellingsOf(0)).toHaveLength(8);
    expect(book.namesOf(0)).toHaveLength(32);
  });

  it("grows beyond its first columns", () => {
    const book = new AddressBook(fewPages());
    for (let index = 0; index < 5_000; index++)
      expect(book.observe({ name: "", email: `a${index}@x.org` }, "to", index)).toBe(index);
    expect(book.lastUsedOf(4_999)).toBe(4_999);
    expect(book.lastUsedOf(0)).toBe(0);
    expect(book.usesOf(2_500)).toBe(1);
  });
});
