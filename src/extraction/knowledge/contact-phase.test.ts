import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "../../contacts/addresses/address-book.ts";
import { NO_CORRECTIONS } from "../../contacts/corrections/correction.ts";
import type { ContactOrdinal } from "../../mail/records/ordinal.ts";
import { Ledger } from "../ledger/deduplicate.ts";
import { numberContacts } from "./contact-phase.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-contacts-"));
afterAll(() => rmSync(directory, { recursive: true }));
let files = 0;

/** Ordinals of contacts with one address each; an earlier run assigned some of them. */
function ordinals(emails: readonly string[], earlier: Readonly<Record<string, number>>, most?: number) {
  const memory = fewPages();
  const book = new AddressBook(memory);
  for (const email of emails) book.observe({ name: "", email }, "from", null);
  const numbering = {
    merge: false,
    corrections: NO_CORRECTIONS,
    rules: null,
    earlier: new Map(Object.entries(earlier) as [string, ContactOrdinal][]),
    released: new Map(),
    next: (1 + Math.max(0, ...Object.values(earlier))) as ContactOrdinal,
    path: join(directory, String(files++)),
    memory,
  };
  return [...numberContacts(new Ledger(book, memory, () => undefined), numbering, most).ordinalOf];
}

const EMAILS = ["ann@one.example", "bob@two.example", "eve@three.example"] as const;

it("keeps the numbers of an earlier run, and numbers new contacts after its last", () => {
  expect(ordinals(EMAILS, {})).toEqual([1, 2, 3]);
  expect(ordinals(EMAILS, { "bob@two.example": 4, "gone@one.example": 9 })).toEqual([10, 4, 11]);
});

it("rejects contacts and numbers above the limit", () => {
  const refused = expect.objectContaining({
    code: "ARCHIVE_FULL",
    message: "an archive can contain at most 3 contacts",
  });
  expect(ordinals(EMAILS, {}, 3)).toEqual([1, 2, 3]);
  expect(() => ordinals([...EMAILS, "dan@four.example"], {}, 3)).toThrow(refused);
  expect(() => ordinals(EMAILS, { "gone@one.example": 1 }, 3)).toThrow(refused);
});
