import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "../addresses/address-book.ts";
import { resolveContacts } from "../resolve-contacts.ts";
import { type Correction, settleCorrections } from "./correction.ts";
import { withEntry, withoutLastEntry } from "./file-entries.ts";
import { formatCorrections, formatMailmap, HEADER, linesFor, parseCorrections } from "./people-file.ts";

/** Addresses with display names; the rules merge only the two of Ann Reed. */
const MAIL = [
  ["Ann Reed", "ann.reed@one.example"],
  ["Ann Reed", "areed@one.example"],
  ["Bob Stone", "bob@two.example"],
  ["Robert Stoneham", "rs@three.example"],
  ["Eve Hale", "eve@four.example"],
] as const;
const ADDRESSES = MAIL.map(([, email]) => email);

function contactsOf(corrections: readonly Correction[]) {
  const book = new AddressBook(fewPages());
  for (const [name, email] of MAIL) book.observe({ name, email }, "from", 1);
  const settled = settleCorrections(corrections);
  return [...resolveContacts(book, fewPages(), true, { corrections: settled }).summaries()];
}

const peopleOf = (text: string): readonly string[] =>
  contactsOf(parseCorrections(text, "people.txt"))
    .filter(({ aliases }) => aliases.length > 0)
    .map(({ email, aliases }) => [email, ...aliases].sort().join(" + "));

const ANN = "ann.reed@one.example + areed@one.example";

describe("corrections", () => {
  it("without corrections, the rules apply", () => {
    expect(peopleOf("# archivetool people 1\n")).toEqual([ANN]);
  });

  it("merge contacts with any names, and put the main address first", () => {
    const [contact] = contactsOf(parseCorrections("Bob\n  RS@three.example\n  bob@two.example\n", "f")).filter(
      ({ aliases }) => aliases.includes("bob@two.example"),
    );
    expect(contact).toMatchObject({ name: "Bob", email: "rs@three.example" });
    expect(contact?.evidence.map(({ reason }) => reason)).toEqual(["main address, by hand", "by hand"]);
  });

  it("split contacts that rules merged", () => {
    expect(peopleOf("! ann.reed@one.example <> areed@one.example\n")).toEqual([]);
  });

  it("extend to addresses that rules add", () => {
    expect(peopleOf("  eve@four.example\n  areed@one.example\n--\n")).toEqual([
      "ann.reed@one.example + areed@one.example + eve@four.example",
    ]);
  });

  it("keep two people apart through their merged addresses", () => {
    const text = "! ann.reed@one.example <> eve@four.example\n  eve@four.example\n  areed@one.example\n";
    expect(peopleOf(text)).toEqual(["areed@one.example + eve@four.example"]);
  });

  it("apply splits before merges, unless a later merge names both", () => {
    const apart = "! bob@two.example <> eve@four.example\n";
    const through = "  bob@two.example\n  rs@three.example\n--\n  rs@three.example\n  eve@four.example\n--\n";
    expect(peopleOf(apart + through)).toEqual([ANN, "bob@two.example + rs@three.example"]);
    expect(peopleOf(`${apart}  bob@two.example\n  eve@four.example\n`)).toEqual([
      ANN,
      "bob@two.example + eve@four.example",
    ]);
  });

  it("remove an address from the person it was merged with", () => {
    const text = "  bob@two.example\n  rs@three.example\n  eve@four.example\n! bob@two.example <> eve@four.example\n";
    expect(peopleOf(text)).toEqual([ANN, "bob@two.example + rs@three.example"]);
  });

  it("mark mailing lists, which are never merged", () => {
    const contacts = contactsOf(parseCorrections("@list areed@one.example\n", "f"));
    const list = contacts.find(({ email }) => email === "areed@one.example");
    expect(list?.aliases).toEqual([]);
    expect(list?.evidence[0]?.reason).toContain("a mailing list");
  });

  it("keep addresses that no mail contains", () => {
    expect(peopleOf("  gone@x.example\n  bob@two.example\n--\n! gone@x.example <> areed@one.example\n")).toEqual([ANN]);
  });
});

describe("the file", () => {
  it("reads a .mailmap, without addresses that several people share", () => {
    const text = [
      "# comment",
      "Bob Stone <bob@two.example> <rs@three.example>",
      "Ann <ann.reed@one.example> Somebody <noreply@x.example>",
      "Eve <eve@four.example> Else <noreply@x.example>",
    ].join("\n");
    expect(peopleOf(text)).toEqual([ANN, "bob@two.example + rs@three.example"]);
    expect(contactsOf(parseCorrections(text, "f")).map(({ name }) => name)).toEqual(["Ann", "Bob Stone", "Eve"]);
  });

  it("applies what follows a .mailmap after it", () => {
    const map = "Bob Stone <bob@two.example> <rs@three.example>\n";
    expect(peopleOf(`${map}! bob@two.example <> rs@three.example\n`)).toEqual([ANN]);
  });

  it.each([
    ["Bob\n", "people.txt, line 1: a name without an address below it"],
    ["\n! a@x.example b@x.example", "people.txt, line 2: two people are kept apart as `! ADDRESS <> ADDRESS`"],
    ["@list", "people.txt, line 1: a list is written as `@list ADDRESS`"],
    ["Bob <no address>", "people.txt, line 1: neither a name, an address nor a line of a .mailmap"],
    [`  ${"a".repeat(5_000)}`, "people.txt, line 1: the line is too long"],
  ])("rejects %j", (text, message) => {
    expect(() => parseCorrections(text, "people.txt")).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message }),
    );
  });

  it("is exported as a .mailmap", () => {
    const corrections = parseCorrections("Bob\n  bob@two.example\n  rs@three.example\n--\n@list a@x.example\n", "f");
    expect(formatMailmap(corrections)).toBe("Bob <bob@two.example> <rs@three.example>\n");
    expect(parseCorrections(formatCorrections(corrections), "f")).toEqual(corrections);
  });

  it("keeps manual edits when the last entry is undone", () => {
    const text = withEntry("", HEADER, {
      date: "2026-11-28",
      verb: "merge",
      corrections: [linesFor(person(null, 2, 3))],
    });
    expect(withoutLastEntry(`${text}@list a@x.example\n`)).toEqual({
      text: "# archivetool people 1\n@list a@x.example\n",
      entry: "2026-11-28 merge",
    });
    expect(withoutLastEntry("@list a@x.example\n")).toBeNull();
  });
});

const person = (name: string | null, ...at: readonly number[]): Correction => ({
  kind: "person",
  name,
  addresses: at.map((index) => ADDRESSES[index]!),
});

const index = fc.nat(ADDRESSES.length - 1);
const two = fc.tuple(index, index).filter(([one, other]) => one !== other);
const correction = fc.oneof(
  two.map(([one, other]) => person(null, one, other)),
  index.map((at) => person("A Name", at)),
  two.map(([one, other]): Correction => ({ kind: "apart", one: ADDRESSES[one]!, other: ADDRESSES[other]! })),
  index.map((at): Correction => ({ kind: "list", address: ADDRESSES[at]! })),
);
const step = fc.oneof({ weight: 3, arbitrary: correction }, { weight: 1, arbitrary: fc.constant("undo" as const) });

/** Contacts as users see them. */
function shown(corrections: readonly Correction[]): unknown {
  return contactsOf(corrections).map(({ name, email, aliases, isRole }) => ({ name, email, aliases, isRole }));
}

describe("any order of corrections and undoing", () => {
  it("has the result that the file describes; undoing all has the result of the rules", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let text = "";
        const kept: Correction[] = [];
        for (const next of steps) {
          if (next === "undo") {
            text = withoutLastEntry(text)?.text ?? text;
            kept.pop();
          } else {
            text = withEntry(text, HEADER, { date: "2026-11-28", verb: "merge", corrections: [linesFor(next)] });
            kept.push(next);
          }
        }
        expect(parseCorrections(text, "f")).toEqual(kept);
        for (let undone = withoutLastEntry(text); undone !== null; undone = withoutLastEntry(text)) text = undone.text;
        expect(shown(parseCorrections(text, "f"))).toEqual(shown([]));
      }),
      { numRuns: 40 },
    );
  });

  it("never merges people that the last correction separates, and always those it merges", () => {
    fc.assert(
      fc.property(fc.array(correction, { maxLength: 12 }), two, fc.boolean(), (before, [one, other], isApart) => {
        const last: Correction = isApart
          ? { kind: "apart", one: ADDRESSES[one]!, other: ADDRESSES[other]! }
          : person(null, one, other);
        const contacts = contactsOf([...before, last]);
        const hasBoth = contacts.some(({ email, aliases }) =>
          [one, other].every((at) => [email, ...aliases].includes(ADDRESSES[at]!)),
        );
        if (isApart) expect(hasBoth).toBe(false);
        // An earlier split of another person may come between them.
        else if (!before.some(({ kind }) => kind === "apart")) expect(hasBoth).toBe(true);
        expect(contacts.flatMap(({ email, aliases }) => [email, ...aliases]).sort()).toEqual([...ADDRESSES].sort());
      }),
      { numRuns: 80 },
    );
  });
});
