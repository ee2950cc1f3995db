import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { visitPostings } from "../../../search/indexing/posting-codec.ts";
import { visitBlock } from "../../../search/indexing/term-block.ts";
import { compareBytes } from "../../../search/indexing/varint.ts";
import { type ArchiveCheck, MAX_FAULTS } from "../../contract/archive-check.ts";
import { META } from "../../contract/archive-meta.ts";
import { WRITTEN_MEMORY } from "../../contract/reading-memory.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { metaTable } from "../database/meta-table.ts";
import { hasSearchTables } from "../database/search-schema.ts";
import { damaged, sqliteFault } from "../driver/sqlite-faults.ts";
import { refuseDamage } from "../files/archive-damage.ts";
import { openFinished } from "../reading/finished-archive.ts";
import { countKeptRecords } from "./count-kept-records.ts";

/** Maximum faults of one kind that SQLite lists. */
const MAX_STRUCTURE_FAULTS = 20;

class Faults {
  readonly list: string[] = [];
  count = 0;

  add(fault: string): void {
    this.count++;
    if (this.list.length < MAX_FAULTS) this.list.push(fault);
  }

  addAll(faults: readonly string[]): void {
    for (const fault of faults) this.add(fault);
  }
}

/**
 * Checks a whole archive file: checksums, structure of the tables, counts and sums, every posting list, attachments.
 * See `checkArchive`. @param attachments directory of saved attachments; null if they are elsewhere
 */
export function checkSqliteArchive(path: string, attachments: string | null): ArchiveCheck {
  const faults = new Faults();
  collectingFaults(path, faults, () => refuseDamage(path, Number.POSITIVE_INFINITY));
  collectingFaults(path, faults, () =>
    // Checksum errors were already reported and must not hide further faults.
    openFinished(
      path,
      faults.count > 0 ? WRITTEN_MEMORY : { ...WRITTEN_MEMORY, isChecked: false },
      ({ database, counters }) => {
        try {
          collectingFaults(path, faults, () => faults.addAll(structureFaults(database)));
          collectingFaults(path, faults, () => faults.addAll(countFaults(database, counters)));
          collectingFaults(path, faults, () => indexFaults(database, faults));
          if (attachments !== null)
            collectingFaults(path, faults, () => attachmentFaults(database, attachments, faults));
        } finally {
          database.close();
        }
      },
    ),
  );
  return { faultCount: faults.count, faults: faults.list };
}

/** Unreadable parts are faults too; the other parts are still checked. */
function collectingFaults(path: string, faults: Faults, look: () => void): void {
  try {
    look();
  } catch (error) {
    const fault = sqliteFault("reading", path, error);
    // Decoders may throw anything on damaged bytes.
    if (!(fault instanceof Error) || systemErrorCode(fault) === "ENOENT") throw fault;
    faults.add(
      fault instanceof ArchiveError ? fault.message : damaged(path, "part of it cannot be read", fault).message,
    );
  }
}

function structureFaults(database: SqliteDatabase): readonly string[] {
  const lines = database.prepare(`PRAGMA integrity_check(${MAX_STRUCTURE_FAULTS})`).pluck().all() as string[];
  return lines.filter((line) => line !== "ok").map((line) => `structure: ${line.replace(/\s+/g, " ")}`);
}

/** Numbers that must agree: a stored count, and the statement that counts again. */
const COUNTED: readonly (readonly [counter: keyof ArchiveCounters, sql: string])[] = [
  ["messages", "SELECT count(*) FROM messages"],
  ["messages", "SELECT count(*) FROM envelopes"],
  ["messages", "SELECT count(*) FROM bodies"],
  ["contacts", "SELECT count(*) FROM contacts"],
  ["threads", "SELECT count(*) FROM threads"],
  ["topics", "SELECT count(*) FROM topics"],
  ["events", "SELECT count(*) FROM events"],
  ["items", "SELECT count(*) FROM items"],
  ["attachments", "SELECT count(*) FROM attachments"],
];

/** Statements that count inconsistent rows. */
const FORBIDDEN: readonly (readonly [what: string, sql: string])[] = [
  [
    "sources whose totals do not match",
    "SELECT count(*) FROM sources WHERE seen <> kept + duplicate + skipped + failed",
  ],
  [
    "mailboxes whose totals do not match",
    "SELECT count(*) FROM mailboxes WHERE seen <> kept + duplicate + skipped + failed",
  ],
  [
    "threads with a wrong message count",
    "SELECT count(*) FROM threads JOIN (SELECT thread_id, count(*) AS n FROM messages GROUP BY thread_id) ON thread_id = id WHERE n <> message_count",
  ],
  ["messages of missing threads", "SELECT count(*) FROM messages WHERE thread_id NOT IN (SELECT id FROM threads)"],
  ["messages without their header", "SELECT count(*) FROM messages WHERE id NOT IN (SELECT id FROM envelopes)"],
  ["messages without their text", "SELECT count(*) FROM messages WHERE id NOT IN (SELECT id FROM bodies)"],
  [
    "messages of missing authors",
    "SELECT count(*) FROM messages WHERE from_id IS NOT NULL AND from_id NOT IN (SELECT id FROM contacts)",
  ],
];

function countFaults(database: SqliteDatabase, counters: ArchiveCounters): readonly string[] {
  const count = (sql: string): number => database.prepare(sql).pluck().get() as number;
  const counted = COUNTED.flatMap(([counter, sql]) => {
    const found = count(sql);
    return found === counters[counter]
      ? []
      : [`counts: ${found} of ${counters[counter]} ${counter} in ${sql.slice(sql.lastIndexOf(" ") + 1)}`];
  });
  const forbidden = FORBIDDEN.flatMap(([what, sql]) => {
    const found = count(sql);
    return found === 0 ? [] : [`counts: ${found} ${what}`];
  });
  return [...counted, ...forbidden, ...recordFaults(database)];
}

/**
 * Sources with more records counted as kept than stored. Later runs keep records that a source no longer has; after a
 * single run, both numbers are equal.
 */
function recordFaults(database: SqliteDatabase): readonly string[] {
  if (metaTable(database).get(META.countedItems) === null) return [];
  const records = countKeptRecords(database);
  const isSingleRun = database.prepare("SELECT count(*) FROM runs").pluck().get() === 1;
  const sources = database.prepare("SELECT id, path, kept FROM sources ORDER BY id").all() as {
    readonly id: number;
    readonly path: string;
    readonly kept: number;
  }[];
  return sources.flatMap(({ id, path, kept }) => {
    const found = records.get(id) ?? 0;
    const isWrong = isSingleRun ? found !== kept : found < kept;
    return isWrong ? [`counts: ${found} records of ${path}, of which ${kept} were kept`] : [];
  });
}

/** Checks the order of all terms, every posting list, and its number of documents. */
function indexFaults(database: SqliteDatabase, faults: Faults): void {
  if (!hasSearchTables(database)) return;
  const segments = database
    .prepare("SELECT seg, first, postings, length(lengths) AS bytes FROM ix_doc ORDER BY seg")
    .all() as {
    readonly seg: number;
    readonly first: number;
    readonly postings: number;
    readonly bytes: number;
  }[];
  const list = database.prepare("SELECT data FROM ix_post WHERE id = ?").pluck();
  const firstTerms = database.prepare("SELECT first FROM ix_block WHERE seg = ? ORDER BY first").pluck();
  const block = database.prepare("SELECT data FROM ix_block WHERE seg = ? AND first = ?").pluck();
  for (const { seg, first, postings, bytes } of segments) {
    const range = { first, end: first + bytes / 4 };
    let sum = 0;
    let previous: Uint8Array = new Uint8Array(0);
    for (const firstTerm of firstTerms.all(seg) as string[]) {
      visitBlock(block.get(seg, firstTerm) as Uint8Array, ({ term, documentFrequency, postings: named }) => {
        if (sum > 0 && compareBytes(previous, term) >= 0)
          faults.add(`index: terms out of order after ${JSON.stringify(firstTerm)}`);
        previous = term.slice();
        const data = typeof named === "number" ? (list.get(named) as Uint8Array | undefined) : named;
        if (data === undefined || !isPostingList(data, documentFrequency, range)) {
          faults.add(`index: the messages of ${JSON.stringify(Buffer.from(term).toString())} cannot be read`);
        }
        sum += documentFrequency;
        return true;
      });
    }
    if (sum !== postings) faults.add(`index: ${sum} of ${postings} postings in segment ${seg}`);
  }
}

/** True for exactly this number of documents, ascending, all in the segment. */
function isPostingList(
  data: Uint8Array,
  documentFrequency: number,
  range: { readonly first: number; readonly end: number },
): boolean {
  let count = 0;
  let previous = range.first - 1;
  let isRight = true;
  visitPostings(data, (document) => {
    if (document <= previous || document >= range.end) isRight = false;
    previous = document;
    count++;
  });
  return isRight && count === documentFrequency;
}

function attachmentFaults(database: SqliteDatabase, directory: string, faults: Faults): void {
  const rows = database
    .prepare("SELECT DISTINCT path, sha256, size_bytes FROM attachments WHERE path IS NOT NULL")
    .raw();
  for (const row of rows.iterate() as Iterable<readonly [string, Uint8Array, number]>) {
    const [path, sha256, sizeBytes] = row;
    const file = join(directory, path);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) faults.add(`attachments: ${path} is missing`);
    else if (size !== sizeBytes || !createHash("sha256").update(readFileSync(file)).digest().equals(sha256))
      faults.add(`attachments: ${path} has changed`);
  }
}
