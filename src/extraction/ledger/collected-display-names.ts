import type { AddressBook } from "../../contacts/addresses/address-book.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import { PIECE_LENGTH, storedList, storeList } from "./stored-list.ts";

/**
 * Names of addresses from exports, for the whole archive. Messages do not contain them, so they are stored here for
 * later runs.
 */
const EXPORTED_NAMES_KEY = "extraction:exported-names";

/** Address keys of mailing lists, which messages do not contain. */
const LISTS_KEY = "extraction:lists";

/** Addresses that authors give as their own, which only texts contain. */
const OWN_ADDRESSES_KEY = "extraction:own-addresses";

/** Address key, then name, count, and the owner's part of the count, in turn. */
type StoredNames = readonly [key: string, ...names: readonly (string | number)[]];

/**
 * Stores the names, the list addresses and the own addresses of authors for later runs, as observed after redaction.
 * @param isRedacted true to store only list addresses that occur in an address field @param pieceLength approximate
 * UTF-16 units of a piece
 */
export async function storeExportedNames(
  book: AddressBook,
  writer: ArchiveWriter,
  isRedacted: boolean,
  pieceLength = PIECE_LENGTH,
): Promise<void> {
  await storeList(writer, EXPORTED_NAMES_KEY, namesOf(book), pieceLength);
  await storeList(writer, OWN_ADDRESSES_KEY, book.ownKeysOfAll(), pieceLength);
  await storeList(writer, LISTS_KEY, isRedacted ? addressedLists(book) : book.lists(), pieceLength);
}

function* addressedLists(book: AddressBook): Generator<string> {
  for (const list of book.lists()) if (book.indexOf(list) !== undefined) yield list;
}

function* namesOf(book: AddressBook): Generator<StoredNames> {
  for (const { key, names } of book.exportedNames())
    yield [key, ...names.flatMap(({ text, count, own }) => [text, count, own])];
}

/** Restores data of an earlier run. All stored messages must have been observed. */
export async function restoreExportedNames(book: AddressBook, writer: ArchiveWriter): Promise<void> {
  for await (const list of storedList<string>(writer, LISTS_KEY)) book.observeList(list);
  for await (const keys of storedList<string>(writer, OWN_ADDRESSES_KEY)) book.observeOwnKeys(keys);
  for await (const [key, ...names] of storedList<StoredNames>(writer, EXPORTED_NAMES_KEY)) {
    const index = book.indexOf(key);
    if (index === undefined) continue;
    for (let at = 0; at + 2 < names.length; at += 3) {
      const [name, times, own] = names.slice(at, at + 3) as [string, number, number];
      book.observeExportedName(index, name, { times, own });
    }
  }
}
