import { expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "../../contacts/address-book.ts";
import type { ArchiveWriter } from "../../store/archive-writer.ts";
import { restoreExportedNames, storeExportedNames } from "./kept-names.ts";

const EMAILS = ["ann@one.example", "bob@two.example"] as const;

function bookOf(emails: readonly string[]): AddressBook {
  const book = new AddressBook(fewPages());
  for (const email of emails) book.observe({ name: "", email }, "from", null);
  return book;
}

/** The part of a writer that keeps values. */
function kept(): { readonly writer: ArchiveWriter; readonly values: ReadonlyMap<string, unknown> } {
  const values = new Map<string, string | Uint8Array>();
  const writer = {
    setMeta: async (key: string, value: string | Uint8Array) => void values.set(key, value),
    getMeta: async (key: string) => values.get(key) ?? null,
  } as Partial<ArchiveWriter> as ArchiveWriter;
  return { writer, values };
}

it("keeps the names of exports and the lists for a later run", async () => {
  const book = bookOf(EMAILS);
  book.observeExportedName(0, 'Ann "A" Lee', { times: 2, own: 1 });
  book.observeExportedName(0, "Lee, Ann", { times: 1, own: 0 });
  book.observeExportedName(1, "Bob", { times: 1, own: 1 });
  book.observeList("crew@list.example");
  const { writer, values } = kept();
  await storeExportedNames(book, writer);
  const again = bookOf(EMAILS);
  await restoreExportedNames(again, writer);
  expect([...again.exportedNames()]).toEqual([...book.exportedNames()]);
  expect([...again.lists()]).toEqual([...book.lists()]);
  expect(values.get("extraction:lists")).toBe('["crew@list.example"]');
});

it("keeps an empty list of nothing, and refuses what no run could read again", async () => {
  const { writer, values } = kept();
  await storeExportedNames(bookOf(EMAILS), writer);
  expect([...values.values()]).toEqual(["[]", "[]"]);
  const book = bookOf(EMAILS);
  book.observeExportedName(0, "Ann Lee", { times: 1, own: 1 });
  const message = "extraction:exported-names would be more than 30 characters";
  await expect(storeExportedNames(book, writer, 30)).rejects.toThrow(
    expect.objectContaining({ code: "ARCHIVE_FULL", message }),
  );
});
