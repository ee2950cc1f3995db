import { describe, expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { AddressBook } from "./addresses/address-book.ts";
import { resolveContacts } from "./resolve-contacts.ts";

type Use = readonly [email: string, exportedName: string];

/** Main address with aliases, one contact per line. */
function resolved(uses: readonly Use[], own: readonly string[] = []): readonly string[] {
  const book = new AddressBook(fewPages());
  for (const [email, name] of uses) {
    const index = book.observe({ name: "", email }, "to", 0);
    if (name !== "") book.observeExportedName(index, name, { times: 1, own: own.includes(email) ? 1 : 0 });
  }
  const { summaries } = resolveContacts(book, fewPages(), true);
  return [...summaries()].map(({ email, aliases }) => [email, ...aliases].join(" + "));
}

describe("an address that an export made up from a name", () => {
  it("is joined with the address that the export lists", () => {
    expect(
      resolved([
        ["doe.jane@corp.example", "Jane Doe <jd7@mill.example>"],
        ["jd7@mill.example", ""],
      ]),
    ).toEqual(["doe.jane@corp.example + jd7@mill.example"]);
  });

  it("is joined also if it is only a given name", () => {
    expect(
      resolved([
        [".jane@corp.example", "Jane Doe (E-mail) <jd7@mill.example>"],
        ["jd7@mill.example", ""],
      ]),
    ).toEqual(["jd7@mill.example + .jane@corp.example"]);
  });

  it("is joined with others made up for the same address, with a misspelled name", () => {
    expect(
      resolved([
        ["doe.stephanie@corp.example", "Stephanie Doe <sd@mill.example>"],
        ["doe.stepanie@corp.example", "Stepanie Doe <sd@mill.example>"],
      ]),
    ).toEqual(["doe.stephanie@corp.example + doe.stepanie@corp.example"]);
  });

  it("is not joined with namesakes of the organization", () => {
    expect(
      resolved([
        ["mark.wolf@corp.example", "Wolf, Mark </O=CORP/CN=MWOLF>"],
        ["wolf.mark@corp.example", "Mark Wolf <mark.wolf@mill.example>"],
      ]),
    ).toEqual(["mark.wolf@corp.example", "wolf.mark@corp.example"]);
  });

  it("is not joined with the only person there who has its initial, in any spelling", () => {
    expect(
      resolved([
        ["jbennett@corp.example", "JBennett <jbennett@mill.example>"],
        ["'jbennett'@corp.example", ""],
        ["joel.bennett@corp.example", "Bennett, Joel </O=CORP/CN=JBENNET1>"],
      ]),
    ).toEqual(["jbennett@corp.example + 'jbennett'@corp.example", "joel.bennett@corp.example"]);
  });

  it("is joined with the listed address whatever it spells, if no person has its name", () => {
    expect(
      resolved([
        ["reed.jo@corp.example", "Jo Lund for Ann Reed <jlund@mill.example>"],
        ["jlund@mill.example", ""],
        ["jo.reed@port.example", ""],
      ]),
    ).toEqual(["reed.jo@corp.example + jlund@mill.example", "jo.reed@port.example"]);
  });

  it.each<[string, Use[], string[]]>([
    [
      "is mostly used otherwise",
      [
        ["bob.reed@corp.example", "Reed, Bob </O=CORP/CN=BREED>"],
        ["bob.reed@corp.example", "Bob Reed"],
        ["bob.reed@corp.example", "Bob Reed <bob@mill.example>"],
        ["bob@mill.example", ""],
      ],
      [],
    ],
    [
      "has several",
      [
        ["reed.bob@corp.example", "Bob Reed <bob@mill.example>"],
        ["reed.bob@corp.example", "Bob Reed <bob@port.example>"],
        ["bob@mill.example", ""],
        ["bob@port.example", ""],
      ],
      [],
    ],
    [
      "writes mail",
      [
        ["bob.reed@corp.example", "Bob Reed <bob@mill.example>"],
        ["bob@mill.example", ""],
      ],
      ["bob.reed@corp.example"],
    ],
    [
      "has another full name",
      [
        ["reed.bob@corp.example", "Bob Reed <ann.lund@mill.example>"],
        ["ann.lund@mill.example", "Ann Lund"],
      ],
      [],
    ],
  ])("is joined with none if it %s", (_, uses, own) => {
    expect(resolved(uses, own)).toHaveLength(new Set(uses.map(([email]) => email)).size);
  });
});
