import { type Address, addressText } from "../../../mail/records/address.ts";
import type { CopyDifferences } from "../../../mail/records/message.ts";
import { fieldTerm, type SearchField } from "../../../search/indexing/search-field.ts";
import { joinedNames } from "../../../text/tokens/hyphenated-words.ts";
import { tokensOf } from "../../../text/tokens/tokens.ts";
import { copyPostings } from "../../reading/copy-postings.ts";
import { COPY_TERMS } from "../../tables/search-tables.ts";
import { rowInsert } from "../database/bulk-insert.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { copiesWithOther, type MessageRange } from "../reading/skeleton-reader.ts";

/** Messages whose terms are in memory at a time: a few megabytes. */
const RANGE_MESSAGES = 1 << 16;

/**
 * Writes names and addresses that only duplicates of a message have, as terms of its fields: `cc:` finds a Bcc
 * recipient of a sent duplicate. They are separate from the index, whose postings are in message order and created
 * before duplicates are compared; a later run may add a duplicate to any message. There are few, and every run rewrites
 * them.
 * @param range messages whose terms are in memory at a time
 */
export function writeCopyTerms(database: SqliteDatabase, range = RANGE_MESSAGES): void {
  database.exec("DELETE FROM ix_copy");
  const last = database.prepare("SELECT max(message_id) FROM occurrences").pluck().get() as number | null;
  const insert = rowInsert(database, COPY_TERMS);
  for (let from = 0; last !== null && from <= last; from += range) {
    for (const [term, documents] of termsOfCopies(database, { from, to: from + range }))
      for (const document of documents) insert.add({ term, document });
    insert.flush();
  }
}

/** Buffered until all are read: nothing may be written while a table is read. */
function termsOfCopies(database: SqliteDatabase, range: MessageRange): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const { message, differs } of copiesWithOther(database, ["from", "to", "cc", "bcc"], range)) {
    for (const term of termsOf(differs)) {
      const documents = found.get(term);
      if (documents === undefined) found.set(term, new Set([message]));
      else documents.add(message);
    }
  }
  return found;
}

function termsOf({ from, to, cc, bcc }: CopyDifferences): ReadonlySet<string> {
  const terms = new Set<string>();
  const add = (field: SearchField, addresses: readonly Address[]): void => {
    for (const address of addresses) {
      const text = addressText(address);
      for (const token of [...tokensOf(text), ...tokensOf(joinedNames(Buffer.from(text)))])
        terms.add(fieldTerm(field, token));
    }
  };
  if (from !== undefined && from !== null) add("from", [from]);
  add("to", to ?? []);
  add("cc", cc ?? []);
  add("cc", bcc ?? []);
  return terms;
}

/** False if no duplicate has other people, or an earlier version wrote the archive. */
export function hasCopyTerms(database: SqliteDatabase): boolean {
  const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'ix_copy'").get() !== undefined;
  return isThere && database.prepare("SELECT 1 FROM ix_copy LIMIT 1").get() !== undefined;
}

/** Messages with such a term, from `first` to before `end`, as a posting list; null if there are none. */
export function copyTermReader(
  database: SqliteDatabase,
  first: number,
  end: number,
): (term: string) => Uint8Array | null {
  if (!hasCopyTerms(database)) return () => null;
  const documents = database
    .prepare("SELECT doc FROM ix_copy WHERE term = ? AND doc >= ? AND doc < ? ORDER BY doc")
    .pluck();
  return (term) => copyPostings(documents.all(term, first, end) as number[]);
}
