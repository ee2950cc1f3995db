import { expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "../../contacts/addresses/address-book.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import { restoreExportedNames, storeExportedNames } from "./collected-display-names.ts";

const EMAILS = ["ann@one.example", "bob@two.example"] as const;

function bookOf(emails: readonly string[]): AddressBook {
  const book = new AddressBook(fewPages());
  for (const email of emails) book.observe({ name: "", email }, "from", null);
  return book;
}

/** The part of a writer that stores values. */
function kept(): { readonly writer: ArchiveWriter; readonly values: ReadonlyMap<string, unknown> } {
  const values = new Map<string, string | Uint8Array>();
  const writer = {
    setMeta: async (key: string, value: string | Uint8Array) => void values.set(key, value),
    getMeta: async (key: string) => values.get(key) ?? null,
  } as Partial<ArchiveWriter> as ArchiveWriter;
  return { writer, values };
}

it("keeps the names of exports, the lists and own addresses for a later run", async () => {
  const book = bookOf(EMAILS);
  book.observeExportedName(0, 'Ann "A" Lee', { times: 2, own: 1 });
  book.observeExportedName(0, "Lee, Ann", { times: 1, own: 0 });
  book.observeExportedName(1, "Bob", { times: 1, own: 1 });
  book.observeList("crew@list.example");
  book.observeOwnAddresses(0, [EMAILS[1]]);
  book.observeOwnAddresses(1, ["Bob@three.example"]);
  const { writer, values } = kept();
  await storeExportedNames(book, writer, false);
  const again = bookOf(EMAILS);
  await restoreExportedNames(again, writer);
  expect([...again.exportedNames()]).toEqual([...book.exportedNames()]);
  expect([...again.lists()]).toEqual([...book.lists()]);
  expect([...again.ownKeysOfAll()]).toEqual([...book.ownKeysOfAll()]);
  // The other address is in no mail yet.
  expect([...again.ownAddresses()]).toEqual([[0, 1]]);
  expect(values.get("extraction:lists")).toBe('["crew@list.example"]');
});

it("omits a list of a redacted archive that is in no address field", async () => {
  const book = bookOf(EMAILS);
  book.observeList("crew@list.example");
  book.observeList(EMAILS[0]!);
  const { writer, values } = kept();
  await storeExportedNames(book, writer, true);
  expect(values.get("extraction:lists")).toBe(JSON.stringify([EMAILS[0]]));
});

it("stores an empty list", async () => {
  const { writer, values } = kept();
  await storeExportedNames(bookOf(EMAILS), writer, false);
  expect([...values.values()]).toEqual(["[]", "[]", "[]"]);
});

it("stores many names in pieces, and replaces those of an earlier run", async () => {
  const emails = Array.from({ length: 40 }, (_, number) => `p${number}@one.example`);
  const named = (count: number): AddressBook => {
    const book = bookOf(emails);
    for (let index = 0; index < count; index++) {
      book.observeExportedName(index, `Person ${index}`, { times: index + 1, own: 0 });
      book.observeList(`list${index}@one.example`);
    }
    return book;
  };
  const { writer, values } = kept();
  for (const count of [40, 40, 7, 0, 23]) {
    const book = named(count);
    await storeExportedNames(book, writer, false, 100);
    const again = bookOf(emails);
    await restoreExportedNames(again, writer);
    expect([...again.exportedNames()]).toEqual([...book.exportedNames()]);
    expect([...again.lists()]).toEqual([...book.lists()]);
  }
  const stored = [...values].filter(([key]) => key.startsWith("extraction:exported-names"));
  expect(stored.length).toBeGreaterThan(10);
  for (const [, json] of stored) expect(String(json).length).toBeLessThan(150);
});
