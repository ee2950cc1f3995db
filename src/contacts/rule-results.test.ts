import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { AddressBook } from "./addresses/address-book.ts";
import { type Correction, settleCorrections } from "./corrections/correction.ts";
import { resolveContacts } from "./resolve-contacts.ts";
import { areRulesUnaffected, correctedAddresses, type EarlierRules } from "./rule-results.ts";

/** People, a role, a robot, a list, a name without an address, a damaged name and an address with its parts turned. */
const MAIL = [
  ["Ann Reed", "ann.reed@mill.example"],
  ["Ann Reed", "areed@mill.example"],
  ["", "reed.ann@mill.example"],
  ["Tomás Reyes", "treyes@mill.example"],
  ["Tom?s Reyes", "tomas@quay.example"],
  ["Eve Hale", "eve@quay.example"],
  ["Eve Hale", ""],
  ["", "sales@mill.example"],
  ["", "no-reply@quay.example"],
  ["Mill users", "users@lists.example"],
  ["bob", "Bob+old@quay.example"],
  ["", "bob@quay.example"],
] as const;
const ADDRESSES = MAIL.map(([, email]) => email.toLowerCase()).filter((email) => email !== "");

function newBook(): AddressBook {
  const book = new AddressBook(fewPages());
  for (const [at, [name, email]] of MAIL.entries()) book.observe({ name, email }, "from", at);
  book.observeList("users@lists.example");
  return book;
}

function resolved(corrections: readonly Correction[], earlier: EarlierRules | null = null) {
  const book = newBook();
  const { rules, contactOf, ...resolution } = resolveContacts(book, fewPages(), true, {
    corrections: settleCorrections(corrections),
    earlier,
  });
  const contacts = [...resolution.summaries()];
  const nameOf = (key: string): string | undefined => {
    const index = book.indexOf(key);
    return index === undefined ? undefined : contacts[contactOf.at(index)]!.name;
  };
  return { rules, contacts, nameOf };
}

const anAddress = fc.constantFrom(...ADDRESSES);
const aPerson = fc.record({
  kind: fc.constant("person" as const),
  name: fc.option(fc.constantFrom("Nat Stone", "Zoe")),
  addresses: fc.uniqueArray(anAddress, { minLength: 1, maxLength: 3 }),
});

it("repeats the rules of an earlier run, whatever was corrected then and now", () => {
  const corrections = fc.array(aPerson, { maxLength: 3 });
  fc.assert(
    fc.property(corrections, corrections, (before, now) => {
      const { rules, nameOf } = resolved(before);
      const corrected = new Set([before, now].flatMap((some) => correctedAddresses(settleCorrections(some))));
      const [repeated, whole] = [resolved(now, { lines: rules, corrected, nameOf }), resolved(now)];
      expect(repeated.contacts).toEqual(whole.contacts);
    }),
    { numRuns: 30 },
  );
});

it("repeats them after a split that they observe, with any groups that are not joined with its addresses", () => {
  const aSplit = fc.record({ kind: fc.constant("apart" as const), one: anAddress, other: anAddress });
  const corrections = fc.array(fc.oneof(aPerson, aSplit), { maxLength: 3 });
  const aPair = fc.record({ before: corrections, added: corrections });
  let repeats = 0;
  fc.assert(
    fc.property(aPair, ({ before, added }) => {
      const now = [...before, ...added];
      const { rules, nameOf } = resolved(before);
      const [earlier, later] = [settleCorrections(before), settleCorrections(now)];
      if (!areRulesUnaffected(rules, earlier, later, [])) return;
      repeats++;
      const corrected = new Set([earlier, later].flatMap(correctedAddresses));
      expect(resolved(now, { lines: rules, corrected, nameOf }).contacts).toEqual(resolved(now).contacts);
    }),
    { numRuns: 40 },
  );
  expect(repeats).toBeGreaterThan(5);
});

it("are affected by a split of joined addresses, its end, and a group with one of them", () => {
  const split = { kind: "apart" as const, one: "ann.reed@mill.example", other: "areed@mill.example" };
  const strangers = { ...split, other: "eve@quay.example" };
  const group = { kind: "person" as const, name: null, addresses: ["areed@mill.example", "bob@quay.example"] };
  const isUnaffected = (before: readonly Correction[], now: readonly Correction[]): boolean =>
    areRulesUnaffected(resolved(before).rules, settleCorrections(before), settleCorrections(now), []);
  expect(isUnaffected([], [split])).toBe(false);
  expect(isUnaffected([], [strangers])).toBe(true);
  expect(isUnaffected([strangers], [])).toBe(false);
  expect(isUnaffected([strangers], [strangers, group])).toBe(false);
  expect(isUnaffected([], [group])).toBe(true);
});

it("gives contacts without corrections their earlier name, and reads no other", () => {
  const { rules } = resolved([]);
  const { contacts } = resolved([], {
    lines: rules,
    corrected: new Set(["eve@quay.example"]),
    nameOf: () => "Earlier",
  });
  const named = contacts.filter(({ name }) => name === "Earlier").map(({ email }) => email);
  expect(named).toContain("reed.ann@mill.example");
  expect(named).not.toContain("eve@quay.example");
});
