import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { realData } from "../../test/real-data.ts";
import { readEnvelope } from "../mime/envelope/envelope.ts";
import { readExportedNames } from "../mime/syntax/exported-names.ts";
import { parseHeaderBlock } from "../mime/syntax/header-block.ts";
import { profileAddress } from "./address-profile.ts";
import { AddressBook } from "./addresses/address-book.ts";
import { findOrganizations } from "./addresses/organization.ts";
import { areSpellingsOfRareName } from "./names/name-spellings.ts";
import { namesAgree, type PersonName } from "./names/person-name.ts";
import { resolveContacts } from "./resolve-contacts.ts";
import type { ResolvedContact } from "./resolved-contact.ts";

type Use = readonly [name: string, email: string, times?: number];

function bookOf(uses: readonly Use[]): AddressBook {
  const book = new AddressBook(fewPages());
  for (const [name, email, times = 2] of uses)
    for (let use = 0; use < times; use++) book.observe({ name, email }, "to", use);
  return book;
}

/** Memory for a few thousand addresses. */
const roomyMemory = () => fewPages(1_024, 20_000);

function resolveAll(
  book: AddressBook,
  merge: boolean,
  memory = fewPages(),
): { readonly contactOf: Int32Array; readonly contacts: readonly ResolvedContact[] } {
  const { contactOf, count, summaries } = resolveContacts(book, memory, merge);
  const contacts = [...summaries()];
  expect(contacts).toHaveLength(count);
  return { contactOf: contactOf.slice(), contacts };
}

/** Main address (or name) with aliases, one contact per line. */
function resolved(...uses: readonly Use[]): readonly string[] {
  const { contacts } = resolveAll(bookOf(uses), true);
  return contacts.map((contact) => [contact.email || contact.name, ...contact.aliases].join(" + "));
}

describe("merging on evidence", () => {
  it.each<[string, Use[], string[]]>([
    [
      "another spelling",
      [
        ["", "ann.doe@x.org"],
        ["", "ann'.'doe@x.org"],
        ["", "'ANN.DOE'@x.org"],
      ],
      ["ann.doe@x.org + ann'.'doe@x.org + 'ANN.DOE'@x.org"],
    ],
    [
      "spellings of a rare given name",
      [
        ["Georgeanne Quay", "georgeanne.quay@x.org", 9],
        ["Georganne Quay", "georganne.quay@x.org", 3],
        ["", "georeganne.quay@x.org"],
      ],
      ["georgeanne.quay@x.org + georganne.quay@x.org + georeganne.quay@x.org"],
    ],
    [
      "spellings of a known given name",
      [
        ["Courtney Quay", "courtney.quay@x.org", 9],
        ["Courtenay Quay", "cquay@x.org", 3],
      ],
      ["courtney.quay@x.org + cquay@x.org"],
    ],
    [
      "spellings of a rare family name",
      [
        ["David Harbormann", "david.harbormann@x.org", 9],
        ["", "david.harbromann@x.org"],
      ],
      ["david.harbormann@x.org + david.harbromann@x.org"],
    ],
    [
      "one or two family names",
      [
        ["Becki Sans Harbor", "becki.harbor@x.org"],
        ["Sans Harbor, Becki", "becki.sans@x.org"],
      ],
      ["becki.harbor@x.org + becki.sans@x.org"],
    ],
    [
      "a mistyped address with the same name",
      [
        ["Marwan Quayri", "mquayri@x.org", 9],
        ["Marwan Quayri", "mquayru@x.org", 1],
      ],
      ["mquayri@x.org + mquayru@x.org"],
    ],
    [
      "letter case is no alias",
      [
        ["", "Ann@x.org"],
        ["", "ann@x.org"],
      ],
      ["Ann@x.org"],
    ],
    [
      "+tag",
      [
        ["", "ann+shop@x.org", 9],
        ["", "ann@x.org"],
      ],
      ["ann@x.org + ann+shop@x.org"],
    ],
    [
      "Exchange form",
      [
        ["", "/O=ORG/OU=NA/CN=RECIPIENTS/CN=JDOE"],
        ["", "IMCEAEX-_O=ORG_OU=NA_CN=RECIPIENTS_CN=JDOE@org.com"],
      ],
      ["/O=ORG/OU=NA/CN=RECIPIENTS/CN=JDOE + IMCEAEX-_O=ORG_OU=NA_CN=RECIPIENTS_CN=JDOE@org.com"],
    ],
    [
      "directory leaf",
      [
        ["", "/O=ORG/OU=NA/CN=RECIPIENTS/CN=JDOE"],
        ["Doe, Jane </O=ORG/OU=EU/CN=RECIPIENTS/CN=JDOE>", "jane@else.net"],
      ],
      ["jane@else.net + /O=ORG/OU=NA/CN=RECIPIENTS/CN=JDOE"],
    ],
    [
      "full name within the organization",
      [
        ["Doe, Jim", "jdoe@eu.org.com"],
        ["James Doe", "james@org.com"],
      ],
      ["jdoe@eu.org.com + james@org.com"],
    ],
    [
      "name spelled by the address",
      [
        ["", "james.doe@org.com"],
        ["", "james_doe@eu.org.com"],
      ],
      ["james.doe@org.com + james_doe@eu.org.com"],
    ],
    [
      "Notes path",
      [
        ["", "Jane Doe/HOU/ORG@ORG"],
        ["", "jane.doe@org.com"],
      ],
      ["jane.doe@org.com + Jane Doe/HOU/ORG@ORG"],
    ],
    [
      "directory organization is the domain's",
      [
        ["Jane Doe", "/O=ORG/CN=RECIPIENTS/CN=X1"],
        ["Jane Doe", "jdoe@org.com"],
      ],
      ["jdoe@org.com + /O=ORG/CN=RECIPIENTS/CN=X1"],
    ],
    [
      "names in either order",
      [
        ["Doe, Jane", ""],
        ["Jane Doe", ""],
      ],
      ["Jane Doe"],
    ],
    [
      "names seen once that the address abbreviates",
      [
        ["Jane Doe", "jane@a.com", 1],
        ["Jane Doe", "janed@a.com", 1],
        ["Jane Doe", "doej@a.com", 1],
        ["Jane M. Doe", "jmd@a.com", 1],
      ],
      ["jane@a.com + janed@a.com + doej@a.com + jmd@a.com"],
    ],
  ])("joins by %s", (_, uses, expected) => expect(resolved(...uses)).toEqual(expected));

  it.each<[string, Use[]]>([
    [
      "other organizations",
      [
        ["Jane Doe", "jane@a.com"],
        ["Jane Doe", "jane@b.com"],
      ],
    ],
    [
      "free mail",
      [
        ["Jane Doe", "jane.doe@gmail.com"],
        ["Jane Doe", "jdoe@gmail.com"],
      ],
    ],
    [
      "names seen once",
      [
        ["Jane Doe", "q1@a.com", 1],
        ["Jane Doe", "q2@a.com", 1],
      ],
    ],
    [
      "differing middle initials",
      [
        ["Jane M. Doe", "q1@a.com"],
        ["Jane R. Doe", "q2@a.com"],
      ],
    ],
    [
      "two short forms of one given name that begin otherwise",
      [
        ["Cathy Doe", "q1@a.com"],
        ["Kathy Doe", "q2@a.com"],
      ],
    ],
    [
      "a middle initial that an address carries now and then",
      [
        ["Jane Doe", "q1@a.com", 20],
        ["Jane S. Doe", "q1@a.com", 2],
        ["Jane A. Doe", "q2@a.com"],
        ["Jane S. Doe", "q3@a.com"],
      ],
    ],
    [
      "a short form that only the address spells",
      [
        ["John Doe", "john.doe@a.com"],
        ["", "jack.doe@a.com"],
      ],
    ],
    [
      "two given names that the directory has an entry for each",
      [
        ["Doe, Bill </O=ORG/CN=BDOE>", "bill.doe@a.com"],
        ["Doe, William </O=ORG/CN=WDOE>", "william.doe@a.com"],
      ],
    ],
    [
      "a remark that distinguishes namesakes",
      [
        ["Jane Doe", "q1@a.com"],
        ["Jane M- Sales Doe", "q2@a.com"],
      ],
    ],
    [
      "role addresses",
      [
        ["Jane Doe", "sales@a.com"],
        ["Jane Doe", "jane.doe@a.com"],
      ],
    ],
    [
      "robots",
      [
        ["Jane Doe", "no-reply@a.com"],
        ["Jane Doe", "jane.doe@a.com"],
      ],
    ],
    [
      "apostrophes that belong to a name",
      [
        ["", "o'hara@a.com"],
        ["", "ohara@a.com"],
      ],
    ],
    [
      "a directory leaf given to somebody else",
      [
        ["Jane Doe", "/O=ORG/OU=A/CN=JDOE"],
        ["John Roe", "/O=ORG/OU=B/CN=JDOE"],
      ],
    ],
    [
      "shared directories without a name",
      [
        ["", "/o=ExchangeLabs/ou=a/cn=jdoe"],
        ["", "/o=ExchangeLabs/ou=b/cn=jdoe"],
      ],
    ],
    [
      "a shared mailbox",
      [
        ["Jane Doe", "house7@a.com"],
        ["Rick Roe", "house7@a.com"],
        ["Jane Doe", "jane.doe@a.com"],
      ],
    ],
    [
      "an assistant's name on another's address",
      [
        ["Ann Roe", "jane.doe@a.com"],
        ["Ann Roe", "ann.roe@a.com"],
      ],
    ],
    [
      "a name alone",
      [
        ["Jane Doe", ""],
        ["Jane Doe", "jane.doe@a.com"],
      ],
    ],
    [
      "a +tag that carries another person's name",
      [
        ["Jane Doe", "house@a.com"],
        ["Rick Roe", "house+rick@a.com"],
      ],
    ],
    [
      "similar short family names",
      [
        ["Greg Wolfe", "greg.wolfe@x.org", 9],
        ["Greg Woulfe", "greg.woulfe@x.org"],
      ],
    ],
    [
      "similar common family names",
      [
        ["Bo Johnston", "bo.johnston@x.org", 9],
        ["Bo Johnson", "bo.johnson@x.org"],
      ],
    ],
    [
      "similar family names that others have",
      [
        ["Bo Harbormann", "bo.harbormann@x.org", 9],
        ["Bo Harbromann", "bo.harbromann@x.org"],
        ["Ann Harbromann", "ann.harbromann@x.org"],
      ],
    ],
    [
      "similar family names before the given name",
      [
        ["Johnson Elsa", "johnson.elsa@x.org", 9],
        ["Johnston Elsa", "johnston.elsa@x.org"],
      ],
    ],
    [
      "similar given names that differ in the last letter",
      [
        ["Julia Quay", "julia.quay@x.org"],
        ["Julie Quay", "julie.quay@x.org"],
      ],
    ],
    [
      "mailboxes under a company's name",
      [
        ["Acme Gifts", "q@acme.com"],
        ["Acme Gifts", "r@acme.com"],
      ],
    ],
    [
      "malformed addresses",
      [
        ["", "e-mail <.john"],
        ["", "e-mail <.john>"],
      ],
    ],
  ])("does not merge: %s", (_, uses) => {
    expect(resolved(...uses)).toHaveLength(new Set(uses.map(([name, email]) => email || name)).size);
  });

  it("does not merge similar family names that many addresses have", () => {
    const uses = Array.from("abcdefghijklmn", (letter): Use => ["David Harbormann", `quay${letter}@x.org`]);
    expect(resolved(["David Harbromann", "q@x.org"], ["David Harbromann", "s@x.org"], ...uses)[0]).toBe(
      "q@x.org + s@x.org",
    );
  });

  it("does not merge people who write their own names with different spellings", () => {
    const book = new AddressBook(fewPages());
    for (const [at, name] of ["Georgeanne Quay", "Georganne Quay"].entries())
      book.observe({ name, email: `${name.toLowerCase().replace(" ", ".")}@x.org` }, "from", at);
    expect(resolveAll(book, true).contacts).toHaveLength(2);
  });

  it("does not merge namesakes that the directory numbers", () => {
    const one: Use = ["Jane Doe </O=ORG/CN=RECIPIENTS/CN=JDOE>", "j.doe@org.com"];
    const two: Use = ["Jane Doe </O=ORG/CN=RECIPIENTS/CN=JDOE2>", "doe@org.com"];
    const former: Use = ["Jane Doe </O=ORG/CN=RECIPIENTS/CN=JANE>", "doe@org.com"];
    expect(resolved(one, two)).toHaveLength(2);
    // A rare directory entry is not evidence that addresses are one person, but it is evidence that they are not.
    expect(resolved(one, ["Jane Doe", "doe@org.com", 60], [two[0], "doe@org.com"])).toHaveLength(2);
    expect(resolved(one, former)).toHaveLength(1);
  });

  it("treats many addresses with one name as many people", () => {
    const crowd = Array.from({ length: 13 }, (_, at): Use => ["Jane Doe", `post@${"x".repeat(at + 1)}.a.com`]);
    expect(resolved(...crowd)).toHaveLength(13);
    expect(resolved(...crowd.slice(1))).toHaveLength(1);
  });

  it("separates people who had the same directory name one after the other", () => {
    const { contactOf } = resolveAll(
      bookOf([
        ["Jane Doe", "/O=ORG/OU=A/CN=JD"],
        ["John Roe", "/O=ORG/OU=B/CN=JD"],
        ["John Roe", "/O=ORG/OU=C/CN=JD"],
      ]),
      true,
    );
    expect([...contactOf]).toEqual([0, 1, 1]);
  });
});

describe("a resolved contact", () => {
  const book = bookOf([
    ["", "first@x.org", 1],
    ["Doe, Jane M. (E-mail)", "jane.doe@org.com", 5],
    ["Jane Doe", "jdoe@eu.org.com", 3],
    ["", "jane.doe+x@org.com", 9],
    ["Org Announcements", "announcements@org.com", 2],
    ["", "no-reply@org.com", 2],
  ]);
  const { contactOf, contacts } = resolveAll(book, true);

  it("is numbered by first appearance", () => {
    expect([...contactOf]).toEqual([0, 1, 1, 1, 2, 3]);
    expect(contacts.map(({ email }) => email)).toEqual([
      "first@x.org",
      "jane.doe@org.com",
      "announcements@org.com",
      "no-reply@org.com",
    ]);
  });

  it("has its most used name, its domains, and a reason for every address", () => {
    expect(contacts[1]).toEqual({
      name: "Jane M. Doe",
      email: "jane.doe@org.com",
      aliases: ["jdoe@eu.org.com", "jane.doe+x@org.com"],
      domains: ["org.com", "eu.org.com"],
      evidence: [
        { address: "jane.doe@org.com", reason: "main address, the most used" },
        { address: "jane.doe+x@org.com", reason: "same mailbox, written with a +tag as jane.doe@org.com" },
        { address: "jdoe@eu.org.com", reason: "same full name (Jane M. Doe) within org.com as jane.doe@org.com" },
      ],
      isRobot: false,
      isRole: false,
    });
    expect(contacts[0]).toMatchObject({
      name: "first@x.org",
      evidence: [{ address: "first@x.org", reason: "the only address" }],
    });
  });

  it("detects roles and automated senders", () => {
    expect(contacts.map(({ isRole, isRobot }) => [isRole, isRobot])).toEqual([
      [false, false],
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  it("breaks a tie between main addresses by the newest use", () => {
    const tied = new AddressBook(fewPages());
    tied.observe({ name: "", email: "jane.doe@org.com" }, "to", 1);
    tied.observe({ name: "", email: "jane_doe@org.com" }, "to", 2);
    expect(resolveAll(tied, true).contacts[0]!.email).toBe("jane_doe@org.com");
  });

  it("shows no redacted text and no address as a name", () => {
    const names = [
      ["[REDACTED:phone] Doe", "q@x.org"],
      ["q@y.org", "q@y.org"],
      ["", "jane.doe@z.org"],
    ] as const;
    expect(resolveAll(bookOf(names), true).contacts.map(({ name }) => name)).toEqual([
      "q@x.org",
      "q@y.org",
      "Jane Doe",
    ]);
  });

  it("does not use words that are not names", () => {
    const names = [
      ["e-mail", "chris@x.org"],
      ["HR", "hill@x.org"],
      ["Cher", "c@x.org"],
    ] as const;
    expect(resolveAll(bookOf(names), true).contacts.map(({ name }) => name)).toEqual([
      "chris@x.org",
      "hill@x.org",
      "Cher",
    ]);
  });

  it("is found by names from exports", () => {
    const exported = new AddressBook(fewPages());
    for (const [email, name] of [
      ["m..doe@org.com", "Doe, Jane M. </O=ORG/CN=JDOE>"],
      ["jane.doe@org.com", "Jane M Doe"],
      ["jdoe@else.net", "Doe, Jane </O=ORG/CN=JDOE>"],
    ] as const) {
      exported.observeExportedName(exported.observe({ name: "", email }, "to", 1), name, { times: 2, own: 0 });
    }
    const { contacts: people } = resolveAll(exported, true);
    expect(people.map(({ name, email, aliases }) => [name, email, ...aliases])).toEqual([
      ["Jane M. Doe", "m..doe@org.com", "jane.doe@org.com", "jdoe@else.net"],
    ]);
  });

  it("is not merged with --no-merge-contacts, except for letter case", () => {
    const { contactOf: apart } = resolveAll(book, false);
    expect([...apart]).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe("a name that others wrote", () => {
  const contactsOf = (book: AddressBook) =>
    resolveAll(book, true).contacts.map(({ email, aliases }) => [email, ...aliases].join(" + "));

  it("does not count if the owner uses another name", () => {
    const book = new AddressBook(fewPages());
    book.observe({ name: "Di Castor", email: "dcastor@x.org" }, "from", 1);
    for (let use = 0; use < 5; use++) book.observe({ name: "Leo Kirby", email: "dcastor@x.org" }, "to", use);
    book.observe({ name: "Leo Kirby", email: "leo.kirby@x.org" }, "from", 1);
    expect(contactsOf(book)).toEqual(["dcastor@x.org", "leo.kirby@x.org"]);
  });

  it("counts as the owner's if an export wrote it for From", () => {
    const book = new AddressBook(fewPages());
    const address = book.observe({ name: "", email: "dcastor@x.org" }, "from", 1);
    book.observeExportedName(address, "Castor, Di", { times: 1, own: 1 });
    book.observeExportedName(address, "Leo Kirby", { times: 5, own: 0 });
    book.observe({ name: "Leo Kirby", email: "leo.kirby@x.org" }, "from", 1);
    expect(contactsOf(book)).toEqual(["dcastor@x.org", "leo.kirby@x.org"]);
  });
});

describe("an impersonal address", () => {
  it.each<[string, Use[]]>([
    [
      "a name behind a dot",
      [
        ["", "ann@x.org"],
        ["", ".ann@x.org"],
        ["Ann Reed", "ann.reed@x.org"],
      ],
    ],
    [
      "a name behind a quote that nothing closes",
      [
        ["", "reed@x.org"],
        ["", "'reed@x.org"],
        ["Ann Reed", "ann.reed@x.org"],
      ],
    ],
    [
      "a name under two full names",
      [
        ["Ann Reed", "ann@x.org"],
        ["Ann Lund", "ann@x.org"],
        ["Ann Reed", "ann@y.x.org"],
      ],
    ],
  ])("never merges: %s", (_what, uses) => {
    expect(resolved(...uses)).toHaveLength(new Set(uses.map(([, email]) => email)).size);
  });

  it("does not include quoted text or invalid names", () => {
    expect(resolved(["", "areed@x.org"], ["", "'areed'@x.org"])).toHaveLength(1);
    expect(
      resolved(["Ann Reed", "areed@x.org", 4], ["Bo Lund", "areed@x.org", 1], ["Ann Reed", "ann.reed@x.org"]),
    ).toHaveLength(1);
  });

  it("is named by its address, not by a lower-case word", () => {
    expect(resolveAll(bookOf([["houston", "houston@x.org"]]), true).contacts[0]?.name).toBe("houston@x.org");
  });
});

it("marks the address of a mailing list", () => {
  const book = bookOf([
    ["Ann Reed", "weavers@x.org"],
    ["Ann Reed", "ann.reed@x.org"],
  ]);
  book.observeList("weavers@x.org");
  const { contacts } = resolveAll(book, true);
  expect(contacts.map(({ evidence }) => evidence.map(({ reason }) => reason))).toEqual([
    ["a mailing list; the only address"],
    ["the only address"],
  ]);
});

describe("merging by local part", () => {
  it.each<[string, Use[], string[]]>([
    [
      "within an organization",
      [
        ["", "areed@x.org"],
        ["", "areed@mail.x.org"],
        ["", "a.reed@x.org"],
      ],
      ["areed@x.org + areed@mail.x.org + a.reed@x.org"],
    ],
    [
      "unless names differ",
      [
        ["Ann Reed", "areed@x.org"],
        ["Al Reed", "areed@mail.x.org"],
      ],
      ["areed@x.org", "areed@mail.x.org"],
    ],
    [
      "unless it is a role, or a given name",
      [
        ["", "sales@x.org"],
        ["", "sales@mail.x.org"],
        ["", "bob@x.org"],
        ["", "bob@mail.x.org"],
      ],
      ["sales@x.org", "sales@mail.x.org", "bob@x.org", "bob@mail.x.org"],
    ],
    [
      "with the same name anywhere",
      [
        ["Ann Reed", "areed7@x.org"],
        ["Reed, Ann", "areed7@gmail.com"],
      ],
      ["areed7@x.org + areed7@gmail.com"],
    ],
    [
      "but not with a name that only the address spells",
      [
        ["", "ann.reed@x.org"],
        ["Ann Reed", "ann.reed@gmail.com"],
      ],
      ["ann.reed@x.org", "ann.reed@gmail.com"],
    ],
  ])("%s", (_what, uses, expected) => expect(resolved(...uses)).toEqual(expected));
});

describe("a local part that contains part of a name", () => {
  it.each<[string, string, string]>([
    ["Jo Ann Hill", "joann.hill@x.org", "jahill@x.org"],
    ["Carol St Clair", "carol.clair@x.org", "carolsc@x.org"],
    ["Larry Joe Hunter", "joe.hunter@x.org", "larry.hunter@x.org"],
    ["Ann L. Funk", "l..funk@x.org", "ann.funk@x.org"],
    ["Fritz ten Moor", "fritz.ten@x.org", "fritz.moor@x.org"],
    ["Moor Lind, Ada", "ada.moor@x.org", "ada.lind@x.org"],
    ["Ted Marsh II", "ted.ii@x.org", "ted.marsh@x.org"],
    ["Larry Marsh", "lawrence.t.marsh.jr@x.org", "marsh@x.org"],
  ])("belongs to the contact with the complete name: %s", (name, one, other) => {
    expect(resolved([name, one], [name, other])).toEqual([`${one} + ${other}`]);
  });

  it("needs only one use if it is the family name", () => {
    expect(resolved(["Ann Reed", "reed@x.org", 1], ["Ann Reed", "ann.reed@x.org"])).toHaveLength(1);
    expect(resolved(["Ann Reed", "desk7x@x.org", 1], ["Ann Reed", "ann.reed@x.org"])).toHaveLength(2);
  });

  it("is not that of a father and his son", () => {
    expect(resolved(["Leo Marsh III", "leo3@x.org"], ["Leo Marsh, Jr.", "leo_jr@x.org"])).toHaveLength(2);
    expect(resolved(["Leo Marsh III", "leo3@x.org"], ["Leo Marsh", "leo.marsh@x.org"])).toHaveLength(1);
  });

  it("does not count addresses for a name that others wrote", () => {
    const mara: Use = ["Mara Lind", "mara.lind@x.org"];
    for (const nothing of ["'lind@x.org'", "lind", "'lind@x.org' <lind@x.org>"])
      expect(resolved([nothing, "lind@x.org", 20], ["Mara Lind", "lind@x.org"], mara), nothing).toHaveLength(1);
    expect(resolved(["Harbour desk", "lind@x.org", 20], ["Mara Lind", "lind@x.org"], mara)).toHaveLength(2);
  });

  it("identifies the owner of two names, one in parentheses", () => {
    const both = "Ann Reed (Bo Lund)";
    expect(resolved([both, "blund@x.org"], ["Ann Reed", "ann.reed@x.org"])).toHaveLength(2);
    expect(resolved([both, "blund@x.org"], ["Bo Lund", "bo.lund@x.org"])).toHaveLength(1);
    expect(resolved([both, "areed@x.org"], ["Ann Reed", "ann.reed@x.org"])).toHaveLength(1);
  });

  it("can be reversed if quotes mark it", () => {
    expect(resolved(["", "ann.reed@x.org"], ["", "reed'.'ann@x.org"])).toHaveLength(1);
    expect(resolved(["", "james.thomas@x.org"], ["", "thomas.james@x.org"])).toHaveLength(2);
  });
});

describe("laws", () => {
  const given = fc.constantFrom("Jane", "Rick", "Chris", "Christine", "Jim", "James", "J.");
  const family = fc.constantFrom("Doe", "Roe", "Green");
  const middle = fc.constantFrom("", " M.", " R.");
  const name = fc.oneof(
    fc.tuple(given, middle, family).map(([one, two, three]) => `${one}${two} ${three}`),
    fc.tuple(given, family).map(([one, two]) => `${two}, ${one} </O=ORG/OU=NA/CN=RECIPIENTS/CN=${one.toUpperCase()}>`),
    fc.constant(""),
  );
  const email = fc.oneof(
    fc
      .tuple(given, family, fc.constantFrom("org.com", "eu.org.com", "org", "gmail.com"))
      .map(([one, two, host]) => `${one}.${two}@${host}`.toLowerCase()),
    fc.constantFrom(
      "q@org.com",
      "'q'@org.com",
      "q+x@org.com",
      "q@org",
      "/O=ORG/OU=NA/CN=JANE",
      "/O=ORG/OU=EU/CN=JANE",
      "",
      "sales@org.com",
    ),
  );
  const uses = fc.array(fc.tuple(name, email, fc.integer({ min: 1, max: 4 })), { maxLength: 30 });

  it("no contact joins two different full names, and every address has one contact and one reason", () => {
    fc.assert(
      fc.property(uses, (all) => {
        expectSound(bookOf(all));
      }),
      { numRuns: 100 },
    );
  });

  it("the result is deterministic", () => {
    fc.assert(
      fc.property(uses, (all) => {
        expect(resolveAll(bookOf(all), true)).toEqual(resolveAll(bookOf(all), true));
      }),
    );
  });

  const enron = realData("enron-14-custodians");
  it.skipIf(enron === null)(
    "hold on real headers with known addresses of owners: pair precision .93, recall .80",
    () => {
      const mail = enronPeople(enron!);
      expect(mail.book.size).toBeGreaterThan(1_000);
      expect(expectSound(mail.book)).toBeGreaterThan(60);
      const { pairs, precision, recall } = pairFigures(mail);
      expect(pairs).toBeGreaterThanOrEqual(5);
      expect(precision).toBeGreaterThanOrEqual(0.93);
      expect(recall).toBeGreaterThanOrEqual(0.8);
    },
  );
});

/** Checks the invariants. Returns the number of merged addresses. */
function expectSound(book: AddressBook): number {
  const { contactOf, contacts } = resolveAll(book, true);
  const organizations = findOrganizations(
    new Map([
      ["org.com", 1],
      ["acme.com", 1],
    ]),
    fewPages(),
  );
  const members = contacts.map((): number[] => []);
  for (let index = 0; index < book.size; index++) members[contactOf[index]!]!.push(index);
  for (const [at, addresses] of members.entries()) {
    const profiles = addresses.map((address) => profileAddress(book, address, organizations));
    const names = profiles.flatMap((profile) =>
      profile.name === null ? [] : [readings(profile.name, profile.isSpelledOnly)],
    );
    for (const ones of names)
      for (const others of names) expect(ones.some((one) => others.some((other) => mayBeOne(one, other)))).toBe(true);
    expect(contacts[at]!.evidence).toHaveLength(addresses.length);
    expect(addresses[0]).toBeGreaterThanOrEqual(at);
  }
  return book.size - contacts.length;
}

const mayBeOne = (one: PersonName, other: PersonName): boolean =>
  namesAgree(one, other) || areSpellingsOfRareName(one, other);

/** The name. If only a local part contains it, also the name with its words in reverse order. */
function readings(name: PersonName, isSpelledOnly: boolean): readonly PersonName[] {
  return isSpelledOnly ? [name, { ...name, given: name.family, family: name.given }] : [name];
}

interface ExportedMail {
  readonly book: AddressBook;
  /** Senders of the messages in each custodian's sent folders. */
  readonly sendersOf: ReadonlyMap<string, ReadonlySet<string>>;
}

const SENT_FOLDERS: ReadonlySet<string> = new Set(["sent", "_sent_mail", "sent_items"]);
/** Maximum messages read from each folder of received mail. */
const RECEIVED_SAMPLE = 250;

/** Senders and recipients of the mail, with the names in X-From, X-To, X-cc and X-bcc. */
function enronPeople(root: string): ExportedMail {
  const book = new AddressBook(roomyMemory());
  const sendersOf = new Map<string, Set<string>>();
  for (const custodian of readdirSync(root)) {
    const senders = new Set<string>();
    sendersOf.set(custodian, senders);
    for (const folder of ["inbox", "deleted_items", "all_documents", ...SENT_FOLDERS]) {
      const path = join(root, custodian, folder);
      if (!readdirSync(join(root, custodian)).includes(folder)) continue;
      const files = readdirSync(path).filter((file) => file.endsWith("."));
      for (const file of SENT_FOLDERS.has(folder) ? files : files.slice(0, RECEIVED_SAMPLE)) {
        const from = observeHeaders(book, readFileSync(join(path, file)));
        if (SENT_FOLDERS.has(folder)) senders.add(from);
      }
    }
  }
  return { book, sendersOf };
}

/** Adds the header of a message as an extraction does. Returns the sender's address. */
function observeHeaders(book: AddressBook, bytes: Buffer): string {
  const fields = parseHeaderBlock(bytes);
  const envelope = readEnvelope(fields);
  const names = readExportedNames(fields, envelope) ?? [];
  const from = envelope.from === null ? [] : [envelope.from];
  for (const [position, address] of [...from, ...envelope.to, ...envelope.cc, ...envelope.bcc].entries()) {
    const index = book.observe(address, "to", null);
    const name = names[position] ?? "";
    if (name !== "") book.observeExportedName(index, name, { times: 1, own: 0 });
  }
  return envelope.from?.email.toLowerCase() ?? "";
}

/**
 * Precision and recall of pairs of senders in the custodians' sent mail. In the gold standard, two senders are one
 * person if both end with the family name in the name of the custodian's directory (`roe-j`): nobody else with that
 * name is expected to send from it.
 */
function pairFigures({ book, sendersOf }: ExportedMail): {
  readonly pairs: number;
  readonly precision: number;
  readonly recall: number;
} {
  const { contactOf } = resolveAll(book, true, roomyMemory());
  const senders = new Map<string, string>();
  for (const [custodian, addresses] of sendersOf) {
    const family = custodian.slice(0, custodian.indexOf("-"));
    for (const address of addresses) {
      const isOwner = address.slice(0, address.indexOf("@")).endsWith(family);
      if (isOwner || !senders.has(address)) senders.set(address, isOwner ? custodian : address);
    }
  }
  const all = [...senders];
  let both = 0;
  let gold = 0;
  let joined = 0;
  for (const [at, [one, owner]] of all.entries()) {
    for (const [other, otherOwner] of all.slice(at + 1)) {
      const isGold = owner === otherOwner;
      const isJoined = contactOf[book.indexOf(one)!] === contactOf[book.indexOf(other)!];
      if (isGold) gold++;
      if (isJoined) joined++;
      if (isGold && isJoined) both++;
    }
  }
  return { pairs: gold, precision: both / joined, recall: both / gold };
}
