import { createHash } from "node:crypto";
import type { NotebookEntry } from "../../../mail/notebook.ts";
import { CHECKED_ENTRIES, NOTEBOOK_SEAL } from "../../tables/notebook-tables.ts";
import { assigned, every, sql } from "../../tables/statement.ts";
import { selection } from "../../tables/table.ts";
import type { QueryableDatabase } from "../driver/queryable-database.ts";

/**
 * Checksums of a notebook: one per entry; the seal has one of all of them in order, so that no entry can be lost, and
 * one of itself.
 */

/** Stored characters of a checksum: 128 bits of SHA-256. */
const CHECKSUM_CHARACTERS = 32;

interface CheckedEntry extends NotebookEntry {
  readonly checksum: string;
}

/** The complete content of a notebook. */
export interface CheckedContent {
  readonly revision: number;
  /** By kind and key. */
  readonly entries: readonly NotebookEntry[];
}

type Damaged = (what: string) => Error;

const ENTRY = selection([CHECKED_ENTRIES], ["kind", "key", "revision", "value", "updatedAt", "author", "checksum"]);
export const SELECT_ENTRIES = sql`SELECT ${ENTRY} FROM ${CHECKED_ENTRIES}`;

type Seal = { readonly revision: number; readonly entriesChecksum: string; readonly checksum: string };
const SEAL = selection([NOTEBOOK_SEAL], ["revision", "entriesChecksum", "checksum"]);

function checksumOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, CHECKSUM_CHARACTERS);
}

function checksumOfEntry({ kind, key, revision, value, updatedAt, author }: NotebookEntry): string {
  return checksumOf([kind, key, revision, value, updatedAt, author]);
}

/** Adds the checksum to an entry. */
export function checkedEntry(entry: NotebookEntry): CheckedEntry {
  return { ...entry, checksum: checksumOfEntry(entry) };
}

/** The row that seals entries with these checksums, in order. */
function sealOf(revision: number, checksums: readonly string[]): Seal {
  const entriesChecksum = checksumOf(checksums);
  return { revision, entriesChecksum, checksum: checksumOf([revision, entriesChecksum]) };
}

/** Decodes a row. Throws `damaged` if its checksum does not match. */
export function entryReader(damaged: Damaged): (values: Parameters<typeof ENTRY.decode>[0]) => NotebookEntry {
  return (values) => {
    const { checksum, ...entry } = ENTRY.decode(values);
    if (checksum !== checksumOfEntry(entry)) throw damaged("the checksum of an entry does not match");
    return entry;
  };
}

/** Reads only the seal. Throws `damaged`. */
export function readSeal({ ask }: QueryableDatabase, damaged: Damaged): Seal {
  const [seal, ...others] = ask(every(sql`SELECT ${SEAL} FROM ${NOTEBOOK_SEAL}`, SEAL.decode));
  if (seal === undefined || others.length > 0) throw damaged("its checksum is missing");
  if (seal.checksum !== checksumOf([seal.revision, seal.entriesChecksum])) throw damaged("its checksum does not match");
  return seal;
}

/** Reads everything in one transaction. Throws `damaged` if a checksum does not match. */
export function readChecked(database: QueryableDatabase, damaged: Damaged): CheckedContent {
  const { revision, entriesChecksum } = readSeal(database, damaged);
  const entries = database.ask(every(sql`${SELECT_ENTRIES} ORDER BY kind, key`, entryReader(damaged)));
  if (entriesChecksum !== checksumOf(entries.map(checksumOfEntry))) throw damaged("entries are missing or changed");
  return { revision, entries };
}

/** Seals the entries within the transaction. Throws `damaged` if an entry was changed. */
export function seal({ ask, run }: QueryableDatabase, revision: number, damaged: Damaged): void {
  const entries = ask(every(sql`${SELECT_ENTRIES} ORDER BY kind, key`, entryReader(damaged)));
  run(sql`UPDATE ${NOTEBOOK_SEAL} SET ${assigned(NOTEBOOK_SEAL, sealOf(revision, entries.map(checksumOfEntry)))}`);
}

/** Returns the seal of a notebook without entries. */
export function emptySeal(): Seal {
  return sealOf(0, []);
}
