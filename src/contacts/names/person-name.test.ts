import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareDisplayName, nameFromLocalPart, namesAgree, parsePersonName } from "./person-name.ts";

const parts = (text: string) => {
  const name = parsePersonName(text);
  return name === null ? null : `${name.given}|${name.middle}|${name.family}`;
};

describe("parsePersonName", () => {
  it.each([
    ["Jane Doe", "jane||doe"],
    ["Doe, Jane M.", "jane|m|doe"],
    ["Doe, Jane M. </O=ORG/OU=NA/CN=RECIPIENTS/CN=JDOE>", "jane|m|doe"],
    ["Doe, Jane (E-mail)", "jane||doe"],
    ['"Jane Doe" <jane@x.org>@ACME', "jane||doe"],
    ["Jane Doe/HOU/ECT@ECT", "jane||doe"],
    ["'Doe', 'Jane'", "jane||doe"],
    ["Jane M Doe@ACME", "jane|m|doe"],
    ["Dr. Jane van der Doe Jr.", "jane||vanderdoe"],
    ["Doe Jr., Jane M.", "jane|m|doe"],
    ["van der Doe, Jane", "jane||vanderdoe"],
    ["Doe, Jane, PhD", "jane||doe"],
    ["Sarah-Joy O'Hara", "sarahjoy||ohara"],
    ["José Núñez", "jose||nunez"],
    ["Jane Doe [mailto:jane@x.org]", "jane||doe"],
    ["山田 太郎", "山田||太郎"],
    ['Doe, Jane M. \\"Janie\\"', "jane|m janie|doe"],
    ["Jane Doe aka Janie", "jane||doe"],
    ["Doe, Jane AKA Janie Dot", "jane||doe"],
    ["Jane aka Doe", null],
    ["Acme com", null],
    ["Jane", null],
    ["J. Doe", null],
    ["W. Jane Doe", "jane|w|doe"],
    ["W. J. Doe", null],
    ["A Jane Doe", null],
    ["jane@x.org", null],
    ["Acme Announcements", null],
    ["Office of the Chairman", null],
    ["Jane Doe via Lists", null],
    ["Jane Doe 2", null],
    ["[REDACTED:phone] Doe", null],
    ["Doe, Jane, Roe, Rick", null],
    ["Jane and Rick Doe", null],
    ["", null],
  ])("%j -> %j", (text, expected) => expect(parts(text)).toBe(expected));

  it("shows the name as people write it", () => {
    expect(parsePersonName("DOE, Jane m (E-mail)")!.shown).toBe("Jane m. DOE");
    expect(parsePersonName("Jane Doe")!.shown).toBe("Jane Doe");
  });

  it("reads both orders of the same name alike", () => {
    const word = fc.constantFrom("Anna", "Björn", "O'Neil", "Sarah-Joy", "Li-Wei", "Mc Coy");
    fc.assert(
      fc.property(word, word, (given, family) => {
        fc.pre(!family.includes(" ") && !given.includes(" "));
        expect(parts(`${family}, ${given}`)).toBe(parts(`${given} ${family}`));
      }),
    );
  });

  it("keeps names that would parse differently when shortened", () =>
    expect(parsePersonName("Jane a,Jane ")).toBeNull());

  it("never throws, and parses its own output to the same name", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "B", " ", ",", ".", "'", "(", ")", "/", "@", "é", "Jane ", "Doe", "<"),
    });
    fc.assert(
      fc.property(text, (displayName) => {
        const name = parsePersonName(displayName);
        bareDisplayName(displayName);
        if (name !== null && !/[(<@/]/.test(name.shown)) expect(parsePersonName(name.shown)?.given).toBe(name.given);
      }),
    );
  });
});

describe("nameFromLocalPart", () => {
  it.each([
    ["jane.doe", "Jane Doe"],
    ["jane_m_doe", "Jane M. Doe"],
    ["jane.o'hara", "Jane O'hara"],
    ["k..doe", null],
    ["jdoe", null],
    ["jane.doe2", null],
    ["sales.team", null],
    ["a.b.c.d.e", null],
  ])("%s -> %s", (local, shown) => expect(nameFromLocalPart(local)?.shown ?? null).toBe(shown));
});

describe("namesAgree", () => {
  const agree = (one: string, other: string) => namesAgree(parsePersonName(one)!, parsePersonName(other)!);

  it.each([
    ["Jim Doe", "James Doe", true],
    ["Jane Doe", "Jane M. Doe", true],
    ["Jane Mary Doe", "Jane M. Doe", true],
    ["Jane Mary Doe", "Jane Maud Doe", false],
    ["Jane M. Doe", "Jane R. Doe", false],
    ["Chris Doe", "Christine Doe", true],
    ["Christopher Doe", "Christine Doe", false],
    ["Jane Doe", "Jane Roe", false],
    ["Jane Doe", "Joan Doe", false],
  ])("%s and %s: %s", (one, other, expected) => {
    expect(agree(one, other)).toBe(expected);
    expect(agree(other, one)).toBe(expected);
  });
});
