import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { StoredColumn } from "../../columns/paged-column.ts";
import { ArchiveError } from "../../errors.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import { TOOL_VERSION } from "../../version.ts";
import type { Ledger } from "./deduplicate.ts";
import { storedList, storeList } from "./stored-list.ts";

/**
 * The numbers and addresses of the ledger after all mail was read: a later run appends them instead of reading all
 * messages again. Rows of messages remain the only source for another version.
 */
const STATE_KEY = "extraction:ledger";
const ADDRESSES_KEY = "extraction:ledger-addresses";
/** Bytes of columns in a stored value, which is compressed: half the size. */
const PIECE_BYTES = 1 << 20;
/** UTF-16 units of a stored value of addresses: its objects are in memory at once. */
const ADDRESSES_LENGTH = 1 << 18;

interface StoredState {
  readonly version: string;
  readonly messages: number;
  /** Values by column. */
  readonly lengths: readonly number[];
}

/**
 * Stores the ledger for later runs. @param isChanged false for a run that read no mail
 * @param pieceBytes a multiple of the widest value
 */
export async function storeLedger(
  ledger: Ledger,
  writer: ArchiveWriter,
  isChanged: boolean,
  pieceBytes = PIECE_BYTES,
): Promise<void> {
  const { messageCount: messages } = ledger;
  if (!isChanged && (await readState(writer, messages)) !== null) return;
  await storeList(writer, ADDRESSES_KEY, ledger.book.rows(), ADDRESSES_LENGTH);
  const columns = columnsOf(ledger);
  let piece = 0;
  for (const bytes of pieces(columns, pieceBytes))
    await writer.setMeta(keyOfPiece(piece++), deflateRawSync(bytes, { level: 1 }));
  const state: StoredState = { version: TOOL_VERSION, messages, lengths: columns.map(({ length }) => length) };
  await writer.setMeta(STATE_KEY, JSON.stringify(state));
}

/**
 * Restores what `storeLedger` stored, in an empty ledger. Returns false if the archive has no state of this version.
 * @param messages of the archive
 */
export async function restoreLedgerState(ledger: Ledger, writer: ArchiveWriter, messages: number): Promise<boolean> {
  const state = await readState(writer, messages);
  if (state === null) return false;
  for await (const row of storedList<Parameters<Ledger["book"]["restore"]>[0]>(writer, ADDRESSES_KEY))
    ledger.book.restore(row);
  let piece = 0;
  let bytes = new Uint8Array();
  for (const [index, column] of columnsOf(ledger).entries()) {
    for (let rest = state.lengths[index]! * column.width; rest > 0; ) {
      if (bytes.length === 0) bytes = await readPiece(writer, piece++);
      const part = bytes.subarray(0, rest);
      column.append(part);
      bytes = bytes.subarray(part.length);
      rest -= part.length;
    }
  }
  ledger.duplicates.restore();
  ledger.threads.restore(messages);
  return true;
}

/** Wide values first, so that no value is divided between two pieces. */
function columnsOf(ledger: Ledger): readonly StoredColumn[] {
  const { from, sentAt, receivedAt, recipients, replyAddresses, duplicates, threads, book } = ledger;
  const { starts, packed } = recipients;
  const { keys, members } = replyAddresses;
  const ofMessages = [from, sentAt, receivedAt, starts, packed, keys, members, ...duplicates.words];
  return [...ofMessages, ...threads.columns, ...book.columns].sort((a, b) => b.width - a.width);
}

function* pieces(columns: readonly StoredColumn[], pieceBytes: number): Generator<Uint8Array> {
  const piece = new Uint8Array(pieceBytes);
  let end = 0;
  for (const column of columns) {
    for (let at = 0; at < column.length; ) {
      const values = Math.min(column.length - at, (pieceBytes - end) / column.width);
      const start = end;
      end += values * column.width;
      column.copyTo(piece.subarray(start, end), at);
      at += values;
      if (end < pieceBytes) continue;
      yield piece;
      end = 0;
    }
  }
  if (end > 0) yield piece.subarray(0, end);
}

const keyOfPiece = (piece: number): string => `${STATE_KEY}:${piece}`;

async function readPiece(writer: ArchiveWriter, piece: number): Promise<Uint8Array<ArrayBuffer>> {
  const stored = await writer.getMeta(keyOfPiece(piece));
  if (stored instanceof Uint8Array && stored.length > 0)
    return new Uint8Array(inflateRawSync(stored, { maxOutputLength: PIECE_BYTES }));
  throw new ArchiveError("ARCHIVE_DAMAGED", `cannot add to the archive: ${keyOfPiece(piece)} is missing`);
}

async function readState(writer: ArchiveWriter, messages: number): Promise<StoredState | null> {
  const stored = await writer.getMeta(STATE_KEY);
  if (typeof stored !== "string") return null;
  const state = JSON.parse(stored) as StoredState;
  return state.version === TOOL_VERSION && state.messages === messages ? state : null;
}
