import { describe, expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import type { Address } from "../mail/records/address.ts";
import { AddressBook } from "./addresses/address-book.ts";
import { resolveContacts } from "./resolve-contacts.ts";

/** One use of an address: who wrote it where; `own` is the name its owner used. */
interface Use extends Address {
  readonly role?: "from" | "to";
  readonly times?: number;
}

const to = (name: string, email: string, times = 2): Use => ({ name, email, times });
const from = (name: string, email: string, times = 1): Use => ({ name, email, role: "from", times });

/** Addresses of each contact, with the reasons for merging them. */
function people(uses: readonly Use[]): { readonly contacts: readonly string[]; readonly reasons: string } {
  const book = new AddressBook(fewPages());
  for (const { name, email, role = "to", times = 2 } of uses)
    for (let use = 0; use < times; use++) book.observe({ name, email }, role, use);
  const contacts = [...resolveContacts(book, fewPages(), true).summaries()];
  for (const { evidence, aliases } of contacts) {
    expect(evidence).toHaveLength(1 + aliases.length);
    for (const { reason } of evidence) expect(reason).not.toBe("");
  }
  return {
    contacts: contacts.map(({ email, aliases }) => [email, ...aliases].sort().join(" + ")).sort(),
    reasons: contacts.flatMap(({ evidence }) => evidence.map(({ reason }) => reason)).join("; "),
  };
}

const apart = (uses: readonly Use[]): readonly string[] => [...new Set(uses.map(({ email }) => email))].sort();

const GIVEN_NAMES = ["Al", "Bea", "Cy", "Dora", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon"];

type Case = readonly [what: string, uses: readonly Use[]];
type JoinedCase = readonly [...Case, reason: string];

function joins(cases: readonly JoinedCase[]): void {
  it.each(cases)("joins %s", (_, uses, reason) => {
    const { contacts, reasons } = people(uses);
    expect(contacts).toHaveLength(1);
    expect(reasons).toContain(reason);
  });
}

function keepsApart(cases: readonly Case[]): void {
  it.each(cases)("does not merge %s", (_, uses) => {
    expect(people(uses).contacts).toEqual(apart(uses));
  });
}

describe("(a) an impersonal address never merges", () => {
  const several = (email: string): readonly Use[] => [
    to("Bob Reed", email),
    to("Bob Lund", email),
    to("Bob Reed", "bob.reed@x.example"),
    to("Bob Lund", "bob.lund@x.example"),
  ];
  keepsApart([
    ["a given name known under two full names", several("bob@x.example")],
    ["a place that stands for whoever sits there", several("houston@x.example")],
    ["an office", several("pr@x.example")],
    ["a home", several("home@x.example")],
    ["a name behind a dot", [to("", ".bob@x.example"), to("", "bob@x.example"), to("Bob Reed", "bob.reed@x.example")]],
    [
      "a name behind a quote that nothing closes",
      [to("", "'reed@x.example"), to("", "reed@x.example"), to("Bob Reed", "bob.reed@x.example")],
    ],
  ]);
  joins([
    [
      "a family name that one full name was written beside",
      [to("Ann Reed", "reed@x.example"), to("Ann Reed", "ann.reed@x.example")],
      "same full name (Ann Reed)",
    ],
  ]);
  it.each(["houston", "pr", "home"])("ignores %s, because a single lower-case word is not a name", (word) => {
    const book = new AddressBook(fewPages());
    for (let use = 0; use < 9; use++) book.observe({ name: word, email: `${word}@x.example` }, "to", use);
    expect([...resolveContacts(book, fewPages(), true).summaries()][0]!.name).toBe(`${word}@x.example`);
  });
});

describe("(b) the owner's spelling of a name takes precedence", () => {
  const kirby = from("Leo P. Kirby", "leo.kirby@x.example");
  keepsApart([
    [
      "whose mailbox others wrote another's name beside",
      [from("Di Castor", "dcastor@x.example"), to("Leo P. Kirby", "dcastor@x.example", 5), kirby],
    ],
  ]);
  joins([
    [
      "what others called otherwise by what both owners write",
      [from("Leo Kirby", "lk7@x.example"), to("Di Castor", "lk7@x.example", 5), kirby],
      "same full name (Leo P. Kirby)",
    ],
  ]);
});

describe("(c) the same local part within one organization", () => {
  joins([
    [
      "it below two hosts, whatever stands between its words",
      [to("", "ann.reed7@x.example"), to("", "ann_reed7@mail.x.example")],
      "same local part within",
    ],
    ["with a name and without", [to("Ann Reed", "areed@x.example"), to("", "areed@mail.x.example")], "same local part"],
  ]);
  keepsApart([
    ["what names contradict", [to("Ann Reed", "areed@x.example"), to("Al Reed", "areed@mail.x.example")]],
    ["roles", [to("", "sales@x.example"), to("", "sales@mail.x.example")]],
    ["robots", [to("", "no-reply@x.example"), to("", "no-reply@mail.x.example")]],
    ["given names", [to("", "bob@x.example"), to("", "bob@mail.x.example")]],
    ["initials", [to("", "ar@x.example"), to("", "ar@mail.x.example")]],
    ["other organizations", [to("", "areed@x.example"), to("", "areed@y.example")]],
    ["mailboxes of a provider", [to("", "areed@gmail.com"), to("", "areed@hotmail.com")]],
  ]);
});

describe("(d) equal full names with an abbreviated local part", () => {
  joins(
    (
      [
        ["Jo Ann Hill", "joann.hill", "jahill"],
        ["Carol St Clair", "carol.clair", "carolsc"],
        ["Fritz ten Moor", "fritz.ten", "fritz.moor"],
      ] as const
    ).map(([name, one, other]) => [
      name,
      [to(name, `${one}@x.example`), to(name, `${other}@x.example`)],
      `same full name (${name})`,
    ]),
  );
  keepsApart([
    ["other names", [to("Jo Ann Hill", "joann.hill@x.example"), to("Jo Beth Hill", "jbhill@x.example")]],
    ["a father and his son", [to("Leo Marsh III", "leo3@x.example"), to("Leo Marsh, Jr.", "leo_jr@x.example")]],
  ]);
});

describe("(e) one use of a name suffices if the local part is the family name", () => {
  joins([
    [
      "it and the whole name",
      [to("Ann Reed", "reed@x.example", 1), to("Ann Reed", "ann.reed@x.example")],
      "same full name (Ann Reed)",
    ],
  ]);
  keepsApart([
    ["another local part", [to("Ann Reed", "desk7x@x.example", 1), to("Ann Reed", "ann.reed@x.example")]],
    [
      "a name that two have",
      [
        to("Ann Reed", "reed@x.example", 1),
        to("Al Reed", "reed@x.example", 1),
        to("Ann Reed", "ann.reed@x.example"),
        to("Al Reed", "al.reed@x.example"),
      ],
    ],
  ]);
});

describe("(f) the same full name and the same local part anywhere", () => {
  joins([
    [
      "two providers",
      [to("Ann Reed", "areed7@x.example"), to("Reed, Ann", "areed7@gmail.com")],
      "same full name (Ann Reed) and same local part",
    ],
  ]);
  keepsApart([
    ["the name alone", [to("Ann Reed", "areed7@x.example"), to("Ann Reed", "harbour9@gmail.com")]],
    ["the local part alone", [to("Ann Reed", "areed7@x.example"), to("Al Reed", "areed7@gmail.com")]],
    ["a name that only the address spells", [to("", "ann.reed@x.example"), to("Ann Reed", "ann.reed@gmail.com")]],
    ["a given name for a local part", [to("Ann Reed", "ann@x.example"), to("Ann Reed", "ann@gmail.com")]],
  ]);

  const namesakes = (count: number): readonly Use[] =>
    GIVEN_NAMES.slice(0, count).map((given) => to(`${given} Reed`, `${given}.reed@x.example`.toLowerCase()));

  it.each([
    ["a name that many in one organization share part of", 10, "ann.reed", false],
    ["one that few do", 9, "ann.reed", true],
    ["one that many do, where the local part says more", 10, "annreed7", true],
  ])("if the local part is the name: %s", (_, count, local, areJoined) => {
    const both = [to("Ann Reed", `${local}@x.example`), to("Ann Reed", `${local}@y.example`)];
    const { contacts } = people([...namesakes(count), ...both]);
    expect(contacts).toHaveLength(count + (areJoined ? 1 : 2));
  });
});

describe("(g) names in reverse order, marked by quotes around the dot", () => {
  joins([
    [
      "them",
      [to("", "ann.reed@x.example"), to("", "reed'.'ann@x.example")],
      "same address with its parts in the other order",
    ],
  ]);
  keepsApart([
    ["two given names without quotes", [to("", "james.thomas@x.example"), to("", "thomas.james@x.example")]],
    ["another organization", [to("", "ann.reed@x.example"), to("", "reed'.'ann@y.example")]],
  ]);
});

describe("(h) the parts in the other order within one organization", () => {
  joins([
    [
      "them, though nobody wrote a name",
      [to("", "ann.reed@x.example"), to("", "reed.ann@x.example")],
      "same full name (Ann Reed) within x.example",
    ],
    [
      "them, where the name is beside another address",
      [to("", "reed.ann@mail.x.example"), to("Ann M. Reed", "amr@x.example")],
      "same full name (Ann M. Reed)",
    ],
  ]);
  const reeds = GIVEN_NAMES.map((given) => to(`${given} Reed`, `${given.toLowerCase()}.reed@x.example`));
  keepsApart([
    ["two given names", [to("James Thomas", "jthomas@x.example"), to("", "thomas.james@x.example")]],
    ["another organization", [to("Ann Reed", "ann.reed@x.example"), to("", "reed.ann@y.example")]],
    ["a common family name", [...reeds, to("Ann Reed", "areed7@x.example"), to("", "reed.ann@x.example")]],
  ]);
  it("keeps the order of a name that someone uses", () => {
    const uses = [to("Ann Karo", "karo7@x.example"), to("Karo Ann", "kann7@x.example"), to("", "karo.ann@x.example")];
    expect(people(uses).contacts).toEqual(["kann7@x.example + karo.ann@x.example", "karo7@x.example"]);
  });
});

describe("(i) an initial and the family name of one person within one organization", () => {
  joins([
    [
      "an address without a name",
      [to("", "areed@x.example"), to("Ann Reed", "ann.reed@x.example")],
      "initial and family name of the only such person (Ann Reed) within x.example",
    ],
    [
      "one that programs named by itself",
      [to("areed@x.example", "areed@x.example"), to("Ann Reed", "ann.reed@x.example")],
      "initial and family name of the only such person",
    ],
    [
      "one of a short form",
      [to("", "wreed@x.example"), to("Bill Reed", "bill.reed@x.example")],
      "initial and family name of the only such person (Bill Reed)",
    ],
  ]);
  keepsApart([
    [
      "of two people",
      [to("", "areed@x.example"), to("Ann Reed", "ann.reed@x.example"), to("Al Reed", "al.reed@x.example")],
    ],
    ["of another organization", [to("", "areed@y.example"), to("Ann Reed", "ann.reed@x.example")]],
    ["of a provider", [to("", "areed@gmail.com"), to("Ann Reed", "ann.reed@gmail.com")]],
    ["a short family name", [to("", "alee@x.example"), to("Ann Lee", "ann.lee@x.example")]],
    ["a name beside it", [to("Cy", "areed@x.example"), to("Ann Reed", "ann.reed@x.example")]],
    [
      "a family name",
      [to("", "jones@x.example"), to("Jo Ones", "jo.ones@x.example"), to("Cy Jones", "cy.jones@x.example")],
    ],
  ]);
});

it("uses the contact's own spelling of the name", () => {
  const book = new AddressBook(fewPages());
  for (let use = 0; use < 9; use++) book.observe({ name: "Annie Reed-Lund", email: "ar7@x.example" }, "to", use);
  book.observe({ name: "Ann", email: "ar7@x.example" }, "from", 10);
  const nameOf = (): string => [...resolveContacts(book, fewPages(), true).summaries()][0]!.name;
  expect(nameOf()).toBe("Annie Reed-Lund");
  book.observe({ name: "Reed, Ann", email: "ar7@x.example" }, "from", 11);
  expect(nameOf()).toBe("Ann Reed");
});

it("an address keeps its name if others misspell it, but not with a second name", () => {
  const boat = to("Roy Marlan", "boat7@quay.example", 3);
  const office = to("Roy Marlan", "roy.marlan@quay.example");
  expect(people([boat, to("Roy Marlen", boat.email), office]).contacts).toHaveLength(1);
  expect(people([boat, to("Nora Marlan", boat.email), office]).contacts).toHaveLength(2);
});
