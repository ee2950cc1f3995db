import { hash } from "node:crypto";
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
const STATE_KEY = "extraction:ledger-columns";
const ADDRESSES_KEY = "extraction:ledger-addresses";
/**
 * Bytes of a column in a stored value, which is compressed: half the size. Most columns only grow, so a later run stores
 * few of them again.
 */
const PIECE_BYTES = 1 << 16;
/** UTF-16 units of a stored value of addresses: its objects are in memory at once. */
const ADDRESSES_LENGTH = 1 << 18;

interface StoredState {
  readonly version: string;
  readonly messages: number;
  /** Hash of each piece by column, before compression. */
  readonly pieces: readonly (readonly string[])[];
}

/**
 * Stores the ledger for later runs, except pieces that are unchanged since the last one.
 * @param isChanged false for a run that read no mail
 * @param pieceBytes at least those of the widest value
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
  const before = (await storedState(writer))?.pieces ?? [];
  const columns = columnsOf(ledger);
  const sums: string[][] = [];
  for (const [column, values] of columns.entries()) {
    const own: string[] = [];
    for (const bytes of pieces(values, pieceBytes)) {
      const sum = hash("sha256", bytes, "base64");
      if (before[column]?.[own.length] !== sum)
        await writer.setMeta(keyOfPiece(column, own.length), deflateRawSync(bytes, { level: 1 }));
      own.push(sum);
    }
    sums.push(own);
  }
  const state: StoredState = { version: TOOL_VERSION, messages, pieces: sums };
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
  for (const [index, column] of columnsOf(ledger).entries())
    for (const piece of state.pieces[index]!.keys()) column.append(await readPiece(writer, index, piece));
  ledger.duplicates.restore();
  ledger.threads.restore(messages);
  return true;
}

function columnsOf(ledger: Ledger): readonly StoredColumn[] {
  const { from, sentAt, receivedAt, recipients, replyAddresses, duplicates, threads, book } = ledger;
  const { starts, packed } = recipients;
  const { keys, members } = replyAddresses;
  const ofMessages = [from, sentAt, receivedAt, starts, packed, keys, members, ...duplicates.words];
  return [...ofMessages, ...threads.columns, ...book.columns];
}

function* pieces(column: StoredColumn, pieceBytes: number): Generator<Uint8Array> {
  const piece = new Uint8Array(pieceBytes);
  const most = Math.floor(pieceBytes / column.width);
  for (let at = 0; at < column.length; at += most) {
    const part = piece.subarray(0, Math.min(most, column.length - at) * column.width);
    column.copyTo(part, at);
    yield part;
  }
}

const keyOfPiece = (column: number, piece: number): string => `${STATE_KEY}:${column}:${piece}`;

async function readPiece(writer: ArchiveWriter, column: number, piece: number): Promise<Uint8Array> {
  const key = keyOfPiece(column, piece);
  const stored = await writer.getMeta(key);
  if (stored instanceof Uint8Array && stored.length > 0)
    return new Uint8Array(inflateRawSync(stored, { maxOutputLength: PIECE_BYTES }));
  throw new ArchiveError("ARCHIVE_DAMAGED", `cannot add to the archive: ${key} is missing`);
}

/** State of this version for the messages of the archive; null without one. */
async function readState(writer: ArchiveWriter, messages: number): Promise<StoredState | null> {
  const state = await storedState(writer);
  return state?.messages === messages ? state : null;
}

async function storedState(writer: ArchiveWriter): Promise<StoredState | null> {
  const stored = await writer.getMeta(STATE_KEY);
  if (typeof stored !== "string") return null;
  const state = JSON.parse(stored) as StoredState;
  return state.version === TOOL_VERSION ? state : null;
}
