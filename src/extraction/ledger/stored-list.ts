import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";

/** UTF-16 units per piece of a list, without its last value: the whole list may be longer than a string can be. */
export const PIECE_LENGTH = 1 << 24;

/** The first piece has the plain key; most archives have no other. */
function keyOfPiece(key: string, piece: number): string {
  return piece === 0 ? key : `${key}:${piece}`;
}

/** Stores JSON-compatible values for later runs. @param pieceLength approximate UTF-16 units of a piece */
export async function storeList(
  writer: ArchiveWriter,
  key: string,
  values: Iterable<unknown>,
  pieceLength = PIECE_LENGTH,
): Promise<void> {
  let piece = 0;
  for (const json of pieces(values, pieceLength)) await writer.setMeta(keyOfPiece(key, piece++), json);
  // An earlier run may have had more.
  for (; (await writer.getMeta(keyOfPiece(key, piece))) !== null; piece++)
    await writer.setMeta(keyOfPiece(key, piece), NO_VALUES);
}

const NO_VALUES = "[]";

/** Reads the values that `storeList` stored; none if it did not. */
export async function* storedList<T>(writer: ArchiveWriter, key: string): AsyncGenerator<T> {
  for (let piece = 0; ; piece++) {
    const json = await writer.getMeta(keyOfPiece(key, piece));
    if (typeof json !== "string") return;
    yield* JSON.parse(json) as readonly T[];
  }
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
