import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import type { ResolvedContact } from "../../contacts/resolved-contact.ts";
import { StagedContacts } from "./staged-contacts.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-contacts-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const text = fc.string({ unit: "binary" }).map((some) => some.toWellFormed());
const contacts = fc.record({
  name: text,
  email: text,
  aliases: fc.array(text),
  domains: fc.array(text),
  evidence: fc.array(fc.record({ address: text, reason: fc.string({ unit: "binary" }) })),
  isRobot: fc.boolean(),
  isRole: fc.boolean(),
});

let files = 0;
const staged = (all: readonly ResolvedContact[]): StagedContacts =>
  new StagedContacts(join(scratch, String(++files)), all, fewPages());

it("returns every contact, any number of times", () => {
  fc.assert(
    fc.property(fc.array(contacts), (all) => {
      const found = staged(all);
      expect(found).toHaveLength(all.length);
      expect([...found]).toEqual(all);
      expect([...found]).toEqual(all);
      expect(all.map((_, index) => ({ name: found.nameOf(index), email: found.emailOf(index) }))).toEqual(
        all.map(({ name, email }) => ({ name, email })),
      );
    }),
    { numRuns: 40 },
  );
});

it("reads contacts longer than its window", () => {
  const contact = { name: "Ann", email: "ann@x.example", domains: [], evidence: [], isRobot: false, isRole: false };
  const all = [1, 90_000, 3, 40_000, 40_000, 40_000].map((count) => ({
    ...contact,
    aliases: Array<string>(count).fill("long@x.example"),
  }));
  expect([...staged(all)]).toEqual(all);
});
