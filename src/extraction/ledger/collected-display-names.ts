import type { AddressBook } from "../../contacts/addresses/address-book.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";

/**
 * Names that exports gave for addresses, of the whole archive. Messages do not contain them, so a later run reads them
 * from here.
 */
const EXPORTED_NAMES_KEY = "extraction:exported-names";

/** Address keys of mailing lists, which messages do not contain. */
const LISTS_KEY = "extraction:lists";

/**
 * UTF-16 units of a piece of a list, but for its last value: no text of the whole list is made, which may be longer than
 * a text can be.
 */
const PIECE_LENGTH = 1 << 24;

/** Address key, then name, count, and the part of it that the owner wrote, in turn. */
type StoredNames = readonly [key: string, ...names: readonly (string | number)[]];

/**
 * Keeps the names, and which addresses are lists, for a later run, redacted as they were observed.
 * @param isRedacted true where no list is kept that is in no address field
 * @param pieceLength UTF-16 units of a piece, about
 */
export async function storeExportedNames(
  book: AddressBook,
  writer: ArchiveWriter,
  isRedacted: boolean,
  pieceLength = PIECE_LENGTH,
): Promise<void> {
  await storeList(writer, EXPORTED_NAMES_KEY, pieces(namesOf(book), pieceLength));
  await storeList(writer, LISTS_KEY, pieces(isRedacted ? addressedLists(book) : book.lists(), pieceLength));
}

function* addressedLists(book: AddressBook): Generator<string> {
  for (const list of book.lists()) if (book.indexOf(list) !== undefined) yield list;
}

function* namesOf(book: AddressBook): Generator<StoredNames> {
  for (const { key, names } of book.exportedNames())
    yield [key, ...names.flatMap(({ text, count, own }) => [text, count, own])];
}

/** Yields values as JSON lists, at least one, and drops each value after writing it. */
function* pieces(values: Iterable<unknown>, pieceLength: number): Generator<string> {
  let list = "";
  for (const value of values) {
    if (list.length >= pieceLength) {
      yield `[${list}]`;
      list = "";
    }
    const json = JSON.stringify(value);
    list += list === "" ? json : `,${json}`;
  }
  yield `[${list}]`;
}

/** The first piece has the plain key; most archives have no other. */
function keyOfPiece(key: string, piece: number): string {
  return piece === 0 ? key : `${key}:${piece}`;
}

async function storeList(writer: ArchiveWriter, key: string, list: Iterable<string>): Promise<void> {
  let piece = 0;
  for (const json of list) await writer.setMeta(keyOfPiece(key, piece++), json);
  // An earlier run may have had more.
  for (; (await writer.getMeta(keyOfPiece(key, piece))) !== null; piece++)
    await writer.setMeta(keyOfPiece(key, piece), NO_VALUES);
}

const NO_VALUES = "[]";

async function* storedList<T>(writer: ArchiveWriter, key: string): AsyncGenerator<T> {
  for (let piece = 0; ; piece++) {
    const json = await writer.getMeta(keyOfPiece(key, piece));
    if (typeof json !== "string") return;
    yield* JSON.parse(json) as readonly T[];
  }
}

/** Takes over what an earlier run kept. All stored messages must have been observed. */
export async function restoreExportedNames(book: AddressBook, writer: ArchiveWriter): Promise<void> {
  for await (const list of storedList<string>(writer, LISTS_KEY)) book.observeList(list);
  for await (const [key, ...names] of storedList<StoredNames>(writer, EXPORTED_NAMES_KEY)) {
    const index = book.indexOf(key);
    if (index === undefined) continue;
    for (let at = 0; at + 2 < names.length; at += 3) {
      const [name, times, own] = names.slice(at, at + 3) as [string, number, number];
      book.observeExportedName(index, name, { times, own });
    }
  }
}
