import { constants } from "node:buffer";
import type { AddressBook } from "../../contacts/address-book.ts";
import { ArchiveError } from "../../errors.ts";
import type { ArchiveWriter } from "../../store/archive-writer.ts";

/**
 * Names that exports wrote beside addresses, over the whole archive: messages do not hold them, so a later run finds
 * them here.
 */
const EXPORTED_NAMES_KEY = "extraction:exported-names";

/** Addresses of mailing lists, as keys; messages do not hold them either. */
const LISTS_KEY = "extraction:lists";

/** Address key, then name, count, and the part of it that the owner wrote, in turn. */
type StoredNames = readonly [key: string, ...names: readonly (string | number)[]];

/**
 * Keeps the names, and which addresses are lists, for a later run, redacted as they were observed. Throws ARCHIVE_FULL
 * where they are no text any more that a run could read.
 * @param most units of a text
 */
export async function storeExportedNames(
  book: AddressBook,
  writer: ArchiveWriter,
  most = constants.MAX_STRING_LENGTH,
): Promise<void> {
  await writer.setMeta(EXPORTED_NAMES_KEY, jsonList(namesOf(book), { key: EXPORTED_NAMES_KEY, most }));
  await writer.setMeta(LISTS_KEY, jsonList(book.lists(), { key: LISTS_KEY, most }));
}

function* namesOf(book: AddressBook): Generator<StoredNames> {
  for (const { key, names } of book.exportedNames())
    yield [key, ...names.flatMap(({ text, count, own }) => [text, count, own])];
}

/** Some values as a list, each let go when it is written. */
function jsonList(values: Iterable<unknown>, { key, most }: { readonly key: string; readonly most: number }): string {
  let list = "";
  for (const value of values) {
    const json = JSON.stringify(value);
    if (list.length + json.length + 2 > most)
      throw new ArchiveError("ARCHIVE_FULL", `${key} would be more than ${most} characters`);
    list += list === "" ? json : `,${json}`;
  }
  return `[${list}]`;
}

/** Takes over what an earlier run kept. All stored messages must have been observed. */
export async function restoreExportedNames(book: AddressBook, writer: ArchiveWriter): Promise<void> {
  const lists = await writer.getMeta(LISTS_KEY);
  if (typeof lists === "string") for (const list of JSON.parse(lists) as readonly string[]) book.observeList(list);
  const stored = await writer.getMeta(EXPORTED_NAMES_KEY);
  if (typeof stored !== "string") return;
  for (const [key, ...names] of JSON.parse(stored) as StoredNames[]) {
    const index = book.indexOf(key);
    if (index === undefined) continue;
    for (let at = 0; at + 2 < names.length; at += 3) {
      const [name, times, own] = names.slice(at, at + 3) as [string, number, number];
      book.observeExportedName(index, name, { times, own });
    }
  }
}
